import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { invoiceDetails, type InvoiceDetails, invoicesAnswer } from '#contract/invoices.js';
import { call } from './call.js';

const DETAILS = '/api/dashboard/invoice-details';

export const invoicesKey = ['invoices'] as const;

/** One page of the invoices and credit notes, newest first. */
export const invoicesQuery = (page: number) =>
  queryOptions({
    queryKey: [...invoicesKey, page],
    queryFn: () => call(invoicesAnswer, { method: 'GET', path: `/api/dashboard/invoices?page=${page}` }),
    placeholderData: keepPreviousData,
  });

/** Address of an invoice as a page for printing. */
export const invoicePath = (number: number): string => `/api/dashboard/invoices/${number}`;

/** What invoices name. */
export const invoiceDetailsQuery = queryOptions({
  queryKey: ['invoice-details'],
  queryFn: () => call(invoiceDetails, { method: 'GET', path: DETAILS }),
});

export function changeInvoiceDetails(body: InvoiceDetails): Promise<InvoiceDetails> {
  return call(invoiceDetails, { method: 'PUT', path: DETAILS, body });
}
