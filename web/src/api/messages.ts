import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { quoteAnswer, type QuoteBody } from '#contract/dashboard.js';
import {
  type ReceivedAnswer,
  receivedAnswer,
  type ReceivedFilter,
  type SentAnswer,
  sentAnswer,
  sentDetailsAnswer,
  type SentDetailsAnswer,
  type SentFilter,
} from '#contract/histories.js';
import { sendSmsAnswer, type SendSmsAnswer } from '#contract/messages.js';
import { call, searchOf } from './call.js';

const MESSAGES = '/api/dashboard/messages';
const QUOTE_KEPT_MS = 10_000;

interface Paged {
  readonly page: number;
}

export const sentKey = ['messages', 'sent'] as const;
export const receivedKey = ['messages', 'received'] as const;

/** Reads one page of the sent messages; `continue` comes from an earlier answer. */
export function readSent(query: SentFilter & Paged): Promise<SentAnswer> {
  return call(sentAnswer, { method: 'GET', path: `${MESSAGES}/sent?${searchOf(query)}` });
}

/** Reads one page of the received messages; `continue` comes from an earlier answer. */
export function readReceived(query: ReceivedFilter & Paged): Promise<ReceivedAnswer> {
  return call(receivedAnswer, { method: 'GET', path: `${MESSAGES}/received?${searchOf(query)}` });
}

/** One sent message. Fails with kind `refused` and code `message_not_found` when the account has no such message. */
export const sentMessageQuery = (messageId: string) =>
  queryOptions({
    queryKey: ['message', messageId],
    queryFn: () =>
      call(sentDetailsAnswer, { method: 'GET', path: `${MESSAGES}/sent/${encodeURIComponent(messageId)}` }),
  });

/** Cancels a message that waits; its credits are refunded. Fails with the code `not_cancelable` once it is being sent. */
export function cancelSent(messageId: string): Promise<SentDetailsAnswer> {
  return call(sentDetailsAnswer, { method: 'POST', path: `${MESSAGES}/sent/${encodeURIComponent(messageId)}/cancel` });
}

/** Download address of all rows that match a filter. */
export function historyCsvPath(history: 'sent' | 'received', filter: object): string {
  const search = searchOf(filter);
  return `${MESSAGES}/${history}.csv${search && `?${search}`}`;
}

export const quotesKey = ['quotes'] as const;

/** Segments and price of a message that has not been sent. */
export const quoteQuery = (body: QuoteBody) =>
  queryOptions({
    queryKey: [...quotesKey, body.to, body.message],
    queryFn: ({ signal }) => call(quoteAnswer, { method: 'POST', path: '/api/dashboard/quote', body, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: QUOTE_KEPT_MS,
  });

interface SendSmsRequest extends QuoteBody {
  readonly apikey: string;
  /** RFC 3339; at once if undefined. */
  readonly send_at?: string | undefined;
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
