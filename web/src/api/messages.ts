import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { quoteAnswer, type QuoteBody } from '#contract/dashboard.js';
import {
  conversationAnswer,
  type ConversationAnswer,
  conversationsAnswer,
  type ConversationsQuery,
  reasonsAnswer,
  type ReceivedAnswer,
  receivedAnswer,
  type ReceivedFilter,
  type SentAnswer,
  sentAnswer,
  sentDetailsAnswer,
  type SentDetailsAnswer,
  type SentFilter,
  type SentQuery,
  unansweredAnswer,
  type UnansweredAnswer,
} from '#contract/histories.js';
import { deliverabilityAnswer, type DeliverabilityDays } from '#contract/deliverability.js';
import { optOutsAnswer, type OptOutsFilter, type OptOutsPageQuery } from '#contract/opt-outs.js';
import { limits } from '#contract/limits.js';
import {
  type MediaFallback,
  type MediaReference,
  uploadMediaAnswer,
  type UploadMediaAnswer,
} from '#contract/message-media.js';
import { messageRecordAnswer } from '#contract/message-record.js';
import { sendSmsAnswer, type SendSmsAnswer, type SmsEncoding } from '#contract/messages.js';
import {
  batchAnswer,
  batchCanceledAnswer,
  type BatchCanceledAnswer,
  batchesAnswer,
  batchMessagesAnswer,
  bulkQuoteAnswer,
  type BulkQuoteAnswer,
  bulkRejectedAnswer,
  type RejectedItem,
  sendBulkAnswer,
  type SendBulkAnswer,
  type SendBulkBody,
} from '#contract/bulk.js';
import { call, searchOf } from './call.js';
import { failureOf } from './api-failure.js';

const MESSAGES = '/api/dashboard/messages';
const QUOTE_KEPT_MS = 10_000;
/** Maximum of found messages of each kind, sent and received. */
const FOUND_MAX = 4;
const FOUND_KEPT_MS = 5_000;
const REASONS_KEPT_MS = 60_000;

type Paged = Pick<SentQuery, 'page' | 'size' | 'order'>;

export const sentKey = ['messages', 'sent'] as const;
export const receivedKey = ['messages', 'received'] as const;

/** Reads one page of the messages; `continue` comes from an earlier answer. */
export function readSent(query: SentFilter & Paged): Promise<SentAnswer> {
  return call(sentAnswer, { method: 'GET', path: `${MESSAGES}/sent?${searchOf(query)}` });
}

/** Reads one page of the received messages; `continue` comes from an earlier answer. */
export function readReceived(query: ReceivedFilter & Paged): Promise<ReceivedAnswer> {
  return call(receivedAnswer, { method: 'GET', path: `${MESSAGES}/received?${searchOf(query)}` });
}

/** The newest messages with a text, reference, number or id; as many as the palette shows. */
export const findMessagesQuery = (search: string) =>
  queryOptions({
    queryKey: ['find-messages', search],
    queryFn: async () => {
      const page = { search, page: 1, size: limits.tablePageSize, order: 'newest' } as const;
      const [sent, received] = await Promise.all([readSent(page), readReceived(page)]);
      return { sent: sent.rows.slice(0, FOUND_MAX), received: received.rows.slice(0, FOUND_MAX) };
    },
    retry: false,
    staleTime: FOUND_KEPT_MS,
  });

/**
 * A message. Fails with kind `refused` and code `message_not_found` when the account has no
 * such message.
 */
export const messageQuery = (messageId: string) =>
  queryOptions({
    queryKey: ['message', messageId],
    queryFn: () =>
      call(sentDetailsAnswer, { method: 'GET', path: `${MESSAGES}/sent/${encodeURIComponent(messageId)}` }),
  });

/** The small picture of a file, for an `img`. */
export const thumbnailUrl = (mediaId: string): string =>
  `/api/dashboard/media/${encodeURIComponent(mediaId)}/thumbnail`;

/** Address of the record of a message as JSON. */
export const recordJsonPath = (messageId: string): string => `${MESSAGES}/sent/${encodeURIComponent(messageId)}/record`;

/** All stored data of a message; fails as {@link messageQuery} does. */
export const messageRecordQuery = (messageId: string) =>
  queryOptions({
    queryKey: ['message', messageId, 'record'],
    queryFn: () => call(messageRecordAnswer, { method: 'GET', path: recordJsonPath(messageId) }),
  });

export const conversationListKey = ['conversation-list'] as const;

/**
 * A page of the people with whom the account exchanges messages; `sent` and `received` come from an
 * earlier answer.
 */
export const conversationListQuery = (query: ConversationsQuery) =>
  queryOptions({
    queryKey: [...conversationListKey, query],
    queryFn: () =>
      call(conversationsAnswer, { method: 'GET', path: `/api/dashboard/conversations?${searchOf(query)}` }),
    placeholderData: keepPreviousData,
  });

export const unansweredKey = ['unanswered'] as const;

/** Number of people who wait for an answer. */
export const unansweredQuery = queryOptions({
  queryKey: unansweredKey,
  queryFn: () => call(unansweredAnswer, { method: 'GET', path: '/api/dashboard/conversations/unanswered' }),
});

/**
 * Marks a person as answered, unless a reply has come after this message. Returns how many people
 * still wait.
 */
export function markAnswered({ number, messageId }: { number: string; messageId: string }): Promise<UnansweredAnswer> {
  const path = `/api/dashboard/conversations/${encodeURIComponent(number)}/answered`;
  return call(unansweredAnswer, { method: 'POST', path, body: { messageId } });
}

export const optOutsKey = ['opt-outs'] as const;

/** A page of the people who have opted out; the cursor comes from an earlier answer. */
export const optOutsQuery = (query: OptOutsPageQuery) =>
  queryOptions({
    queryKey: [...optOutsKey, query],
    queryFn: () => call(optOutsAnswer, { method: 'GET', path: `/api/dashboard/optouts?${searchOf(query)}` }),
    placeholderData: keepPreviousData,
  });

/** Download address of all opt-outs. */
export function optOutsCsvPath(filter: OptOutsFilter): string {
  const search = searchOf(filter);
  return `/api/dashboard/optouts.csv${search && `?${search}`}`;
}

export const conversationsKey = ['conversations'] as const;

/** The messages to and from one person, newest first. */
export const conversationQuery = (number: string) =>
  infiniteQueryOptions({
    queryKey: [...conversationsKey, number],
    queryFn: ({ pageParam }) => {
      const given = Object.entries(pageParam ?? {}).filter(([, value]) => value !== null);
      const path = `/api/dashboard/conversations/${encodeURIComponent(number)}?${searchOf(Object.fromEntries(given))}`;
      return call(conversationAnswer, { method: 'GET', path });
    },
    initialPageParam: null as ConversationAnswer['next'],
    getNextPageParam: ({ next }) => next,
  });

/**
 * Cancels a message that waits; its credits are refunded. Fails with the code `not_cancelable` once
 * it is being sent.
 */
export function cancelSent(messageId: string): Promise<SentDetailsAnswer> {
  return call(sentDetailsAnswer, { method: 'POST', path: `${MESSAGES}/sent/${encodeURIComponent(messageId)}/cancel` });
}

/** Recent reasons of undelivered messages, as choices of a filter. */
export const reasonsQuery = queryOptions({
  queryKey: ['reasons'],
  queryFn: () => call(reasonsAnswer, { method: 'GET', path: `${MESSAGES}/reasons` }),
  staleTime: REASONS_KEPT_MS,
});

/** Download address of all rows that match a filter. */
export function historyCsvPath(history: 'sent' | 'received', filter: object): string {
  const search = searchOf(filter);
  return `${MESSAGES}/${history}.csv${search && `?${search}`}`;
}

export const deliverabilityKey = ['deliverability'] as const;

/** Outcomes of the messages of these days. */
export const deliverabilityQuery = (days: DeliverabilityDays) =>
  queryOptions({
    queryKey: [...deliverabilityKey, days],
    queryFn: () =>
      call(deliverabilityAnswer, { method: 'GET', path: `/api/dashboard/deliverability?${searchOf(days)}` }),
  });

/** Address of the CSV file of the same figures. */
export const deliverabilityCsvPath = (days: DeliverabilityDays): string =>
  `/api/dashboard/deliverability.csv?${searchOf(days)}`;

export const quotesKey = ['quotes'] as const;

/** Segments and price of a message that has not been sent. */
export const quoteQuery = (body: QuoteBody) =>
  queryOptions({
    queryKey: [...quotesKey, body.to, body.message, body.from, body.files, body.mediaFallback],
    queryFn: ({ signal }) => call(quoteAnswer, { method: 'POST', path: '/api/dashboard/quote', body, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: QUOTE_KEPT_MS,
  });

interface SendSmsRequest {
  readonly to: string;
  readonly message: string;
  /** A number or the id of a pool; undefined for the best sender. */
  readonly from?: string | undefined;
  readonly apikey: string;
  /** Send time, RFC 3339; at once if undefined. */
  readonly send_at?: string | undefined;
  readonly encoding?: SmsEncoding | undefined;
  readonly reference?: string | undefined;
  readonly media?: readonly MediaReference[] | undefined;
  readonly media_fallback?: MediaFallback | undefined;
  /** Stays the same for every attempt of one message, so that it is sent only once. */
  readonly idempotencyKey: string;
}

/** Sends a message through the public API. */
export function sendSms({ idempotencyKey, ...body }: SendSmsRequest): Promise<SendSmsAnswer> {
  return call(sendSmsAnswer, {
    method: 'POST',
    path: '/api/sendsms',
    body,
    headers: { 'Idempotency-Key': idempotencyKey },
  });
}

const UPLOADED_WITHIN_MS = 120_000;

/** Stores a file for messages of the account. */
export function uploadFile(file: File, apiKey: string, signal: AbortSignal): Promise<UploadMediaAnswer> {
  const body = new FormData();
  body.set('file', file);
  return call(uploadMediaAnswer, {
    method: 'POST',
    path: '/api/media',
    body,
    headers: { Authorization: `Bearer ${apiKey}` },
    withinMs: UPLOADED_WITHIN_MS,
    signal,
  });
}

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

/** The price of a bulk, and its rejected items; sends and charges nothing. */
export function quoteBulk(body: SendBulkBody): Promise<BulkQuoteAnswer> {
  return call(bulkQuoteAnswer, { method: 'POST', path: '/api/quote', body });
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

/**
 * One batch. Fails with kind `refused` and code `batch_not_found` when the account has no such
 * batch.
 */
export const batchQuery = (batchId: string) =>
  queryOptions({
    queryKey: [...batchesKey, batchId],
    queryFn: () => call(batchAnswer, { method: 'GET', path: `${BATCHES}/${encodeURIComponent(batchId)}` }),
  });

/**
 * Cancels a batch's waiting messages. Fails with the code `not_cancelable` when there are none.
 */
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
