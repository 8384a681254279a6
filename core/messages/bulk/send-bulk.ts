import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { RejectedItem, SendBulkBody } from '#contract/bulk.js';
import { ApiKeyUsage } from '../../keys/api-key-usage.js';
import { type Balance, Credits } from '../../credits/credits.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { AccountEvents } from '../../platform/events/account-events.js';
import { DispatchQueue } from '../../platform/queue/queues.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import type { RequestContext } from '../../platform/telemetry/request-context.js';
import { newMessageId, publicBatchId } from '../../rules/ids.js';
import { Senders } from '../senders/senders.js';
import { codeOf, IdempotencyKeysInFlight } from '../send/accept-message.js';
import { Acceptance } from '../send/acceptance.js';
import { type AcceptanceRow, rowOf, type RowRequest } from '../send/acceptance-batch.js';
import { refusalOf } from '../send/decision.js';
import { priceFault, sendAtFault, timingOf, type SendOptions } from '../send/send-message.js';
import { AcceptBulk, type ItemRefusal } from './accept-bulk.js';
import { BatchesRepository } from './batches.repository.js';
import { cappedAt, contentOf, priceBulk, rejectedItem, totalOf, type PricedItem } from './bulk-items.js';
import type { ApiKey } from '../../keys/api-key.js';
import { PricePromises } from '../send/price-promises.js';

const SENT_BEFORE = 'A message with this number and text was sent within the time of "dedupe".';
const ATTEMPTS_MAX = 3;
const SENDERS_AT_ONCE = 100;
/**
 * Messages of a bulk that wait for the queue at once, so that other accounts' messages do not wait
 * behind all of them.
 */
const ENQUEUED_AT_ONCE = 100;

interface SendBulkInput {
  readonly key: ApiKey;
  readonly body: SendBulkBody;
  readonly options: SendOptions;
  readonly idempotencyKey: string | undefined;
  /** The caller's network address. */
  readonly address: string;
  readonly context?: RequestContext | undefined;
}

export interface AcceptedBulk {
  readonly accountId: string;
  readonly batchId: string;
  readonly accepted: number;
  readonly rejected: readonly RejectedItem[];
  /** The price of all accepted messages. */
  readonly credits: number;
  readonly balance: number;
  readonly test: boolean;
  /** The answer of an earlier request with the same Idempotency-Key. */
  readonly replayed: boolean;
}

/** The price of a bulk that was not sent. */
export interface BulkQuote extends Pick<AcceptedBulk, 'rejected' | 'credits'> {
  /** Promises the price until `expiresAt`. */
  readonly quote: string;
  readonly expiresAt: Date;
  readonly messages: number;
  readonly segments: number;
  /** In credits. */
  readonly balance: number;
  /** In credits; a dispute can freeze some. */
  readonly available: number;
}

/** With the items that the rules accept; none for a repeated answer. */
interface DecidedBulk extends AcceptedBulk {
  readonly items: readonly PricedItem[];
}

/** A message of a bulk that is about to be accepted. */
interface Candidate {
  readonly item: PricedItem;
  readonly row: AcceptanceRow;
}

/**
 * Sends up to 10,000 messages: prices each, and accepts all of them or, with `partial`, those that
 * can be.
 */
@Injectable()
export class SendBulk {
  private readonly inFlight = new IdempotencyKeysInFlight();

  constructor(
    private readonly acceptance: Acceptance,
    private readonly senders: Senders,
    private readonly acceptBulk: AcceptBulk,
    private readonly batches: BatchesRepository,
    private readonly pricePromises: PricePromises,
    private readonly credits: Credits,
    private readonly queue: DispatchQueue,
    private readonly accountEvents: AccountEvents,
    private readonly keyUsage: ApiKeyUsage,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
  ) {}

  /**
   * Throws the cases of the error table, and `bulk_rejected` with the rejected items; then nothing
   * was changed.
   */
  async send(input: SendBulkInput): Promise<AcceptedBulk> {
    const { items: _items, ...accepted } = await this.decide(input);
    return accepted;
  }

  /**
   * Throws `idempotency_in_progress` while a bulk with the caller's Idempotency-Key is being
   * accepted.
   */
  refuseRunning(caller: Pick<SendBulkInput, 'key' | 'idempotencyKey'>): void {
    if (this.inFlight.has(caller)) throw refusalOf('idempotency_in_progress', new Date());
  }

  private async decide(input: SendBulkInput): Promise<DecidedBulk> {
    this.refuseRunning(input);
    const leave = this.inFlight.enter(input);
    try {
      return await this.sendPriced(input);
    } catch (error) {
      this.metrics.accepts.inc({ verdict: error instanceof DomainError ? error.code : 'internal' });
      throw error;
    } finally {
      leave();
    }
  }

  /**
   * Prices a bulk and promises the price for some minutes. Sends and charges nothing. With
   * `partial`, the answer to a live key also rejects what the balance does not cover. Throws the
   * errors that a test of the bulk throws, and `bulk_rejected` when nothing could be sent.
   */
  async quote(input: Omit<SendBulkInput, 'idempotencyKey'>): Promise<BulkQuote> {
    const { key, body } = input;
    const tested = await this.decide({ ...input, key: { ...key, test: true }, idempotencyKey: undefined });
    const { accountId, items } = tested;
    const isRefused = new Set(tested.rejected.map(({ index }) => index));
    const accepted = items.filter(({ index }) => !isRefused.has(index));
    const money = await this.credits.balanceOf(accountId);
    const { balance, frozen } = money;
    const uncovered = body.partial && !key.test ? beyondBalance(accepted, money) : [];
    const rejected = [...tested.rejected, ...uncovered].sort((a, b) => a.index - b.index);
    const isUncovered = new Set(uncovered.map(({ index }) => index));
    const covered = accepted.filter(({ index }) => !isUncovered.has(index));
    if (covered.length === 0) throw bulkRejected(rejected);
    // Refused items may be accepted later: a promise without their price would give them away.
    const promised = this.pricePromises.issue({ accountId, content: contentOf(items) }, totalOf(items));
    return {
      ...promised,
      messages: covered.length,
      rejected,
      segments: covered.reduce((sum, { price }) => sum + price.segments, 0),
      credits: totalOf(covered),
      balance,
      available: balance - frozen,
    };
  }

  private async sendPriced(input: SendBulkInput): Promise<DecidedBulk> {
    const { key, body, options } = input;
    const partial = body.partial ?? false;
    const { items, rejected, duplicates } = await priceBulk(body, options);
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      const caller = await this.decideCaller(input);
      if (caller.kind === 'replayed') return this.replay(caller.accountId, caller.batchId, input);
      const { accountId } = caller;
      const fault = sendAtFault(options, Date.now());
      if (fault) throw fault;
      if (items.length === 0 || (!partial && rejected.length > 0)) throw bulkRejected([...rejected, ...duplicates]);
      const candidates = await this.candidatesOf(input, this.priced(accountId, items, options));
      const listOf = (refusals: ReadonlyMap<string, ItemRefusal>) =>
        [...rejected, ...duplicates, ...refusedItems(candidates, refusals)].sort((a, b) => a.index - b.index);
      const id = newMessageId();
      const decision = await this.acceptBulk.accept({
        id,
        accountId,
        rows: candidates.map(({ row }) => row),
        idempotency: idempotencyOf(input),
        partial,
        isSent: !key.test,
        rejectedOf: (refusals) => listOf(refusals).map(({ to: _to, ...kept }) => kept),
      });
      switch (decision.kind) {
        case 'rejected':
          throw bulkRejected(listOf(decision.refusals));
        case 'refused':
          throw refusalOf(codeOf(decision.code, timingOf(options)), new Date(), decision.cause);
        case 'accepted': {
          const accepted = candidates.filter(({ row }) => !decision.refusals.has(row.id));
          if (!key.test) this.announce(accountId, accepted, input);
          this.metrics.accepts.inc({ verdict: key.test ? 'tested' : 'accepted' }, accepted.length);
          return {
            accountId,
            batchId: publicBatchId(id),
            accepted: accepted.length,
            rejected: listOf(decision.refusals),
            credits: totalOf(accepted.map(({ item }) => item)),
            balance: decision.balance,
            test: key.test,
            replayed: false,
            items,
          };
        }
        case 'again':
          for (const recipient of decision.changedSenders) this.senders.forget(key, recipient);
      }
    }
    throw refusalOf('idempotency_in_progress', new Date());
  }

  /**
   * The account's own cases of the error table, and the earlier request with the Idempotency-Key:
   * one request without a message.
   */
  private async decideCaller(
    input: SendBulkInput,
  ): Promise<{ kind: 'known'; accountId: string } | { kind: 'replayed'; accountId: string; batchId: string }> {
    const { key, address, context } = input;
    const { key: idempotencyKey, bodyHash } = idempotencyOf(input) ?? {};
    const row = rowOf({ id: newMessageId(), kind: 'sms', key, address, idempotencyKey, bodyHash }, null);
    const decision = await this.acceptance.decide(row, context);
    if (decision.account) this.keyUsage.record(key, decision.account.keyRatePerSecond, address);
    if (decision.kind === 'refused') throw refusalOf(decision.code, new Date(), decision.cause);
    const accountId = decision.account.id;
    return decision.kind === 'replayed'
      ? { kind: 'replayed', accountId, batchId: decision.messageId }
      : { kind: 'known', accountId };
  }

  /**
   * The items at the price that was quoted, if it is lower. Throws `quote_invalid`,
   * `quote_expired`, `price_above_max`.
   */
  private priced(accountId: string, items: readonly PricedItem[], options: SendOptions): readonly PricedItem[] {
    let priced = items;
    if (options.quote !== undefined) {
      const promised = this.pricePromises.priceOf(options.quote, { accountId, content: contentOf(items) });
      if (promised instanceof DomainError) throw promised;
      priced = cappedAt(promised, items);
    }
    const fault = priceFault(totalOf(priced), options.maxCredits);
    if (fault) throw fault;
    return priced;
  }

  private async candidatesOf(input: SendBulkInput, items: readonly PricedItem[]): Promise<Candidate[]> {
    const candidates: Candidate[] = [];
    for (let first = 0; first < items.length; first += SENDERS_AT_ONCE) {
      const some = items.slice(first, first + SENDERS_AT_ONCE);
      candidates.push(...(await Promise.all(some.map((item) => this.candidateOf(input, item)))));
    }
    return candidates;
  }

  private async candidateOf({ key, address, options }: SendBulkInput, item: PricedItem): Promise<Candidate> {
    const { price, reference } = item;
    const timing = timingOf(options);
    const { dedupeSeconds } = options;
    const request: RowRequest = { id: newMessageId(), kind: 'sms', key, address, reference, timing, dedupeSeconds };
    const row = rowOf(request, item);
    row.sender = await this.senders.senderFor(key, price.recipient, price.country);
    return { item, row };
  }

  /** Enqueues the messages after the commit; recovery finds those that a crash leaves out. */
  private announce(accountId: string, accepted: readonly Candidate[], { options, context }: SendBulkInput): void {
    for (const { row } of accepted) this.accountEvents.changed(accountId, row.id);
    const { requestId, traceparent } = context ?? {};
    this.logger.debug({ requestId, traceparent, accountId, messages: accepted.length }, 'bulk accepted');
    if (!options.sendAt) void this.enqueue(accountId, accepted, context);
  }

  /** Never fails: the queue leaves what it cannot take to recovery. */
  private async enqueue(
    accountId: string,
    accepted: readonly Candidate[],
    context: RequestContext | undefined,
  ): Promise<void> {
    for (let first = 0; first < accepted.length; first += ENQUEUED_AT_ONCE) {
      const some = accepted.slice(first, first + ENQUEUED_AT_ONCE);
      await Promise.all(some.map(({ row }) => this.queue.enqueued({ id: row.id, accountId, kind: 'sms', context })));
    }
  }

  /** The request is the same, so its items have the numbers that are not kept. */
  private async replay(accountId: string, batchId: string, { body }: SendBulkInput): Promise<DecidedBulk> {
    const [batch, { balance }] = await Promise.all([
      this.batches.find(accountId, batchId),
      this.credits.balanceOf(accountId),
    ]);
    if (!batch) throw new Error('An Idempotency-Key of a bulk has no batch');
    const items = body.messages ?? body.recipients ?? [];
    const rejected = (batch.rejected ?? []).map((kept) => ({ ...kept, to: items[kept.index]?.to ?? '' }));
    const { messages: accepted, credits } = batch;
    const id = publicBatchId(batch.id);
    return { accountId, batchId: id, accepted, rejected, credits, balance, test: false, replayed: true, items: [] };
  }
}

function refusedItems(candidates: readonly Candidate[], refusals: ReadonlyMap<string, ItemRefusal>): RejectedItem[] {
  const at = new Date();
  return candidates.flatMap(({ item, row }) => {
    const code = refusals.get(row.id);
    if (code === 'duplicate') return [{ index: item.index, to: item.to, code, detail: SENT_BEFORE }];
    return code ? [rejectedItem(item.index, item.to, refusalOf(code, at, undefined, item.price.url))] : [];
  });
}

/** The items that acceptance would refuse because those before them have taken the credits. */
function beyondBalance(items: readonly PricedItem[], { balance, frozen }: Balance): RejectedItem[] {
  const at = new Date();
  let left = balance - frozen;
  return items.flatMap(({ index, to, price: { credits } }) => {
    if (credits <= left) {
      left -= credits;
      return [];
    }
    const code = credits <= left + frozen ? 'credits_frozen' : 'insufficient_credits';
    return [rejectedItem(index, to, refusalOf(code, at))];
  });
}

function bulkRejected(rejected: readonly RejectedItem[]): DomainError {
  const items = rejected.length === 1 ? 'An item was' : `${rejected.length} items were`;
  const detail =
    `${items} rejected, so nothing was sent. You were not charged. Correct the request, or send it with ` +
    '"partial": true.';
  return new DomainError('bulk_rejected', detail, { facts: { rejected } });
}

/** Undefined without an Idempotency-Key, and in test mode, which remembers nothing. */
function idempotencyOf({ key, body, idempotencyKey }: SendBulkInput): { key: string; bodyHash: Buffer } | undefined {
  if (idempotencyKey === undefined || key.test) return undefined;
  const { apikey: _apikey, ...content } = body;
  const bodyHash = createHash('sha256')
    .update(JSON.stringify(['bulk', content]))
    .digest();
  return { key: idempotencyKey, bodyHash };
}
