import { invoiceNumber } from '#contract/billing.js';
import { exactDollars } from '#contract/packs.js';
import type { Invoice, PaymentState } from './invoices.js';

/** Content of an invoice or credit note, on its page and in its PDF. */
export interface InvoiceDocument {
  readonly title: string;
  readonly facts: readonly (readonly [term: string, value: string])[];
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly item: { readonly what: string; readonly amount: string };
  readonly total: string;
  /** State of the payment, one sentence a line. */
  readonly state: readonly string[];
  readonly note: string | null;
}

const dates = new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', dateStyle: 'long' });

/** Formats an invoice as text. Dates are in New York time. */
export function invoiceDocument(invoice: Invoice, payment: PaymentState): InvoiceDocument {
  const { number, corrects, amountCents, credits, method, seller, buyer, paidAt, issuedAt } = invoice;
  const { name, company, address, vatId, email } = buyer;
  const amount = `${corrects === null ? '' : '−'}${exactDollars(amountCents)}`;
  const written = (lines: readonly (string | null)[]) => lines.flatMap((line) => (line ? [line] : []));
  return {
    title: `${corrects === null ? 'Invoice' : 'Credit note'} ${invoiceNumber(number)}`,
    facts: [
      ['Number', invoiceNumber(number)],
      ['Date of issue', dates.format(issuedAt)],
      ['Date of payment', dates.format(paidAt)],
      ...(corrects === null ? [] : [['Corrects invoice', invoiceNumber(corrects)] as const]),
      ['Payment method', method],
    ],
    from: written([seller.name, ...seller.address, seller.taxId && `Tax ID: ${seller.taxId}`]),
    to: written([company || name, ...address.split('\n'), vatId && `VAT ID: ${vatId}`, email]),
    item: { what: `${credits.toLocaleString('en-US')} SMS credits${corrects === null ? '' : ', refunded'}`, amount },
    total: amount,
    state: corrects === null ? stateOf(payment) : ['Refunded to the payment method.'],
    note: seller.note,
  };
}

function stateOf({ creditNotes, isDisputed }: PaymentState): string[] {
  return [
    'Paid in full.',
    ...creditNotes.map(
      ({ number, amountCents }) =>
        `${exactDollars(amountCents)} was refunded later: credit note ${invoiceNumber(number)}.`,
    ),
    ...(isDisputed ? ['This payment is disputed with the bank.'] : []),
  ];
}
