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
import { CarrierSenders } from '../../carriers/carrier-senders.js';
import { ChooseRoute } from '../../routes/choose-route.js';
import {
  ConversationOwnersRepository,
  type SenderCandidates,
  type SenderRequest,
} from './conversation-owners.repository.js';
import type { ApiKey } from '../../keys/api-key.js';

const BATCH_MAX = 100;
const BATCHES_IN_FLIGHT_MAX = 2;
const NO_SENDER_FOR_FILES = `No sender for this number takes files. ${linkAdvice} You were not charged.`;
const NO_SENDER_OF_FROM_FOR_FILES = `What "from" names takes no files. ${linkAdvice} You were not charged.`;
const NO_SENDER = 'No sender is free for this account. You were not charged. Contact support.';
const NO_ROUTE = 'Sending to this country is paused. You were not charged. Try again later.';

/** Requirements of a message for its sender. */
export interface SenderNeeds {
  /**
   * The id of a message with a one-time password, which may take a random route ({@link
   * takesRandomRoute}) instead of the conversation's route.
   */
  readonly codeId?: string | undefined;
  /** A number or a pool of the account that the caller named. */
  readonly from?: string | undefined;
  /** Whether it has files, which only some carriers take. */
  readonly hasFiles?: boolean;
}

/** A message that was handed over; the country is ISO 3166-1 alpha-2. */
interface Handed {
  readonly accountId: string;
  readonly recipient: string;
  readonly country: string;
  readonly sender: string;
}

/**
 * Ranks the numbers and messaging services that a message may have as its sender; the acceptance
 * statement chooses among them. A recipient gets the messages of each account from a different
 * sender if there are enough, so that replies find their account.
 */
@Injectable()
export class Senders {
  private readonly group: GroupCommit<SenderRequest, string>;

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
      run: (batch) => this.conversations.chosen(batch, config.conversationHours),
    });
  }

  /**
   * `country` is the recipient's country, ISO 3166-1 alpha-2. Without `from` the candidates are the
   * number that the recipient knows, the account's default pool, otherwise the operator's senders
   * for the account or shared senders. Throws `from_unknown` and `from_inactive`, `unavailable`
   * when no sender is left for the account, or the country's routes are all paused, and
   * `media_unsupported` when none of its senders takes files.
   */
  async candidatesFor(
    key: ApiKey,
    recipient: string,
    country: string,
    { codeId, from, hasFiles = false }: SenderNeeds = {},
  ): Promise<SenderCandidates> {
    const able = async (senders: readonly string[]) => (hasFiles ? this.takingFiles(senders) : senders);
    if (from !== undefined) {
      const named = await this.named(key, from);
      if (named instanceof DomainError) throw named;
      const senders = await able(named);
      if (senders.length === 0) throw new DomainError('media_unsupported', NO_SENDER_OF_FROM_FOR_FILES);
      return allFresh(startingAt(recipient, senders));
    }
    const own = await this.directory.ofKey(key);
    const bought = await able(own.numbers.filter(stays).map(({ number }) => number));
    const pool = await able(own.pools.find(({ isDefault }) => isDefault)?.senders ?? []);
    const operated = this.operated(own, recipient, country, { codeId, hasFiles });
    if (bought.length === 0 && pool.length === 0) {
      const { senders, isChosen } = await operated;
      return isChosen ? { senders: senders.slice(0, 1), fresh: 0 } : allFresh(senders);
    }
    const found = operated.then(({ senders }) => senders);
    const others = await (pool.length > 0 ? found.catch(noneLeft) : found);
    const fresh = pool.length > 0 ? startingAt(recipient, pool) : others;
    return { senders: [...new Set([...fresh, ...others, ...bought])], fresh: fresh.length };
  }

  /** Chooses among {@link candidatesFor} as acceptance does; stores nothing. */
  async senderFor(key: ApiKey, recipient: string, country: string, needs: SenderNeeds = {}): Promise<string> {
    const candidates = await this.candidatesFor(key, recipient, country, needs);
    const [only = ''] = candidates.senders;
    if (candidates.senders.length < 2) return only;
    return this.group.submit({ keyHash: key.hash, recipient, candidates });
  }

  /** Returns the reason why the named sender cannot be used; undefined if it can. */
  async faultOf(key: ApiKey, from: string): Promise<DomainError | undefined> {
    const named = await this.named(key, from);
    return named instanceof DomainError ? named : undefined;
  }

  /**
   * Chooses a sender of another route for a message, among carriers and senders that may take it.
   * Prefers a sender whose conversation with the recipient no other account owns; the account then
   * owns it. Undefined when no sender may take it, and for a message from a bought number, which
   * has no other route.
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
      let sender = senders[0];
      // An acceptance may have taken the conversation meanwhile.
      for (const free of senders.filter((one) => !isOwned(one)))
        if (await this.conversations.own(tx, { accountId, recipient, sender: free }, conversationHours)) {
          sender = free;
          break;
        }
      return sender === undefined ? undefined : { sender, carrier: this.carrierSenders.carrierOfOperated(sender) };
    });
  }

  /** Reads the accounts' numbers again, after the operator has changed them. */
  async renew(): Promise<void> {
    await this.directory.renewed();
  }

  /** As {@link sendersOf}, but also finds a number that has just begun to send. */
  private async named(key: ApiKey, from: string): Promise<readonly string[] | DomainError> {
    let senders = sendersOf(await this.directory.ofKey(key), from);
    if (senders instanceof DomainError && this.directory.lookUp())
      senders = sendersOf(await this.directory.ofKey(key), from);
    const isUnknown = senders instanceof DomainError && senders.code === 'from_unknown';
    return isUnknown && (await this.directory.hasReleased(key, from)) ? wasReleased(from) : senders;
  }

  /**
   * Returns the operator's senders: the account's own senders, or the shared senders. `isChosen`:
   * use the first sender even if the recipient knows another; the conversation does not change.
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
    if (configured.length < 2) return { senders: routed ?? configured, isChosen: false };
    return { senders: routed ?? startingAt(recipient, configured), isChosen: routed !== undefined && isRandom };
  }

  /**
   * Returns the senders by the routes of the recipient's country: first the chosen route, then the
   * other routes that may take a message, so that a conversation keeps its sender. Undefined when
   * the country has no routes, or none for an account's own senders. `randomId` is the id of a
   * message that takes a random route.
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

  /** As {@link ownOrShared}. Throws `unavailable` when there is no sender. */
  private async candidates(own: AccountNumbers, configured: readonly string[]): Promise<readonly string[]> {
    const candidates = await this.ownOrShared(own, configured);
    if (candidates.length > 0) return candidates;
    throw new DomainError('unavailable', NO_SENDER);
  }

  /**
   * Returns the senders that the operator has given to an account, or the shared senders in
   * `configured`.
   */
  private async ownOrShared({ numbers }: AccountNumbers, configured: readonly string[]): Promise<readonly string[]> {
    const all = await this.directory.all();
    if (all.size === 0) return configured;
    const given = numbers.filter((number) => number.origin === 'operator' && mayBeSender(number));
    return given.length > 0 ? given.map(({ number }) => number) : configured.filter((sender) => !all.has(sender));
  }

  /**
   * Returns the senders that take files. Some bought numbers do not, even if their carrier does.
   */
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

  /** Whether an account has these senders to itself: all of them or none. */
  private async areDedicated([first = '']: readonly string[]): Promise<boolean> {
    return (await this.directory.all()).has(first);
  }
}

const allFresh = (senders: readonly string[]): SenderCandidates => ({ senders, fresh: senders.length });

/** Whether a recipient who knows the number keeps getting messages from it. */
function stays(number: KnownNumber): boolean {
  return number.origin === 'purchase' && mayBeSender(number) && !number.isFiltered;
}

function noneLeft(error: unknown): readonly string[] {
  if (error instanceof DomainError && (error.code === 'unavailable' || error.code === 'media_unsupported')) return [];
  throw error;
}

/** Rotates candidates by the recipient, so that the senders share the work. */
function startingAt(recipient: string, candidates: readonly string[]): string[] {
  const first = hashOf(recipient).readUInt32BE(0) % candidates.length;
  return [...candidates.slice(first), ...candidates.slice(0, first)];
}

/** The recipient's place among the weights of routes, independent of {@link startingAt}. */
function pointOf(recipient: string): number {
  return hashOf(recipient).readUInt32BE(4) / 2 ** 32;
}

/**
 * The recipient's place for the next route: by {@link pointOf} the recipients of a route are near
 * each other and would all go to the same next route.
 */
function nextPointOf(recipient: string): number {
  return hashOf(recipient).readUInt32BE(8) / 2 ** 32;
}

function hashOf(recipient: string): Buffer {
  return createHash('sha256').update(recipient).digest();
}
