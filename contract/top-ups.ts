import { z } from 'zod';
import { limits } from './limits.js';
import { packIds, packs } from './packs.js';

/** `pending`: the card is being charged. `action_required`: the bank wants the customer to confirm. `failed`: no result, nothing charged. */
export const topUpStatuses = ['pending', 'action_required', 'paid', 'declined', 'expired', 'failed'] as const;
export type TopUpStatus = (typeof topUpStatuses)[number];

/**
 * Body of PUT /api/dashboard/top-up. The pack has at least as many credits as the threshold, so that one charge always brings the
 * balance back to it.
 */
export const topUpBody = z
  .object({
    enabled: z.boolean(),
    /** A balance below this is topped up. */
    threshold: z.int().min(1),
    pack: z.enum(packIds),
    /** Charges per New York month. */
    perMonthMax: z.int().min(1).max(limits.topUpsPerMonthMax),
  })
  .refine(({ threshold, pack }) => threshold <= creditsOf(pack), {
    path: ['threshold'],
    message: 'must not be more than the credits of the pack',
  });
export type TopUpBody = z.infer<typeof topUpBody>;

function creditsOf(pack: string): number {
  return packs.find(({ id }) => id === pack)?.credits ?? 0;
}

/** An attempt to charge the saved card. */
export const topUpView = z.object({
  id: z.uuid(),
  /** New York time. */
  date: z.string(),
  status: z.enum(topUpStatuses),
  /** With $. */
  amount: z.string(),
  credits: z.int().positive(),
  cardLast4: z.string(),
  /** Why it was not paid, for the customer; null when there is no reason to show. */
  reason: z.string().nullable(),
});
export type TopUpView = z.infer<typeof topUpView>;

/** Answer of GET /api/dashboard/top-up and of the calls that change it. */
export const topUpAnswer = z.object({
  /** False when this installation takes no card payments. */
  available: z.boolean(),
  enabled: z.boolean(),
  threshold: z.int().positive(),
  pack: z.enum(packIds),
  perMonthMax: z.int().positive(),
  /** Charges of this month that were paid or are under way. */
  usedThisMonth: z.int().nonnegative(),
  card: z.object({ brand: z.string(), last4: z.string(), expires: z.string() }).nullable(),
  /** After a decline: when the card is charged again. */
  retryAt: z.iso.datetime().nullable(),
  /** Why it was turned off without the customer. */
  offReason: z.enum(['declined', 'not_confirmed']).nullable(),
  /** It is on, but charges nothing: a payment of the account is disputed, or was taken back after its credits were used. */
  paused: z.boolean(),
  /** The attempt under way. */
  open: topUpView.nullable(),
});
export type TopUpAnswer = z.infer<typeof topUpAnswer>;

/** Answer of GET /api/dashboard/top-up/attempts, newest first. */
export const topUpsAnswer = z.object({
  topUps: z.array(topUpView),
  page: z.int().positive(),
  pages: z.int().positive(),
});
export type TopUpsAnswer = z.infer<typeof topUpsAnswer>;

/** Answer of POST /api/dashboard/top-up/card: the page where the customer enters a card. */
export const cardSetupAnswer = z.object({ url: z.url() });
export type CardSetupAnswer = z.infer<typeof cardSetupAnswer>;

/** Answer of POST /api/dashboard/top-up/attempts/{id}/confirm and /settle. `url`: where the customer confirms, if it is needed. */
export const topUpStatusAnswer = z.object({ status: z.enum(topUpStatuses), url: z.url().nullable() });
export type TopUpStatusAnswer = z.infer<typeof topUpStatusAnswer>;
