import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import {
  alertsAnswer,
  type AlertsAnswer,
  type AlertsBody,
  billingAnswer,
  checkoutAnswer,
  type CheckoutAnswer,
  checkoutStatusAnswer,
} from '#contract/billing.js';
import { type RedeemCodeAnswer, redeemCodeAnswer } from '#contract/credits.js';
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

/** One page of the credit ledger, newest first; `continue` limits it to entries below that number. */
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

/** Download address of the filtered ledger. */
export function ledgerCsvPath(filter: LedgerFilter): string {
  return `${LEDGER}.csv?${searchOf(filter)}`;
}

/** Opens a checkout for one pack; the customer pays at its `url`. */
export function startCheckout(pack: PackId): Promise<CheckoutAnswer> {
  return call(checkoutAnswer, { method: 'POST', path: '/api/checkout', body: { pack } });
}

/** The status of a checkout; reading a paid one credits it. */
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

/** The alerts about the account's credits. */
export const alertsQuery = queryOptions({
  queryKey: ['alerts'],
  queryFn: () => call(alertsAnswer, { method: 'GET', path: ALERTS }),
});

export function changeAlerts(body: AlertsBody): Promise<AlertsAnswer> {
  return call(alertsAnswer, { method: 'PUT', path: ALERTS, body });
}
