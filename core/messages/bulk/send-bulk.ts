import { Injectable } from '@nestjs/common';
import type { RejectedItem } from '#contract/bulk.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { newMessageId, publicBatchId } from '../../rules/ids.js';
import { codeOf, IdempotencyKeysInFlight } from '../send/accept-message.js';
import { type AcceptanceRow, rowOf, type RowRequest } from '../send/acceptance-batch.js';
import { refusalOf } from '../send/decision.js';
import { PricePromises } from '../send/price-promises.js';
import { priceFault, sendAtFault, timingOf, type SendOptions } from '../send/send-message.js';
import { CurrentRegions } from '../routes/current-regions.js';
import { Senders } from '../senders/senders.js';
import { AcceptBulk, type ItemRefusal } from './accept-bulk.js';
import { type AcceptedBulk, BulkCaller, type BulkRequest, idempotencyOf } from './bulk-caller.js';
import { bulkRejected, cappedAt, contentOf, priceBulk, rejectedItem, totalOf, type PricedItem } from './bulk-items.js';
import { EnqueueBulk } from './enqueue-bulk.js';

const SENT_BEFORE = 'A message with this number and text was sent within the time of "dedupe".';
const ATTEMPTS_MAX = 3;
const SENDERS_AT_ONCE = 100;
/** With the items that the rules accept; none for a repeated answer. */
export interface DecidedBulk extends AcceptedBulk {
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
    private readonly caller: BulkCaller,
    private readonly pricePromises: PricePromises,
    private readonly senders: Senders,
    private readonly acceptBulk: AcceptBulk,
    private readonly enqueueBulk: EnqueueBulk,
    private readonly currentRegions: CurrentRegions,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Throws the cases of the error table, and `bulk_rejected` with the rejected items; then nothing
   * was changed.
   */
  async send(input: BulkRequest): Promise<AcceptedBulk> {
    const { items: _items, ...accepted } = await this.decide(input);
    return accepted;
  }

  /**
   * Decides as for a test key, with the items that the rules accept; nothing is changed. Throws the
   * errors that a test of the bulk throws.
   */
  async test(input: Omit<BulkRequest, 'idempotencyKey'>): Promise<DecidedBulk> {
    return this.decide({ ...input, key: { ...input.key, test: true }, idempotencyKey: undefined });
  }

  /**
   * Throws `idempotency_in_progress` while a bulk with the caller's Idempotency-Key is being
   * accepted.
   */
  refuseRunning(caller: Pick<BulkRequest, 'key' | 'idempotencyKey'>): void {
    if (this.inFlight.has(caller)) throw refusalOf('idempotency_in_progress', new Date());
  }

  private async decide(input: BulkRequest): Promise<DecidedBulk> {
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

  private async sendPriced(input: BulkRequest): Promise<DecidedBulk> {
    const { key, body, options } = input;
    const partial = body.partial ?? false;
    const { items, rejected, duplicates } = await priceBulk(await this.currentRegions.table(), body, options);
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      const caller = await this.caller.decide(input);
      if (caller.kind === 'replayed') return { ...caller.answer, items: [] };
      const { accountId } = caller;
      const fault = sendAtFault(options, Date.now());
      if (fault) throw fault;
      if (items.length === 0 || (!partial && rejected.length > 0))
        throw bulkRejected([...rejected, ...duplicates], { partial, isPartlySendable: items.length > 0 });
      const unusable = options.from === undefined ? undefined : await this.senders.faultOf(key, options.from);
      if (unusable) throw unusable;
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
          throw bulkRejected(listOf(decision.refusals), {
            partial,
            isPartlySendable: decision.refusals.size < candidates.length,
          });
        case 'refused':
          throw refusalOf(codeOf(decision.code, timingOf(options)), new Date(), decision.cause);
        case 'accepted': {
          const accepted = candidates.filter(({ row }) => !decision.refusals.has(row.id));
          const ids = accepted.map(({ row }) => row.id);
          if (!key.test) this.enqueueBulk.accepted(accountId, ids, input);
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
   * The items at the price that was quoted, if it is lower. Throws `quote_invalid`,
   * `quote_expired`, `price_above_max`.
   */
  private priced(accountId: string, items: readonly PricedItem[], options: SendOptions): readonly PricedItem[] {
    let priced = items;
    if (options.quote !== undefined) {
      const content = { accountId, content: contentOf(items), credits: totalOf(items) };
      const promised = this.pricePromises.priceOf(options.quote, content);
      if (promised instanceof DomainError) throw promised;
      priced = cappedAt(promised, items);
    }
    const fault = priceFault(totalOf(priced), options.maxCredits);
    if (fault) throw fault;
    return priced;
  }

  private async candidatesOf(input: BulkRequest, items: readonly PricedItem[]): Promise<Candidate[]> {
    const candidates: Candidate[] = [];
    for (let first = 0; first < items.length; first += SENDERS_AT_ONCE) {
      const some = items.slice(first, first + SENDERS_AT_ONCE);
      candidates.push(...(await Promise.all(some.map((item) => this.candidateOf(input, item)))));
    }
    return candidates;
  }

  private async candidateOf({ key, address, options }: BulkRequest, item: PricedItem): Promise<Candidate> {
    const { price, reference } = item;
    const timing = timingOf(options);
    const { dedupeSeconds } = options;
    const request: RowRequest = { id: newMessageId(), kind: 'sms', key, address, reference, timing, dedupeSeconds };
    const row = rowOf(request, item);
    row.sender = await this.senders.senderFor(key, price.recipient, price.country, { from: options.from });
    return { item, row };
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
