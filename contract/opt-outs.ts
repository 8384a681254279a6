import { z } from 'zod';
import { limits } from './limits.js';

/** `opted_out`: opt-outs in force. `all`: also lifted opt-outs. */
export const optOutStates = ['opted_out', 'all'] as const;

/** `reply`: a word such as STOP. `carrier`: the carrier refused a message because of an opt-out. */
export const optOutSources = ['reply', 'carrier'] as const;

/** An empty form field does not filter. */
const given = <T extends z.ZodType>(shape: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), shape.optional());

const day = z.iso.date().refine((text) => text >= '2000' && text < '3000', 'must be a day from 2000 to 2999');
const phoneNumber = z
  .string()
  .max(limits.searchedNumberCharactersMax)
  .regex(/\p{Nd}/u, 'must hold a digit');
/** A position in the list: the time of an opt-out in milliseconds, and its number. */
const position = z.string().regex(/^\d{1,15}-\d{1,18}$/, 'must be the next_cursor of an earlier answer');

/**
 * Query of GET /api/optouts. `sender`: our number that people opted out of. `since` and `until`
 * (exclusive) are RFC 3339 with an offset. `apikey` replaces `Authorization: Bearer`.
 */
export const optOutsQuery = z.object({
  apikey: z.string().optional(),
  cursor: given(position),
  number: given(z.string().max(limits.searchedNumberCharactersMax)),
  sender: given(z.string().max(limits.searchedNumberCharactersMax)),
  since: given(z.string()),
  until: given(z.string()),
  status: given(z.enum(optOutStates)),
});
export type OptOutsQuery = z.infer<typeof optOutsQuery>;

/**
 * Filters of the dashboard's list and of its CSV file. `number`: a complete phone number or some of
 * its digits; `from` and `to` are New York days, inclusive.
 */
export const optOutsFilter = z.object({
  number: given(phoneNumber),
  from: given(day),
  to: given(day),
  status: given(z.enum(optOutStates)),
});
export type OptOutsFilter = z.infer<typeof optOutsFilter>;

/** Query of GET /api/dashboard/optouts. */
export const optOutsPageQuery = optOutsFilter.extend({ cursor: given(position) });
export type OptOutsPageQuery = z.infer<typeof optOutsPageQuery>;

/**
 * A person who has opted out of the messages from a sender. `sender` is null when the carrier chose
 * the number. `word` is null unless the person replied it to this account. `opted_in_at` is null
 * while the opt-out is in force, and when the time at which it was lifted is not known.
 */
export const optOut = z.object({
  number: z.string(),
  sender: z.string().nullable(),
  status: z.enum(['opted_out', 'opted_in']),
  opted_out_at: z.iso.datetime(),
  opted_in_at: z.iso.datetime().nullable(),
  source: z.enum(optOutSources),
  word: z.string().nullable(),
});
export type OptOutView = z.infer<typeof optOut>;

/**
 * Answer of GET /api/optouts and /api/dashboard/optouts, newest first. A page of a filtered list may
 * be empty although `next_cursor` is not null.
 */
export const optOutsAnswer = z.object({
  success: z.literal('true'),
  optouts: z.array(optOut).max(limits.optOutsPageSize),
  next_cursor: z.string().nullable(),
  test: z.literal(true).optional(),
});
export type OptOutsAnswer = z.infer<typeof optOutsAnswer>;
