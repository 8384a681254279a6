import { z } from 'zod';
import { limits } from './limits.js';

const day = z.iso.date().refine((text) => text >= '2000' && text < '3000', 'must be a day from 2000 to 2999');
const given = z.preprocess((value) => (value === '' ? undefined : value), day.optional());

/**
 * Query of the spend: New York days, inclusive. Without `to` up to today, without `from` from the
 * first day of the month that is `spendMonthsDefault - 1` months before `to`.
 */
export const spendDays = z.object({ from: given, to: given });
export type SpendDays = z.infer<typeof spendDays>;

/** Query with `apikey` in place of `Authorization: Bearer`. */
export const spendQuery = spendDays.extend({ apikey: z.string().optional() });
export type SpendQuery = z.infer<typeof spendQuery>;

/** Purposes of spending: outgoing messages, one-time passwords, replies received, and numbers. */
export const spendKinds = ['message', 'otp', 'reply', 'number'] as const;
export type SpendKind = (typeof spendKinds)[number];

const count = z.int().nonnegative();
/**
 * Messages that were charged, the credits charged for them and for numbers, the credits refunded, and
 * what is left: `spent = charged - refunded`, below 0 where refunds are for earlier charges.
 */
const figures = { messages: count, charged: count, refunded: count, spent: z.int() };
const key = { key_id: z.string().nullable(), name: z.string().nullable() };
const most = limits.spendRowsMax;

/**
 * Answer of GET /api/spend and /api/dashboard/spend. A charge counts on the New York day on which a
 * message was accepted or received, a refund on the day on which the credits came back, as in the
 * ledger. Days and months are in order of time, without those that moved nothing; the other lists
 * are in order of spending. `key_id` and `name` are null for the account's own key and for replies,
 * `name` also for a key that was revoked; `country` is null for replies and for messages that are
 * not kept any more.
 */
export const spendAnswer = z.object({
  success: z.literal('true'),
  from: z.iso.date(),
  to: z.iso.date(),
  ...figures,
  months: z
    .array(
      z.object({
        month: z.string().regex(/^\d{4}-\d{2}$/),
        ...figures,
        keys: z.array(z.object({ ...key, ...figures })).max(most),
      }),
    )
    .max(limits.spendMonthsMax),
  days: z.array(z.object({ day: z.iso.date(), ...figures })).max(limits.spendDaysMax),
  keys: z.array(z.object({ ...key, ...figures })).max(most),
  countries: z.array(z.object({ country: z.string().nullable(), ...figures })).max(most),
  kinds: z.array(z.object({ kind: z.enum(spendKinds), ...figures })).max(spendKinds.length),
  test: z.literal(true).optional(),
});
export type SpendAnswer = z.infer<typeof spendAnswer>;
