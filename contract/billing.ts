import { z } from 'zod';

/** Query of GET /api/dashboard/billing: pages are counted from 1. */
export const billingQuery = z.object({ page: z.coerce.number().int().min(1).max(1_000_000).default(1) });
export type BillingQuery = z.infer<typeof billingQuery>;

/** One row of the billing history, as it is shown. `date` is New York time; `amount` and `refunded` carry their $. */
export const billingRecord = z.object({
  date: z.string(),
  amount: z.string(),
  credits: z.int().positive(),
  method: z.string(),
  refunded: z.string().nullable(),
  receiptUrl: z.url().nullable(),
});
export type BillingRecord = z.infer<typeof billingRecord>;

/** Answer of GET /api/dashboard/billing, newest first. `page` is the one that is shown: the last, when a later one was asked for. */
export const billingAnswer = z.object({
  records: z.array(billingRecord),
  page: z.int().positive(),
  pages: z.int().positive(),
});
export type BillingAnswer = z.infer<typeof billingAnswer>;
