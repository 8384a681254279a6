import { billingAnswer, type BillingAnswer } from '#contract/billing.js';
import { ledgerAnswer, type LedgerAnswer, type LedgerFilter, type LedgerQuery } from '#contract/histories.js';
import { call } from './call.js';

const LEDGER = '/api/dashboard/ledger';

export function readBilling(page: number): Promise<BillingAnswer> {
  return call(billingAnswer, { method: 'GET', path: `/api/dashboard/billing?page=${page}` });
}

export function readLedger(query: LedgerQuery): Promise<LedgerAnswer> {
  return call(ledgerAnswer, { method: 'GET', path: `${LEDGER}?${parametersOf(query)}` });
}

/** Where the whole ledger, filtered, is a file. */
export function ledgerFilePath(filter: LedgerFilter): string {
  return `${LEDGER}.csv?${parametersOf(filter)}`;
}

function parametersOf(query: object): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
}
