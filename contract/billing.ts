import { z } from 'zod';
import { normalized } from './characters.js';
import { limits } from './limits.js';
import { packIds, packs } from './packs.js';
import { wholeNumber } from './whole-numbers.js';

/** Query of GET /api/dashboard/billing: pages are numbered from 1. */
export const billingQuery = z.object({ page: wholeNumber(1, 1_000_000).default(1) });
export type BillingQuery = z.infer<typeof billingQuery>;

/**
 * A row of the billing history. `date` is New York time; `amount` and `refunded` are formatted with
 * $.
 */
export const billingRecord = z.object({
  date: z.string(),
  amount: z.string(),
  credits: z.int().positive(),
  method: z.string(),
  refunded: z.string().nullable(),
  receiptUrl: z.url().nullable(),
});
export type BillingRecord = z.infer<typeof billingRecord>;

/**
 * Answer of GET /api/dashboard/billing, newest first. `page` is the page shown: the last one if a
 * later page was requested.
 */
export const billingAnswer = z.object({
  records: z.array(billingRecord),
  page: z.int().positive(),
  pages: z.int().positive(),
});
export type BillingAnswer = z.infer<typeof billingAnswer>;

/**
 * Body of POST /api/checkout: a pack by id or by its Stripe price. `userId` and `credits` are
 * checked, but not used.
 */
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

/**
 * Answer of GET /api/checkout/{sessionId}. `paid`: the credits were added. `pending`: the payment
 * is not confirmed yet.
 */
export const checkoutStatusAnswer = z.object({
  status: z.enum(['paid', 'pending', 'failed']),
  credits: z.int().positive(),
});
export type CheckoutStatusAnswer = z.infer<typeof checkoutStatusAnswer>;

/** Largest daily spend, in credits, that an alert can be set to. */
export const dailySpendMax = 1_000_000_000;

/**
 * Body of PUT /api/dashboard/alerts. `lowCredits` is also the threshold of the event `credits.low`.
 * A null `dailySpend` turns that alert off.
 */
export const alertsBody = z.object({
  lowCreditsMail: z.boolean(),
  lowCredits: z.int().min(1).max(limits.lowCreditsMax),
  dailySpend: z.int().min(1).max(dailySpendMax).nullable(),
});
export type AlertsBody = z.infer<typeof alertsBody>;

/**
 * Answer of GET and PUT /api/dashboard/alerts. `spentToday`: credits used since midnight in New
 * York, less refunds.
 */
export const alertsAnswer = alertsBody.extend({ spentToday: z.int() });
export type AlertsAnswer = z.infer<typeof alertsAnswer>;

const line = (max: number) =>
  z
    .string()
    .overwrite((text) => normalized(text, 'NFC'))
    .trim()
    .max(max);

/**
 * Body of PUT /api/dashboard/invoice-details, and its answer: details that invoices name. Empty
 * texts are left out of invoices.
 */
export const invoiceDetails = z.object({
  company: line(200),
  /** Lines separated by line breaks. */
  address: line(500).refine((text) => text.split('\n').length <= 8, 'must have at most 8 lines'),
  vatId: line(40).regex(/^[A-Za-z0-9 .-]*$/, 'must consist of letters, digits, spaces, dots and hyphens'),
});
export type InvoiceDetails = z.infer<typeof invoiceDetails>;

/** An invoice, or a credit note for a refund. Numbers have no gaps. */
export const invoiceView = z.object({
  number: z.int().positive(),
  kind: z.enum(['invoice', 'credit_note']),
  /** New York time. */
  date: z.string(),
  /** With $; negative for a credit note. */
  amount: z.string(),
  credits: z.int(),
  /** The invoice that a credit note corrects. */
  corrects: z.int().positive().nullable(),
});
export type InvoiceView = z.infer<typeof invoiceView>;

/**
 * Answer of GET /api/dashboard/invoices, newest first. `available` is false when the operator has
 * not set its own details.
 */
export const invoicesAnswer = z.object({
  available: z.boolean(),
  invoices: z.array(invoiceView),
  page: z.int().positive(),
  pages: z.int().positive(),
});
export type InvoicesAnswer = z.infer<typeof invoicesAnswer>;

/** Six digits or more: 'Invoice 000123'. */
export function invoiceNumber(number: number): string {
  return String(number).padStart(6, '0');
}

/**
 * `pending`: the card is being charged. `action_required`: the bank wants the customer to confirm.
 * `failed`: no result, nothing charged.
 */
export const topUpStatuses = ['pending', 'action_required', 'paid', 'declined', 'expired', 'failed'] as const;
export type TopUpStatus = (typeof topUpStatuses)[number];

const topUpThreshold = z.object({
  /** A balance below this is topped up. */
  threshold: z.int().min(1),
  pack: z.enum(packIds),
});

/**
 * Body of PUT /api/dashboard/top-up. The pack has at least as many credits as the threshold, so
 * that one charge always brings the balance back to it.
 */
export const topUpBody = topUpThreshold
  .extend({
    enabled: z.boolean(),
    /** Charges per New York month. */
    perMonthMax: z.int().min(1).max(limits.topUpsPerMonthMax),
  })
  .refine(({ threshold, pack }) => threshold <= creditsOf(pack), {
    path: ['threshold'],
    message: 'must not be more than the credits of the pack',
    // Runs also while another field is wrong, so that a form shows all faults at once.
    when: ({ value }) => topUpThreshold.safeParse(value).success,
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
  /** Reason for the customer why it was not paid; null when there is none to show. */
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
  /** Time of the next charge after a decline. */
  retryAt: z.iso.datetime().nullable(),
  /** Reason why top-up was turned off without the customer. */
  offReason: z.enum(['declined', 'not_confirmed']).nullable(),
  /**
   * Top-up is on, but charges nothing: a payment of the account is disputed, or was taken back
   * after its credits were used.
   */
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

/**
 * Answer of POST /api/dashboard/top-up/attempts/{id}/confirm and /settle. `url`: page where the
 * customer confirms, if needed.
 */
export const topUpStatusAnswer = z.object({ status: z.enum(topUpStatuses), url: z.url().nullable() });
export type TopUpStatusAnswer = z.infer<typeof topUpStatusAnswer>;
