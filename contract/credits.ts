import { z } from 'zod';
import { limits } from './limits.js';

/**
 * Budget of a key, in credits; null is no limit. Days and months are in New York time; refunds do
 * not lower what was spent.
 */
export const keyBudget = z.object({
  credits_per_day: z.int().positive().nullable(),
  credits_per_month: z.int().positive().nullable(),
  spent_today: z.int().nonnegative(),
  spent_this_month: z.int().nonnegative(),
});
export type KeyBudget = z.infer<typeof keyBudget>;

/**
 * Answer of GET /api/balance, in credits: balance = purchased - used, always. `frozen`: present
 * when a part of the balance cannot be spent because its payment is disputed or a number is being
 * bought. `budget`: present if the key has one. A test key gets an example with `test: true`.
 */
export const balanceAnswer = z.object({
  success: z.literal('true'),
  balance: z.int().nonnegative(),
  purchased: z.int().nonnegative(),
  used: z.int().nonnegative(),
  frozen: z.int().positive().optional(),
  budget: keyBudget.optional(),
  test: z.literal(true).optional(),
});
export type BalanceAnswer = z.infer<typeof balanceAnswer>;

/** Query of GET /api/balance; `apikey` replaces `Authorization: Bearer`. */
export const balanceQuery = z.object({ apikey: z.string().optional() });

/**
 * Body of POST /api/redeemcode. `uid` is checked, but not used; an empty code has its own message.
 */
export const redeemCodeBody = z.object({
  uid: z.string().optional(),
  code: z.string().max(limits.redeemCodeCharactersMax).nullish(),
});
export type RedeemCodeBody = z.infer<typeof redeemCodeBody>;

/** Answer of POST /api/redeemcode for every outcome. */
export const redeemCodeAnswer = z.object({ message: z.string() });
export type RedeemCodeAnswer = z.infer<typeof redeemCodeAnswer>;

/** Outcome of redeeming a code. `used`: other accounts redeemed it as often as allowed. */
export type RedeemOutcome =
  | { readonly kind: 'redeemed'; readonly credits: number }
  | { readonly kind: 'empty' | 'unknown' | 'expired' | 'redeemed_before' | 'used' }
  | { readonly kind: 'too_many'; readonly retryAfterSeconds: number };

/** HTTP status of every outcome. */
export const redeemStatuses: Readonly<Record<RedeemOutcome['kind'], number>> = {
  redeemed: 200,
  empty: 400,
  unknown: 404,
  expired: 410,
  redeemed_before: 409,
  used: 409,
  too_many: 429,
};

const refusals: Readonly<Record<Exclude<RedeemOutcome['kind'], 'redeemed'>, string>> = {
  empty: 'Please enter a code to redeem.',
  unknown: 'This code is not valid.',
  expired: 'This code has expired.',
  redeemed_before: 'You have already redeemed this code.',
  used: 'This code has already been used.',
  too_many: 'Too many attempts. Please try again later.',
};

/** Returns the specified text of an outcome. */
export function redeemMessage(outcome: RedeemOutcome): string {
  if (outcome.kind === 'redeemed') return `${outcome.credits} credits were added to your account.`;
  return refusals[outcome.kind];
}
