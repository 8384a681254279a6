import { z } from 'zod';

const line = (max: number) => z.string().trim().max(max);

/** Body of PUT /api/dashboard/invoice-details, and its answer: what invoices name. Empty texts are left out of invoices. */
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

/** Answer of GET /api/dashboard/invoices, newest first. `available` is false when the operator has not set its own details. */
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
