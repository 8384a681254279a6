import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { linkAdvice } from '#contract/message-media.js';
import { Config } from '../../platform/config/config.js';
import { GroupCommit, requestLimits } from '../../platform/database/group-commit.js';
import { Postgres } from '../../platform/database/postgres.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { randomPointOf, takesRandomRoute } from '../../rules/entered-codes.js';
import { mayBeSender, NumberDirectory, type AccountNumbers, type KnownNumber } from '../../numbers/number-directory.js';
import { sendersOf, wasReleased } from '../../numbers/senders-of.js';
import { CarrierSenders } from '../routes/carrier-senders.js';
import { ChooseRoute } from '../routes/choose-route.js';
import { ConversationOwnersRepository, type SenderUse } from './conversation-owners.repository.js';
import type { ApiKey } from '../../keys/api-key.js';

interface SenderPool {
  readonly candidates: readonly string[];
  /** Those among them that a recipient gets who knows none of them; by default all. */
  readonly fresh?: readonly string[] | undefined;
  /** Senders whose conversation with this recipient another account owns. */
  readonly ownedByOthers: readonly string[];
}

/**
 * Chooses the sender of an account for a recipient, among those that no other account owns if there
 * are any: the one that the account used before, otherwise the first fresh one that no other account
 * has used with this recipient, otherwise the one that other accounts have not used for the longest
 * time. This way each reply has one owner.
 */
export function chooseSender(
  { candidates: all, fresh = all, ownedByOthers }: SenderPool,
  accountId: string,
  uses: readonly SenderUse[],
): string {
  const freeAmong = (senders: readonly string[]) => {
    const free = senders.filter((sender) => !ownedByOthers.includes(sender));
    return free.length > 0 ? free : senders;
  };
  const known = freeAmong(all);
  const own = newest(uses.filter((use) => use.accountId === accountId && known.includes(use.sender)));
  if (own) return own.sender;
  const candidates = freeAmong(fresh);
  const lastUses = new Map<string, number>();
  for (const { sender, at } of uses) lastUses.set(sender, Math.max(lastUses.get(sender) ?? 0, at.getTime()));
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
const NO_SENDER_OF_FROM_FOR_FILES = `What "from" names takes no files. ${linkAdvice} You were not charged.`;
const NO_SENDER = 'No sender is free for this account. You were not charged. Contact support.';
const NO_ROUTE = 'Sending to this country is paused. You were not charged. Try again later.';

interface SenderRequest {
  readonly key: ApiKey;
  readonly recipient: string;
  /** Those that the account keeps for a recipient who knows them. */
  readonly candidates: readonly string[];
  /** Those for another recipient, in the order in which equally good ones are taken. */
  readonly fresh: readonly string[];
}

/** What a message needs of its sender. */
export interface SenderNeeds {
  /**
   * The id of a message with a one-time password, some of which take a route at random
   * ({@link takesRandomRoute}), whatever the conversation's.
   */
  readonly codeId?: string | undefined;
  /** A number or a pool of the account, as its caller named it. */
  readonly from?: string | undefined;
  /** Whether it has files, which only some carriers take. */
  readonly hasFiles?: boolean;
}

/** Whose message went where, and from which sender; the country is ISO 3166-1 alpha-2. */
interface Handed {
  readonly accountId: string;
  readonly recipient: string;
  readonly country: string;
  readonly sender: string;
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
    private readonly directory: NumberDirectory,
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
   * `country` is the recipient's, ISO 3166-1 alpha-2. Without `from` it is the number that the
   * recipient knows, otherwise one of the account's default pool, otherwise one of the operator's or
   * a shared one. For a test key the sender is not kept. Throws `from_unknown` and `from_inactive`,
   * `unavailable` when no sender is left for the account, or the country's routes are all paused, and
   * `media_unsupported` when none of its senders takes files.
   */
  async senderFor(
    key: ApiKey,
    recipient: string,
    country: string,
    { codeId, from, hasFiles = false }: SenderNeeds = {},
  ): Promise<string> {
    const able = async (senders: readonly string[]) => (hasFiles ? this.takingFiles(senders) : senders);
    if (from !== undefined) {
      const named = await this.named(key, from);
      if (named instanceof DomainError) throw named;
      const candidates = await able(named);
      if (candidates.length === 0) throw new DomainError('media_unsupported', NO_SENDER_OF_FROM_FOR_FILES);
      return this.lookedUp({ key, recipient, candidates, fresh: startingAt(recipient, candidates) });
    }
    const own = await this.directory.ofKey(key);
    const bought = await able(own.numbers.filter(stays).map(({ number }) => number));
    const pool = await able(own.pools.find(({ isDefault }) => isDefault)?.senders ?? []);
    const operated = this.operated(own, recipient, country, { codeId, hasFiles });
    if (bought.length === 0 && pool.length === 0) {
      const { senders, isChosen } = await operated;
      return isChosen ? (senders[0] ?? '') : this.keeping({ key, recipient, candidates: senders, fresh: senders });
    }
    const found = operated.then(({ senders }) => senders);
    const others = await (pool.length > 0 ? found.catch(noneLeft) : found);
    const fresh = pool.length > 0 ? startingAt(recipient, pool) : others;
    return this.lookedUp({ key, recipient, candidates: [...new Set([...fresh, ...others, ...bought])], fresh });
  }

  /** Why a message of the account cannot be sent from what its caller named; undefined if it can. */
  async faultOf(key: ApiKey, from: string): Promise<DomainError | undefined> {
    const named = await this.named(key, from);
    return named instanceof DomainError ? named : undefined;
  }

  /**
   * Chooses a sender of another route for a message, among carriers and senders that may take it: one
   * whose conversation with the recipient no other account owns, if there is any; the account owns it
   * from now on. Undefined when no sender may take it, and for a message from a number that its account
   * has bought: that one has no other route.
   */
  async another(
    { accountId, recipient, country, sender: current }: Handed,
    isPossible: (sender: string, carrier: number) => boolean,
  ): Promise<{ readonly sender: string; readonly carrier: number } | undefined> {
    if ((await this.directory.all()).get(current)?.origin === 'purchase') return undefined;
    const configured = await this.ownOrShared(
      await this.directory.ofAccount(accountId),
      this.carrierSenders.ofCountry(country),
    );
    const possible = configured.filter((sender) => isPossible(sender, this.carrierSenders.carrierOfOperated(sender)));
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
      return sender === undefined ? undefined : { sender, carrier: this.carrierSenders.carrierOfOperated(sender) };
    });
  }

  /** Forgets what it knows about the senders of an account's recipients, after they were changed. */
  async forget(key: ApiKey, recipients: readonly string[]): Promise<void> {
    for (const recipient of recipients) this.cached.delete(nameOf(key, recipient));
    await this.directory.renewed();
  }

  /** The sender that the account keeps for the recipient. */
  private async keeping(request: SenderRequest): Promise<string> {
    const name = nameOf(request.key, request.recipient);
    const cached = this.cached.get(name);
    if (cached && cached.untilMs > performance.now() && request.candidates.includes(cached.sender))
      return cached.sender;
    return this.lookedUp(request);
  }

  /** As {@link keeping}, from the database: the recipient may have written to another number a moment ago. */
  private async lookedUp(request: SenderRequest): Promise<string> {
    const { sender, isKept } = await this.group.submit(request);
    if (isKept) this.cache(nameOf(request.key, request.recipient), sender);
    return sender;
  }

  /** As {@link sendersOf}; a number that has just begun to send is looked up. */
  private async named(key: ApiKey, from: string): Promise<readonly string[] | DomainError> {
    let senders = sendersOf(await this.directory.ofKey(key), from);
    if (senders instanceof DomainError && this.directory.lookUp())
      senders = sendersOf(await this.directory.ofKey(key), from);
    const isUnknown = senders instanceof DomainError && senders.code === 'from_unknown';
    return isUnknown && (await this.directory.hasReleased(key, from)) ? wasReleased(from) : senders;
  }

  /**
   * The senders of the operator: those that the account has to itself, or the shared ones.
   * `isChosen`: the first one is the message's, whichever the recipient knows.
   */
  private async operated(
    own: AccountNumbers,
    recipient: string,
    country: string,
    { codeId, hasFiles = false }: SenderNeeds,
  ) {
    const all = await this.candidates(own, this.carrierSenders.ofCountry(country));
    const configured = hasFiles ? await this.takingFiles(all) : all;
    if (configured.length === 0 && all.length > 0) throw new DomainError('media_unsupported', NO_SENDER_FOR_FILES);
    const isRandom =
      codeId !== undefined &&
      this.chooseRoute.areSeveral &&
      takesRandomRoute(codeId) &&
      !(await this.areDedicated(configured));
    const routed = this.chooseRoute.areSeveral
      ? await this.onRoutes(configured, recipient, country, isRandom ? codeId : undefined)
      : undefined;
    if (configured.length < 2) return { senders: routed ?? configured, isChosen: true };
    return { senders: routed ?? startingAt(recipient, configured), isChosen: routed !== undefined && isRandom };
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

  /** As {@link ownOrShared}. Throws `unavailable` when there is none. */
  private async candidates(own: AccountNumbers, configured: readonly string[]): Promise<readonly string[]> {
    const candidates = await this.ownOrShared(own, configured);
    if (candidates.length > 0) return candidates;
    throw new DomainError('unavailable', NO_SENDER);
  }

  /** The senders that the operator has given to an account, or the shared ones among `configured`. */
  private async ownOrShared({ numbers }: AccountNumbers, configured: readonly string[]): Promise<readonly string[]> {
    const all = await this.directory.all();
    if (all.size === 0) return configured;
    const given = numbers.filter((number) => number.origin === 'operator' && mayBeSender(number));
    return given.length > 0 ? given.map(({ number }) => number) : configured.filter((sender) => !all.has(sender));
  }

  /** Those that take files: not each number that an account can buy does, even where its carrier does. */
  private async takingFiles(senders: readonly string[]): Promise<readonly string[]> {
    const all = await this.directory.all();
    return senders.filter((sender) => {
      const known = all.get(sender);
      return known?.origin === 'purchase' ? known.canMms : this.carrierSenders.takesFiles(sender);
    });
  }

  private byCarrier(senders: readonly string[]): ReadonlyMap<number, readonly string[]> {
    const byCarrier = new Map<number, string[]>();
    for (const sender of senders) {
      const carrier = this.carrierSenders.carrierOfOperated(sender);
      const known = byCarrier.get(carrier);
      if (known) known.push(sender);
      else byCarrier.set(carrier, [sender]);
    }
    return byCarrier;
  }

  /** Whether an account has these senders to itself; there are no others among them then. */
  private async areDedicated([first = '']: readonly string[]): Promise<boolean> {
    return (await this.directory.all()).has(first);
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
      const { key, candidates, fresh } = request;
      const [preferred = ''] = fresh;
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
      const chosen = requests.map(({ index, accountId, request: { recipient, candidates, fresh } }) => {
        const usesOfRecipient = uses.get(recipient) ?? [];
        const ownersOfRecipient = owners.get(recipient) ?? [];
        const ownedByOthers = ownersOfRecipient.filter((owner) => owner.accountId !== accountId);
        const sender = chooseSender(
          { candidates, fresh, ownedByOthers: ownedByOthers.map((owner) => owner.sender) },
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

/** Whether a recipient who knows the number keeps getting messages from it. */
function stays(number: KnownNumber): boolean {
  return number.origin === 'purchase' && mayBeSender(number) && !number.isFiltered;
}

function noneLeft(error: unknown): readonly string[] {
  if (error instanceof DomainError && (error.code === 'unavailable' || error.code === 'media_unsupported')) return [];
  throw error;
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
