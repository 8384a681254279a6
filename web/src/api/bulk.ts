import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import {
  batchAnswer,
  batchCanceledAnswer,
  type BatchCanceledAnswer,
  batchesAnswer,
  batchMessagesAnswer,
  bulkRejectedAnswer,
  type RejectedItem,
  sendBulkAnswer,
  type SendBulkAnswer,
  type SendBulkBody,
} from '#contract/bulk.js';
import { failureOf } from './api-failure.js';
import { call, searchOf } from './call.js';

const BATCHES = '/api/dashboard/batches';

interface SendBulkRequest extends SendBulkBody {
  /** Stays the same for every attempt of one bulk, so that it is sent only once. */
  readonly idempotencyKey?: string;
}

/** Sends a bulk through the public API. */
export function sendBulk({ idempotencyKey, ...body }: SendBulkRequest): Promise<SendBulkAnswer> {
  return call(sendBulkAnswer, {
    method: 'POST',
    path: '/api/sendbulk',
    body,
    ...(idempotencyKey !== undefined && { headers: { 'Idempotency-Key': idempotencyKey } }),
  });
}

/** The rejected items in a refusal of all items; undefined in any other failure. */
export function rejectedIn(error: unknown): readonly RejectedItem[] | undefined {
  const { code, cause } = failureOf(error);
  return code === 'bulk_rejected' ? bulkRejectedAnswer.safeParse(cause).data?.rejected : undefined;
}

/** Prefix of every query about batches. */
export const batchesKey = ['batches'] as const;

/** A page of the batches, newest first. */
export const batchesQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: [...batchesKey, 'list', cursor],
    queryFn: () => call(batchesAnswer, { method: 'GET', path: `${BATCHES}?${searchOf({ cursor })}` }),
    placeholderData: keepPreviousData,
  });

/** One batch. Fails with kind `refused` and code `batch_not_found` when the account has no such batch. */
export const batchQuery = (batchId: string) =>
  queryOptions({
    queryKey: [...batchesKey, batchId],
    queryFn: () => call(batchAnswer, { method: 'GET', path: `${BATCHES}/${encodeURIComponent(batchId)}` }),
  });

/** Cancels the messages of a batch that wait. Fails with the code `not_cancelable` when none does. */
export function cancelBatch(batchId: string): Promise<BatchCanceledAnswer> {
  return call(batchCanceledAnswer, { method: 'POST', path: `${BATCHES}/${encodeURIComponent(batchId)}/cancel` });
}

/** A page of a batch's messages, the last one first. */
export const batchMessagesQuery = (batchId: string, cursor: string | undefined) =>
  queryOptions({
    queryKey: [...batchesKey, batchId, 'messages', cursor],
    queryFn: () =>
      call(batchMessagesAnswer, {
        method: 'GET',
        path: `${BATCHES}/${encodeURIComponent(batchId)}/messages?${searchOf({ cursor })}`,
      }),
    placeholderData: keepPreviousData,
  });
