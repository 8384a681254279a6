import { z } from 'zod';
import type { Message } from '../carriers/message.js';
import { type MessageStore, older } from '../carriers/message-store.js';
import {
  boundsOf,
  cursorOf,
  instant,
  type ListPage,
  pageOf,
  pageQuery,
  parseListQuery,
  queryNumber,
} from './list-page.js';

const listQuery = z.object({
  To: queryNumber.optional(),
  From: queryNumber.optional(),
  DateSent: instant.optional(),
  'DateSent>': instant.optional(),
  'DateSent<': instant.optional(),
  ...pageQuery,
});
type ListQuery = z.output<typeof listQuery>;

/**
 * Lists messages newest first, filtered by To, From and the three forms of DateSent. Throws
 * TwilioError.
 */
export function listMessages(store: MessageStore, query: URLSearchParams, path: string): ListPage<Message> {
  const parsed = parseListQuery(listQuery, query);
  const cursor = cursorOf((sid) => store.get(sid), parsed.PageToken);
  return pageOf(matching(store, parsed, cursor), query, parsed, path);
}

function* matching(store: MessageStore, query: ListQuery, cursor: number): Generator<Message> {
  const { To: to, From: from } = query;
  const { earliest, latest } = boundsOf(query.DateSent, query['DateSent>'], query['DateSent<']);
  for (const message of older(to === undefined ? store.all : store.of(to), cursor)) {
    const second = Math.floor((message.sentAtMs ?? message.createdAtMs) / 1000);
    if (message.carrier !== 'twilio') continue;
    const isFound = (to ?? message.to) === message.to && (from ?? message.from) === message.from;
    if (isFound && second >= earliest && second <= latest) yield message;
  }
}
