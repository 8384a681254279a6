import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import {
  alertsAnswer,
  type AlertsAnswer,
  type AlertsBody,
  billingAnswer,
  cardSetupAnswer,
  type CardSetupAnswer,
  checkoutAnswer,
  type CheckoutAnswer,
  checkoutStatusAnswer,
  invoiceDetails,
  type InvoiceDetails,
  invoicesAnswer,
  topUpAnswer,
  type TopUpAnswer,
  type TopUpBody,
  topUpsAnswer,
  topUpStatusAnswer,
  type TopUpStatusAnswer,
} from '#contract/billing.js';
import { type RedeemCodeAnswer, redeemCodeAnswer } from '#contract/credits.js';
import { exposureAnswer } from '#contract/exposure.js';
import { ledgerAnswer, type LedgerAnswer, type LedgerFilter, type LedgerQuery } from '#contract/histories.js';
import type { PackId } from '#contract/packs.js';
import { call, searchOf } from './call.js';

const LEDGER = '/api/dashboard/ledger';

export const billingKey = ['billing'] as const;

/** One page of the card payments, newest first. */
export const billingQuery = (page: number) =>
  queryOptions({
    queryKey: [...billingKey, page],
    queryFn: () => call(billingAnswer, { method: 'GET', path: `/api/dashboard/billing?page=${page}` }),
    placeholderData: keepPreviousData,
  });

export const ledgerKey = ['ledger'] as const;

/**
 * One page of the credit ledger, newest first; `continue` limits it to entries below that number.
 */
export const ledgerQuery = (query: LedgerQuery) =>
  queryOptions({
    queryKey: [...ledgerKey, query],
    queryFn: ({ client, queryKey }) => {
      // A refetch of a later page keeps its first row.
      const known = client.getQueryData<LedgerAnswer>(queryKey);
      const anchor = known && known.page > 1 ? known.anchor : undefined;
      const path = `${LEDGER}?${searchOf({ ...query, continue: query.continue ?? anchor })}`;
      return call(ledgerAnswer, { method: 'GET', path });
    },
    placeholderData: keepPreviousData,
  });

/** Credits that leaked keys could spend. */
export const exposureQuery = queryOptions({
  queryKey: ['exposure'],
  queryFn: () => call(exposureAnswer, { method: 'GET', path: '/api/dashboard/exposure' }),
});

/** Download address of the filtered ledger. */
export function ledgerCsvPath(filter: LedgerFilter): string {
  return `${LEDGER}.csv?${searchOf(filter)}`;
}

/** Download address of the whole ledger with its seals. */
export const sealedLedgerPath = `${LEDGER}.jsonl`;

/** Opens a checkout for one pack; the customer pays at its `url`. */
export function startCheckout(pack: PackId): Promise<CheckoutAnswer> {
  return call(checkoutAnswer, { method: 'POST', path: '/api/checkout', body: { pack } });
}

/** The status of a checkout; reading a paid checkout credits it. */
export const checkoutQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['checkout', sessionId],
    queryFn: () =>
      call(checkoutStatusAnswer, { method: 'GET', path: `/api/checkout/${encodeURIComponent(sessionId)}` }),
  });

/** Redeems a code. Throws a failure whose message explains why the code was not accepted. */
export function redeemCode(code: string): Promise<RedeemCodeAnswer> {
  return call(redeemCodeAnswer, { method: 'POST', path: '/api/redeemcode', body: { code }, refusal: redeemCodeAnswer });
}

const ALERTS = '/api/dashboard/alerts';

export const alertsQuery = queryOptions({
  queryKey: ['alerts'],
  queryFn: () => call(alertsAnswer, { method: 'GET', path: ALERTS }),
});

export function changeAlerts(body: AlertsBody): Promise<AlertsAnswer> {
  return call(alertsAnswer, { method: 'PUT', path: ALERTS, body });
}

const TOP_UP = '/api/dashboard/top-up';

export const topUpKey = ['top-up'] as const;

/** Settings of automatic top-up, the saved card and the attempt under way. */
export const topUpQuery = queryOptions({
  queryKey: [...topUpKey, 'settings'],
  queryFn: () => call(topUpAnswer, { method: 'GET', path: TOP_UP }),
});

/** One page of the attempts to charge the saved card, newest first. */
export const topUpsQuery = (page: number) =>
  queryOptions({
    queryKey: [...topUpKey, 'attempts', page],
    queryFn: () => call(topUpsAnswer, { method: 'GET', path: `${TOP_UP}/attempts?page=${page}` }),
    placeholderData: keepPreviousData,
  });

export function changeTopUp(body: TopUpBody): Promise<TopUpAnswer> {
  return call(topUpAnswer, { method: 'PUT', path: TOP_UP, body });
}

/** Opens the payment provider's page on which a card is saved. */
export function openCardSetup(): Promise<CardSetupAnswer> {
  return call(cardSetupAnswer, { method: 'POST', path: `${TOP_UP}/card` });
}

/** Stores the card of a session when the browser returns from the provider's page. */
export function saveCard(sessionId: string): Promise<TopUpAnswer> {
  return call(topUpAnswer, { method: 'POST', path: `${TOP_UP}/card/${encodeURIComponent(sessionId)}` });
}

export function removeCard(): Promise<TopUpAnswer> {
  return call(topUpAnswer, { method: 'DELETE', path: `${TOP_UP}/card` });
}

/** Begins the confirmation of a charge; the customer confirms it at `url`. */
export function confirmTopUp(id: string): Promise<TopUpStatusAnswer> {
  return call(topUpStatusAnswer, { method: 'POST', path: `${TOP_UP}/attempts/${encodeURIComponent(id)}/confirm` });
}

/** Reads the outcome when the browser comes back from the confirmation. */
export function settleTopUp(id: string): Promise<TopUpStatusAnswer> {
  return call(topUpStatusAnswer, { method: 'POST', path: `${TOP_UP}/attempts/${encodeURIComponent(id)}/settle` });
}

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

/** Download address of an invoice as a PDF. */
export const invoicePdfPath = (number: number): string => `${invoicePath(number)}/pdf`;

/** Customer details on invoices. */
export const invoiceDetailsQuery = queryOptions({
  queryKey: ['invoice-details'],
  queryFn: () => call(invoiceDetails, { method: 'GET', path: DETAILS }),
});

export function changeInvoiceDetails(body: InvoiceDetails): Promise<InvoiceDetails> {
  return call(invoiceDetails, { method: 'PUT', path: DETAILS, body });
}
