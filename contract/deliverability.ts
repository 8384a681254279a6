import { z } from 'zod';
import { limits } from './limits.js';
import { messageReason } from './messages.js';

const day = z.iso.date().refine((text) => text >= '2000' && text < '3000', 'must be a day from 2000 to 2999');
const given = z.preprocess((value) => (value === '' ? undefined : value), day.optional());

/**
 * Query of the deliverability figures: New York days of acceptance, inclusive. Without `to` up to
 * today, without `from` the last `deliverabilityDaysDefault` days up to `to`.
 */
export const deliverabilityDays = z.object({ from: given, to: given });
export type DeliverabilityDays = z.infer<typeof deliverabilityDays>;

/** Query with `apikey` in place of `Authorization: Bearer`. */
export const deliverabilityQuery = deliverabilityDays.extend({ apikey: z.string().optional() });
export type DeliverabilityQuery = z.infer<typeof deliverabilityQuery>;

const count = z.int().nonnegative();
/** Messages that have ended, and how many of them were delivered. */
const ended = { messages: count, delivered: count };
const most = limits.deliverabilityRowsMax;

/**
 * Answer of GET /api/deliverability and /api/dashboard/deliverability: outcomes of the messages
 * accepted on the days `from` to `to`. Messages on their way and canceled ones do not count.
 * `reasons`: why messages were not delivered. Lists are in order of their messages, days in order
 * of time; days without messages are left out. `key_id` and `name` are null for the account's own
 * key, `name` also for a key that was revoked.
 */
export const deliverabilityAnswer = z.object({
  success: z.literal('true'),
  from: z.iso.date(),
  to: z.iso.date(),
  ...ended,
  reasons: z.array(messageReason.extend({ messages: count })).max(most),
  countries: z.array(z.object({ country: z.string(), ...ended })).max(most),
  days: z.array(z.object({ day: z.iso.date(), ...ended })).max(limits.deliverabilityDaysMax),
  keys: z.array(z.object({ key_id: z.string().nullable(), name: z.string().nullable(), ...ended })).max(most),
  test: z.literal(true).optional(),
});
export type DeliverabilityAnswer = z.infer<typeof deliverabilityAnswer>;
