import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { RejectedItem, SendBulkBody } from '#contract/bulk.js';
import { Credits } from '../../credits/credits.js';
import type { ApiKey } from '../../keys/api-key.js';
import { ApiKeyUsage } from '../../keys/api-key-usage.js';
import type { RequestContext } from '../../platform/telemetry/request-context.js';
import { newMessageId, publicBatchId } from '../../rules/ids.js';
import type { MessageMediaOptions } from '../send/price-message.js';
import { Acceptance } from '../send/acceptance.js';
import { rowOf } from '../send/acceptance-batch.js';
import { refusalOf } from '../send/decision.js';
import type { SendOptions } from '../send/send-options.js';
import { BatchesRepository } from './batches.repository.js';

export interface BulkRequest {
  readonly key: ApiKey;
  readonly body: SendBulkBody;
  readonly options: SendOptions;
  /** Files of every message. */
  readonly media?: MessageMediaOptions | undefined;
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

type DecidedCaller =
  | { readonly kind: 'known'; readonly accountId: string }
  /** `answer` is the answer to the earlier request. */
  | { readonly kind: 'replayed'; readonly answer: AcceptedBulk };

/** Checks the caller of a bulk and finds the answer to an earlier request. */
@Injectable()
export class BulkCaller {
  constructor(
    private readonly acceptance: Acceptance,
    private readonly keyUsage: ApiKeyUsage,
    private readonly batches: BatchesRepository,
    private readonly credits: Credits,
  ) {}

  /**
   * Checks the account's cases of the error table and finds the earlier request with the
   * Idempotency-Key, by a request without a message. Throws the errors of the account.
   */
  async decide(input: BulkRequest): Promise<DecidedCaller> {
    const { key, address, context } = input;
    const { key: idempotencyKey, bodyHash } = idempotencyOf(input) ?? {};
    const row = rowOf({ id: newMessageId(), kind: 'sms', key, address, idempotencyKey, bodyHash }, null);
    const decision = await this.acceptance.decide(row, context);
    if (decision.account) this.keyUsage.record(key, decision.account.keyRatePerSecond, address);
    if (decision.kind === 'refused') throw refusalOf(decision.code, new Date(), decision.cause);
    const accountId = decision.account.id;
    if (decision.kind !== 'replayed') return { kind: 'known', accountId };
    return { kind: 'replayed', answer: await this.replay(accountId, decision.messageId, input) };
  }

  /** The numbers are not stored; the items of the repeated request have them. */
  private async replay(accountId: string, batchId: string, { body }: BulkRequest): Promise<AcceptedBulk> {
    const [batch, { balance }] = await Promise.all([
      this.batches.find(accountId, batchId),
      this.credits.balanceOf(accountId),
    ]);
    if (!batch) throw new Error('An Idempotency-Key of a bulk has no batch');
    const items = body.messages ?? body.recipients ?? [];
    const rejected = (batch.rejected ?? []).map((kept) => ({ ...kept, to: items[kept.index]?.to ?? '' }));
    const { messages: accepted, credits } = batch;
    const id = publicBatchId(batch.id);
    return { accountId, batchId: id, accepted, rejected, credits, balance, test: false, replayed: true };
  }
}

/** Undefined without an Idempotency-Key, and in test mode, which stores no keys. */
export function idempotencyOf({
  key,
  body,
  idempotencyKey,
}: BulkRequest): { key: string; bodyHash: Buffer } | undefined {
  if (idempotencyKey === undefined || key.test) return undefined;
  const { apikey: _apikey, ...content } = body;
  const bodyHash = createHash('sha256')
    .update(JSON.stringify(['bulk', content]))
    .digest();
  return { key: idempotencyKey, bodyHash };
}
