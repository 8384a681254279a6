import { z } from 'zod';
import type { Message } from '../carriers/message.js';
import { type MessageStore, older } from '../carriers/message-store.js';
import { badRequest } from './telnyx-error.js';

const PAGE_SIZE_DEFAULT = 20;
const PAGE_SIZE_MAX = 50;

// An unescaped plus sign in a query arrives as a space.
const number = z.string().transform((text) => text.replace(/^ (?=\d)/, '+'));

/** A day in UTC, or an instant. */
const instant = z
  .string()
  .transform((text) => Date.parse(text))
  .refine((ms) => !Number.isNaN(ms));

/** Telnyx refuses a filter of a field that the records do not have. */
const query = z.strictObject({
  'filter[record_type]': z.literal('messaging'),
  'filter[direction]': z.enum(['inbound', 'outbound']).optional(),
  'filter[cld]': number.optional(),
  'filter[cli]': number.optional(),
  'filter[created_at][gte]': instant.optional(),
  'filter[created_at][lt]': instant.optional(),
  sort: z.enum(['created_at', '-created_at']).default('created_at'),
  'page[number]': z.coerce.number().int().min(1).default(1),
  'page[size]': z.coerce.number().int().min(1).max(PAGE_SIZE_MAX).default(PAGE_SIZE_DEFAULT),
});

/** One page of detail records, and Telnyx's fields about the page. */
interface RecordPage {
  readonly messages: readonly Message[];
  readonly meta: {
    readonly page_number: number;
    readonly page_size: number;
    readonly total_pages: number;
    readonly total_results: number;
  };
}

/** Lists messages of Telnyx by the filters of detail records. Throws TelnyxError. */
export function listRecords(store: MessageStore, given: URLSearchParams): RecordPage {
  const parsed = query.safeParse(Object.fromEntries(given));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const names = issue?.code === 'unrecognized_keys' ? issue.keys.join(', ') : issue?.path.join('.');
    throw badRequest(`The parameter ${names} is not valid.`);
  }
  const { 'page[number]': page, 'page[size]': size, sort, ...filters } = parsed.data;
  const found = [...matching(store, filters)];
  if (sort === 'created_at') found.reverse();
  return {
    messages: found.slice((page - 1) * size, page * size),
    meta: {
      page_number: page,
      page_size: size,
      total_pages: Math.ceil(found.length / size),
      total_results: found.length,
    },
  };
}

type Filters = Omit<z.output<typeof query>, 'page[number]' | 'page[size]' | 'sort'>;

/** Matching messages, newest first. */
function* matching(store: MessageStore, filters: Filters): Generator<Message> {
  const { 'filter[cld]': to, 'filter[cli]': from, 'filter[direction]': direction } = filters;
  const { 'filter[created_at][gte]': earliest = -Infinity, 'filter[created_at][lt]': end = Infinity } = filters;
  for (const message of older(to === undefined ? store.all : store.of(to))) {
    if (message.createdAtMs < earliest) return;
    const isInbound = message.direction === 'inbound';
    const isFound =
      message.carrier === 'telnyx' &&
      message.createdAtMs < end &&
      (to ?? message.to) === message.to &&
      (from ?? message.from) === message.from &&
      (direction === undefined || (direction === 'inbound') === isInbound);
    if (isFound) yield message;
  }
}
