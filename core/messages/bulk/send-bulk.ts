import { Injectable } from '@nestjs/common';
import type { RejectedItem } from '#contract/bulk.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { newMessageId, publicBatchId } from '../../rules/ids.js';
import { codeOf } from '../send/accept-message.js';
import { refusalOf } from '../send/decision.js';
import { IdempotencyKeysInFlight } from '../send/idempotency-keys-in-flight.js';
import { sendAtFault, timingOf } from '../send/send-options.js';
import type { GivenFile } from '../files/given-files.js';
import type { MessageMediaOptions } from '../send/price-message.js';
import type { FilesCaller } from '../send/prepare-files.js';
import { AcceptBulk, type ItemRefusal } from './accept-bulk.js';
import { type AcceptedBulk, BulkCaller, type BulkRequest, idempotencyOf } from './bulk-caller.js';
import { bulkRejected, rejectedItem, totalOf, type PricedItem } from './bulk-items.js';
import { BulkCandidates, type Candidate } from './bulk-candidates.js';
import { EnqueueBulk } from './enqueue-bulk.js';
import { PriceBulk } from './price-bulk.js';

const SENT_BEFORE = 'A message with this number and text was sent within the time of "dedupe".';
const ATTEMPTS_MAX = 3;

/** Answer with the items that the rules accept; no items for a repeated answer. */
export interface DecidedBulk extends AcceptedBulk {
  readonly items: readonly PricedItem[];
}

/** Finds the files of a bulk. */
type FindFiles = (caller: FilesCaller, media: MessageMediaOptions) => Promise<readonly GivenFile[]>;

/**
 * Sends up to 10,000 messages: prices each, and accepts all or, with `partial`, every acceptable
 * message.
 */
@Injectable()
export class SendBulk {
  constructor(
    private readonly caller: BulkCaller,
    private readonly inFlight: IdempotencyKeysInFlight,
    private readonly priceBulk: PriceBulk,
    private readonly candidates: BulkCandidates,
    private readonly acceptBulk: AcceptBulk,
    private readonly enqueueBulk: EnqueueBulk,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Throws the cases of the error table, and `bulk_rejected` with the rejected items; an error
   * changes nothing.
   */
  async send(input: BulkRequest): Promise<AcceptedBulk> {
    const { items: _items, ...accepted } = await this.decide(input);
    return accepted;
  }

  /**
   * Decides as for a test key, with the items that the rules accept; nothing is changed, and no
   * file is fetched. Throws the errors that a test of the bulk throws.
   */
  async foresee(input: Omit<BulkRequest, 'idempotencyKey'>): Promise<DecidedBulk> {
    const asTest = { ...input, key: { ...input.key, test: true }, idempotencyKey: undefined };
    return this.decide(asTest, (caller, media) => this.candidates.knownFiles({ ...caller, key: input.key }, media));
  }

  /**
   * Throws `idempotency_in_progress` while a bulk with the caller's Idempotency-Key is being
   * accepted.
   */
  refuseRunning(caller: Pick<BulkRequest, 'key' | 'idempotencyKey'>): void {
    this.inFlight.refuseRunning(caller);
  }

  /** `filesOf` finds the files of all messages. */
  private async decide(
    input: BulkRequest,
    filesOf: FindFiles = (caller, media) => this.candidates.files(caller, media),
  ): Promise<DecidedBulk> {
    try {
      return await this.inFlight.alone(input, () => this.sendPriced(input, filesOf));
    } catch (error) {
      this.metrics.accepts.inc({ verdict: error instanceof DomainError ? error.code : 'internal' });
      throw error;
    }
  }

  private async sendPriced(input: BulkRequest, filesOf: FindFiles): Promise<DecidedBulk> {
    const { key, body, options, media } = input;
    const partial = body.partial ?? false;
    const { items, rejected, duplicates } = await this.priceBulk.of(input);
    let files: readonly GivenFile[] | undefined;
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      const caller = await this.caller.decide(input);
      if (caller.kind === 'replayed') return { ...caller.answer, items: [] };
      const { accountId } = caller;
      const fault = sendAtFault(options, Date.now());
      if (fault) throw fault;
      if (items.length === 0 || (!partial && rejected.length > 0))
        throw bulkRejected([...rejected, ...duplicates], { partial, isPartlySendable: items.length > 0 });
      const unusable = await this.candidates.senderFault(input);
      if (unusable) throw unusable;
      const priced = this.priceBulk.forCaller(accountId, items, input);
      const filesCaller = { key, accountId, leavesAt: options.sendAt ?? new Date() };
      // Files are found once, however often senders change.
      if (media) files ??= await filesOf(filesCaller, media);
      const candidates = await this.candidates.of(input, priced, filesCaller, files);
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
          const rows = accepted.map(({ row }) => row);
          if (!key.test) this.enqueueBulk.accepted(accountId, rows, input);
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
          if (decision.haveSendersChanged) await this.candidates.renewSenders();
      }
    }
    throw refusalOf('idempotency_in_progress', new Date());
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
