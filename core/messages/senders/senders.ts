import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { linkAdvice } from '#contract/message-media.js';
import { Config } from '../../platform/config/config.js';
import { GroupCommit, requestLimits } from '../../platform/database/group-commit.js';
import { Postgres } from '../../platform/database/postgres.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { randomPointOf, takesRandomRoute } from '../../rules/entered-codes.js';
import { CarrierSenders } from '../routes/carrier-senders.js';
import { ChooseRoute } from '../routes/choose-route.js';
import { ConversationOwnersRepository, type SenderUse } from './conversation-owners.repository.js';
import { DedicatedSenders } from './dedicated-senders.js';
import type { ApiKey } from '../../keys/api-key.js';

interface SenderPool {
  readonly candidates: readonly string[];
  /** Senders whose conversation with this recipient another account owns. */
  readonly ownedByOthers: readonly string[];
}

/**
 * Chooses the sender of an account for a recipient, among those that no other account owns if there
 * are any: the one that the account used before, otherwise the first one that no other account has
 * used with this recipient, otherwise the one that other accounts have not used for the longest
 * time. This way each reply has one owner.
 */
export function chooseSender(
  { candidates: all, ownedByOthers }: SenderPool,
  accountId: string,
  uses: readonly SenderUse[],
): string {
  const free = all.filter((sender) => !ownedByOthers.includes(sender));
  const candidates = free.length > 0 ? free : all;
  const known = uses.filter(({ sender }) => candidates.includes(sender));
  const own = newest(known.filter((use) => use.accountId === accountId));
  if (own) return own.sender;
  const lastUses = new Map<string, number>();
  for (const { sender, at } of known) lastUses.set(sender, Math.max(lastUses.get(sender) ?? 0, at.getTime()));
  const age = (sender: string) => lastUses.get(sender) ?? -1;
  const [best] = candidates.toSorted((a, b) => age(a) - age(b));
  if (best === undefined) throw new Error('chooseSender needs at least one candidate');
  return best;
}

function newest(uses: readonly SenderUse[]): SenderUse | undefined {
  return uses.toSorted((a, b) => b.at.getTime() - a.at.getTime())[0];
}

const BATCH_MAX = 100;
const BATCHES_IN_FLIGHT_MAX = 2;
const CACHED_MAX = 100_000;
/**
 * Until the account's sender is looked up again: another account may have become the owner of a
 * silent conversation.
 */
const CACHED_MS = 60_000;
const NO_SENDER_FOR_FILES = `No sender for this number takes files. ${linkAdvice} You were not charged.`;
const NO_ROUTE = 'Sending to this country is paused. You were not charged. Try again later.';

interface SenderRequest {
  readonly key: ApiKey;
  readonly recipient: string;
  /**
   * The best candidate for an account without a conversation; the order in which equally good ones
   * are taken.
   */
  readonly preferred: string;
  readonly candidates: readonly string[];
}

/** Whose message goes where; the country is ISO 3166-1 alpha-2. */
interface Destination {
  readonly accountId: string;
  readonly recipient: string;
  readonly country: string;
}

/** What a message needs of its sender. */
export interface SenderNeeds {
  /** The id of a message with a one-time password. */
  readonly codeId?: string | undefined;
  /** Whether it has files, which only some carriers take. */
  readonly hasFiles?: boolean;
}

interface FoundSender {
  readonly sender: string;
  /** Whether it is the account's sender for this recipient from now on. */
  readonly isKept: boolean;
}

/** A request of an account that has no sender for the recipient yet. */
interface NewConversation {
  readonly index: number;
  readonly accountId: string;
  readonly request: SenderRequest;
}

/**
 * Chooses the number or messaging service of a message. A recipient gets an account's messages from
 * one sender, and another account's from another one where there are enough, so that replies find
 * their account. A single sender costs no query.
 */
@Injectable()
export class Senders {
  /** By key and recipient, oldest first. */
  private readonly cached = new Map<string, { readonly sender: string; readonly untilMs: number }>();
  private readonly group: GroupCommit<SenderRequest, FoundSender>;

  constructor(
    private readonly config: Config,
    private readonly postgres: Postgres,
    private readonly conversations: ConversationOwnersRepository,
    private readonly dedicated: DedicatedSenders,
    private readonly carrierSenders: CarrierSenders,
    private readonly chooseRoute: ChooseRoute,
  ) {
    this.group = new GroupCommit({
      ...requestLimits(config),
      batchMax: BATCH_MAX,
      inFlightMax: BATCHES_IN_FLIGHT_MAX,
      run: (batch) => this.findAll(batch),
    });
  }

  /**
   * `country` is the recipient's, ISO 3166-1 alpha-2. Some one-time passwords take a route at
   * random ({@link takesRandomRoute}), whatever the conversation's. For a test key the sender is
   * not kept. Throws `unavailable` when no sender is left for the account, or the country's routes
   * are all paused, and `media_unsupported` when none of its senders takes files.
   */
  async senderFor(
    key: ApiKey,
    recipient: string,
    country: string,
    { codeId, hasFiles = false }: SenderNeeds = {},
  ): Promise<string> {
    const all = await this.dedicated.candidates(key, this.carrierSenders.ofCountry(country));
    const configured = hasFiles ? all.filter((sender) => this.carrierSenders.takesFiles(sender)) : all;
    if (configured.length === 0 && all.length > 0) throw new DomainError('media_unsupported', NO_SENDER_FOR_FILES);
    const isRandom =
      codeId !== undefined &&
      this.chooseRoute.areSeveral &&
      takesRandomRoute(codeId) &&
      !(await this.areDedicated(configured));
    const routed = this.chooseRoute.areSeveral
      ? await this.onRoutes(configured, recipient, country, isRandom ? codeId : undefined)
      : undefined;
    const [only = ''] = routed ?? configured;
    if (routed && isRandom) return only;
    if (configured.length < 2) return only;
    const name = nameOf(key, recipient);
    const cached = this.cached.get(name);
    const bounded = routed ?? (hasFiles ? configured : undefined);
    if (cached && cached.untilMs > performance.now() && (!bounded || bounded.includes(cached.sender)))
      return cached.sender;
    const candidates = routed ?? startingAt(recipient, configured);
    const preferred = candidates[0] ?? only;
    const { sender, isKept } = await this.group.submit({ key, recipient, preferred, candidates });
    if (isKept) this.cache(name, sender);
    return sender;
  }

  /**
   * Chooses a sender of another route for a message, among carriers and senders that may take it: one
   * whose conversation with the recipient no other account owns, if there is any; the account owns it
   * from now on. Undefined when no sender may take it.
   */
  async another(
    { accountId, recipient, country }: Destination,
    isPossible: (sender: string, carrier: number) => boolean,
  ): Promise<{ readonly sender: string; readonly carrier: number } | undefined> {
    const configured = await this.dedicated.candidatesOf(accountId, this.carrierSenders.ofCountry(country));
    const possible = configured.filter((sender) => isPossible(sender, this.carrierSenders.carrierOf(sender)));
    if (possible.length === 0) return undefined;
    const byCarrier = this.byCarrier(possible);
    const routes = await this.chooseRoute.ranked(country, new Set(byCarrier.keys()), nextPointOf(recipient));
    const [first] = routes ?? [];
    if (routes && first === undefined) return undefined;
    const senders = startingAt(recipient, first === undefined ? possible : (byCarrier.get(first) ?? []));
    return this.postgres.transaction(async (tx) => {
      await this.conversations.lockRecipients(tx, [recipient]);
      const { conversationHours } = this.config;
      const owners = await this.conversations.owners(tx, [recipient], conversationHours);
      const others = (owners.get(recipient) ?? []).filter((owner) => owner.accountId !== accountId);
      const isOwned = (sender: string) => others.some((owner) => owner.sender === sender);
      const free = senders.find((one) => !isOwned(one));
      if (free !== undefined)
        await this.conversations.own(tx, { accountId, recipient, sender: free }, conversationHours);
      const sender = free ?? senders[0];
      return sender === undefined ? undefined : { sender, carrier: this.carrierSenders.carrierOf(sender) };
    });
  }

  /** Forgets what it knows about the account's senders, after the operator changed them. */
  forget(key: ApiKey, recipient: string): void {
    this.dedicated.refresh();
    this.cached.delete(nameOf(key, recipient));
  }

  /**
   * The senders by the routes of the recipient's country: those of the chosen route, then those of
   * the others that may take a message, so that a conversation keeps its sender. Undefined when the
   * country has no routes. An account with senders of its own has those, whichever their routes.
   * `randomId` is the id of a message whose route is taken at random.
   */
  private async onRoutes(
    senders: readonly string[],
    recipient: string,
    country: string,
    randomId: string | undefined,
  ): Promise<readonly string[] | undefined> {
    const byCarrier = this.byCarrier(senders);
    const carriers = new Set(byCarrier.keys());
    const ranked =
      randomId === undefined
        ? await this.chooseRoute.ranked(country, carriers, pointOf(recipient))
        : await this.chooseRoute.atRandom(country, carriers, randomPointOf(randomId));
    if (!ranked) return undefined;
    if (ranked.length > 0) return ranked.flatMap((carrier) => startingAt(recipient, byCarrier.get(carrier) ?? []));
    if (await this.areDedicated(senders)) return undefined;
    throw new DomainError('unavailable', NO_ROUTE);
  }

  private byCarrier(senders: readonly string[]): ReadonlyMap<number, readonly string[]> {
    const byCarrier = new Map<number, string[]>();
    for (const sender of senders) {
      const carrier = this.carrierSenders.carrierOf(sender);
      const known = byCarrier.get(carrier);
      if (known) known.push(sender);
      else byCarrier.set(carrier, [sender]);
    }
    return byCarrier;
  }

  /** Whether an account has these senders to itself; there are no others among them then. */
  private async areDedicated([first = '']: readonly string[]): Promise<boolean> {
    return (await this.dedicated.all()).has(first);
  }

  private cache(name: string, sender: string): void {
    this.cached.delete(name);
    this.cached.set(name, { sender, untilMs: performance.now() + CACHED_MS });
    if (this.cached.size <= CACHED_MAX) return;
    const [oldest] = this.cached.keys();
    if (oldest !== undefined) this.cached.delete(oldest);
  }

  /**
   * Returns for each request the sender that the account used before with the recipient, if no other
   * account owns that conversation, or else a new one. For an account that cannot send, no sender is
   * kept.
   */
  private async findAll(batch: readonly SenderRequest[]): Promise<FoundSender[]> {
    const known = await this.conversations.known(
      batch.map(({ key, recipient }) => ({ keyHash: key.hash, recipient })),
      this.config.conversationHours,
    );
    const newConversations: NewConversation[] = [];
    const found = batch.map((request, index): FoundSender => {
      const { accountId = null, sender = null, maySend = false } = known[index] ?? {};
      const { key, candidates, preferred } = request;
      if (sender !== null && candidates.includes(sender)) return { sender, isKept: true };
      if (accountId !== null && maySend && !key.test) newConversations.push({ index, accountId, request });
      return { sender: preferred, isKept: false };
    });
    if (newConversations.length > 0)
      for (const { index, sender } of await this.choose(newConversations)) found[index] = { sender, isKept: true };
    return found;
  }

  /**
   * Two accounts that write to a new recipient at the same moment get different senders where there
   * are enough.
   */
  private choose(requests: readonly NewConversation[]): Promise<{ index: number; sender: string }[]> {
    const recipients = [...new Set(requests.map(({ request }) => request.recipient))];
    return this.postgres.transaction(async (tx) => {
      await this.conversations.lockRecipients(tx, recipients);
      const uses = await this.conversations.uses(tx, recipients);
      const owners = await this.conversations.owners(tx, recipients, this.config.conversationHours);
      const kept = new Map<string, { accountId: string; recipient: string; sender: string }>();
      const chosen = requests.map(({ index, accountId, request: { recipient, candidates } }) => {
        const usesOfRecipient = uses.get(recipient) ?? [];
        const ownersOfRecipient = owners.get(recipient) ?? [];
        const ownedByOthers = ownersOfRecipient.filter((owner) => owner.accountId !== accountId);
        const sender = chooseSender(
          { candidates, ownedByOthers: ownedByOthers.map((owner) => owner.sender) },
          accountId,
          usesOfRecipient,
        );
        usesOfRecipient.push({ accountId, sender, at: new Date() });
        kept.set(`${accountId} ${recipient}`, { accountId, recipient, sender });
        return { index, sender };
      });
      await this.conversations.keep(tx, [...kept.values()]);
      return chosen;
    });
  }
}

function nameOf(key: ApiKey, recipient: string): string {
  return `${key.hash.toString('base64')}${recipient}`;
}

/**
 * The same candidates from a place that depends on the recipient, so that the senders share the
 * work.
 */
function startingAt(recipient: string, candidates: readonly string[]): string[] {
  const first = hashOf(recipient).readUInt32BE(0) % candidates.length;
  return [...candidates.slice(first), ...candidates.slice(0, first)];
}

/** The recipient's place among the weights of routes, independent of {@link startingAt}. */
function pointOf(recipient: string): number {
  return hashOf(recipient).readUInt32BE(4) / 2 ** 32;
}

/**
 * The recipient's place for the next route: those that one route had are near each other by
 * {@link pointOf}, and would all go to the same one.
 */
function nextPointOf(recipient: string): number {
  return hashOf(recipient).readUInt32BE(8) / 2 ** 32;
}

function hashOf(recipient: string): Buffer {
  return createHash('sha256').update(recipient).digest();
}
