import { z } from 'zod';
import { limits } from './limits.js';
import { packIds } from './packs.js';

/** Query of GET /api/dashboard/billing: pages are numbered from 1. */
export const billingQuery = z.object({ page: z.coerce.number().int().min(1).max(1_000_000).default(1) });
export type BillingQuery = z.infer<typeof billingQuery>;

/** A row of the billing history. `date` is New York time; `amount` and `refunded` are formatted with $. */
export const billingRecord = z.object({
  date: z.string(),
  amount: z.string(),
  credits: z.int().positive(),
  method: z.string(),
  refunded: z.string().nullable(),
  receiptUrl: z.url().nullable(),
});
export type BillingRecord = z.infer<typeof billingRecord>;

/** Answer of GET /api/dashboard/billing, newest first. `page` is the page shown: the last one if a later page was requested. */
export const billingAnswer = z.object({
  records: z.array(billingRecord),
  page: z.int().positive(),
  pages: z.int().positive(),
});
export type BillingAnswer = z.infer<typeof billingAnswer>;

/** Body of POST /api/checkout: a pack by id or by its Stripe price. `userId` and `credits` are checked, but not used. */
export const checkoutBody = z
  .object({
    pack: z.enum(packIds).optional(),
    priceId: z.string().max(255).optional(),
    userId: z.string().optional(),
    credits: z.int().optional(),
  })
  .refine(({ pack, priceId }) => pack !== undefined || priceId !== undefined, 'Send "pack" or "priceId".');
export type CheckoutBody = z.infer<typeof checkoutBody>;

/** Answer of POST /api/checkout: the page navigates to `url` to pay. */
export const checkoutAnswer = z.object({ sessionId: z.string(), url: z.url() });
export type CheckoutAnswer = z.infer<typeof checkoutAnswer>;

/** Answer of GET /api/checkout/{sessionId}. `paid`: the credits were added. `pending`: the payment is not confirmed yet. */
export const checkoutStatusAnswer = z.object({
  status: z.enum(['paid', 'pending', 'failed']),
  credits: z.int().positive(),
});
export type CheckoutStatusAnswer = z.infer<typeof checkoutStatusAnswer>;

/** Largest daily spend, in credits, that an alert can be set to. */
export const dailySpendMax = 1_000_000_000;

/**
 * Body of PUT /api/dashboard/alerts. `lowCredits` is also the threshold of the event `credits.low`. A null `dailySpend` turns that
 * alert off.
 */
export const alertsBody = z.object({
  lowCreditsMail: z.boolean(),
  lowCredits: z.int().min(1).max(limits.lowCreditsMax),
  dailySpend: z.int().min(1).max(dailySpendMax).nullable(),
});
export type AlertsBody = z.infer<typeof alertsBody>;

/** Answer of GET and PUT /api/dashboard/alerts. `spentToday`: credits used since midnight in New York, less refunds. */
export const alertsAnswer = alertsBody.extend({ spentToday: z.int() });
export type AlertsAnswer = z.infer<typeof alertsAnswer>;
