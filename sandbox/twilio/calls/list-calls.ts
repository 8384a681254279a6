import { z } from 'zod';
import {
  boundsOf,
  cursorOf,
  instant,
  type ListPage,
  pageOf,
  pageQuery,
  parseListQuery,
  queryNumber,
} from '../list-page.js';
import { type Call, CALL_STATUSES } from './call.js';
import type { CallBook } from './call-book.js';

const listQuery = z.object({
  To: queryNumber.optional(),
  From: queryNumber.optional(),
  Status: z.enum(CALL_STATUSES).optional(),
  StartTime: instant.optional(),
  'StartTime>': instant.optional(),
  'StartTime<': instant.optional(),
  ...pageQuery,
});
type ListQuery = z.output<typeof listQuery>;

/**
 * Lists calls newest first, filtered by To, From, Status and the three forms of StartTime. Throws
 * TwilioError.
 */
export function listCalls(book: CallBook, query: URLSearchParams, path: string): ListPage<Call> {
  const parsed = parseListQuery(listQuery, query);
  const cursor = cursorOf((sid) => book.get(sid), parsed.PageToken);
  return pageOf(matching(book, parsed, cursor), query, parsed, path);
}

function* matching(book: CallBook, query: ListQuery, cursor: number): Generator<Call> {
  const { To: to, From: from, Status: status } = query;
  const { earliest, latest } = boundsOf(query.StartTime, query['StartTime>'], query['StartTime<']);
  for (const call of book.all.toReversed()) {
    if (call.sequence >= cursor) continue;
    const second = Math.floor((call.answeredAtMs ?? call.createdAtMs) / 1000);
    const isFound =
      (to ?? call.to) === call.to && (from ?? call.from) === call.from && (status ?? call.status) === call.status;
    if (isFound && second >= earliest && second <= latest) yield call;
  }
}
