import {
  receivedAnswer,
  sentAnswer,
  sentDetailsAnswer,
  type ReceivedAnswer,
  type ReceivedFilter,
  type SentAnswer,
  type SentDetailsAnswer,
  type SentFilter,
} from '#contract/histories.js';
import { call } from './call.js';

const PATH = '/api/dashboard/messages';

/** A page of a history; `continue` is what an earlier answer gave. */
interface Paged {
  readonly page: number;
}

export function readSent(query: SentFilter & Paged): Promise<SentAnswer> {
  return call(sentAnswer, { method: 'GET', path: `${PATH}/sent?${given(query)}` });
}

export function readReceived(query: ReceivedFilter & Paged): Promise<ReceivedAnswer> {
  return call(receivedAnswer, { method: 'GET', path: `${PATH}/received?${given(query)}` });
}

/** Fails with kind `refused` and code `message_not_found` when the account has no such message. */
export function readSentMessage(messageId: string): Promise<SentDetailsAnswer> {
  return call(sentDetailsAnswer, { method: 'GET', path: `${PATH}/sent/${encodeURIComponent(messageId)}` });
}

/** Where all rows that a filter lets through can be downloaded. */
export function csvPath(history: 'sent' | 'received', filter: object): string {
  const query = given(filter);
  return `${PATH}/${history}.csv${query && `?${query}`}`;
}

function given(query: object): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
}
