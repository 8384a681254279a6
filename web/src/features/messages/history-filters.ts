import { z } from 'zod';
import { plainTyped } from '#contract/characters.js';
import { receivedFilter, sentFilter } from '#contract/histories.js';
import { limits } from '#contract/limits.js';
import { allDays, type Days, daysIn } from '../../ui/days.js';

export type HistoryName = 'sent' | 'received';

/** The filters of a history, as in the page's address; '' means none. */
export interface HistoryFilters extends Days {
  readonly status: string;
  /** Code of the reason of undelivered messages; for sent messages only. */
  readonly reason: string;
  /** A number, text, reference or id. */
  readonly search: string;
  /** '' is newest first. A search by anything except days is always newest first. */
  readonly order: '' | 'oldest';
}

export const noFilters: HistoryFilters = { status: '', reason: '', search: '', ...allDays, order: '' };

const shapes = { sent: sentFilter.shape, received: { ...receivedFilter.shape, reason: z.undefined() } };

/** Explains why the server would reject a value. */
const faultOf: Readonly<Record<'status' | 'reason' | 'search', (value: string) => string>> = {
  status: (value) => `There is no status “${shortened(value)}”.`,
  reason: (value) => `“${shortened(value)}” is no reason.`,
  search: () => `A search has at most ${limits.searchCharactersMax} characters.`,
};

const SHOWN_CHARACTERS = 40;
const shortened = (value: string) => (value.length > SHOWN_CHARACTERS ? `${value.slice(0, SHOWN_CHARACTERS)}…` : value);

interface FoundFilters {
  readonly filters: HistoryFilters;
  /** Invalid values of the address, as sentences. */
  readonly faults: readonly string[];
}

/**
 * Parses the filters from an address. Drops and explains values that the server would reject, so
 * that the form shows the actual filters.
 */
export function filtersIn(address: URLSearchParams, history: HistoryName): FoundFilters {
  const faults: string[] = [];
  const valid = (name: 'status' | 'reason' | 'search', value: string) => {
    if (shapes[history][name].safeParse(value || undefined).success) return value;
    faults.push(faultOf[name](value));
    return '';
  };
  // Old addresses have `text` or `number` in place of `search`.
  const search = ['search', 'text', 'number'].map((name) => address.get(name) ?? '').find((value) => value !== '');
  const { days, fault } = daysIn(address);
  if (fault !== undefined) faults.push(fault);
  return {
    filters: {
      status: valid('status', address.get('status') ?? ''),
      reason: valid('reason', address.get('reason') ?? ''),
      search: valid('search', search ?? ''),
      ...days,
      order: address.get('order') === 'oldest' ? 'oldest' : '',
    },
    faults,
  };
}

/** The query string of a filtered history. */
export function addressOf(history: HistoryName, filters: HistoryFilters): URLSearchParams {
  const given = Object.entries(filters).filter(([, value]) => value !== '');
  return new URLSearchParams([...(history === 'sent' ? [] : [['tab', history]]), ...given]);
}

/**
 * Parses a whole phone number to E.164, as American without '+'; undefined for other texts.
 */
export function wholePhoneNumber(typed: string): string | undefined {
  const plain = plainTyped(typed);
  if (!/^\+?[\d\s().-]+$/.test(plain)) return undefined;
  const digits = plain.replaceAll(/\D/g, '');
  if (plain.startsWith('+')) return /^[1-9]\d{7,14}$/.test(digits) ? `+${digits}` : undefined;
  return /^1?[2-9]\d{9}$/.test(digits) ? `+1${digits.slice(-10)}` : undefined;
}

export function historyIn(address: URLSearchParams): HistoryName {
  return address.get('tab') === 'received' ? 'received' : 'sent';
}
