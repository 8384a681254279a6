import { z } from 'zod';
import { plainTyped } from '#contract/characters.js';
import { receivedFilter, sentFilter } from '#contract/histories.js';

export type HistoryName = 'sent' | 'received';

/** The filters of a history, as in the page's address; '' means none. Days are in New York time. */
export interface HistoryFilters {
  readonly status: string;
  /** Why messages were not delivered, as a code; of sent messages only. */
  readonly reason: string;
  readonly number: string;
  readonly text: string;
  readonly from: string;
  readonly to: string;
  /** '' is newest first. Searches for a number, text or status are always newest first. */
  readonly order: '' | 'oldest';
}

export const noFilters: HistoryFilters = {
  status: '',
  reason: '',
  number: '',
  text: '',
  from: '',
  to: '',
  order: '',
};

const shapes = { sent: sentFilter.shape, received: { ...receivedFilter.shape, reason: z.undefined() } };

/**
 * Parses the filters from an address. Values that the server would reject are dropped, so the form
 * shows what is searched.
 */
export function filtersIn(address: URLSearchParams, history: HistoryName): HistoryFilters {
  const valid = (name: Exclude<keyof HistoryFilters, 'order'>) => {
    const value = address.get(name) ?? '';
    return shapes[history][name].safeParse(value).success ? value : '';
  };
  return {
    status: valid('status'),
    reason: valid('reason'),
    number: valid('number'),
    text: valid('text'),
    from: valid('from'),
    to: valid('to'),
    order: address.get('order') === 'oldest' ? 'oldest' : '',
  };
}

/** The query string of a filtered history. */
export function addressOf(history: HistoryName, filters: HistoryFilters): URLSearchParams {
  const given = Object.entries(filters).filter(([, value]) => value !== '');
  return new URLSearchParams([...(history === 'sent' ? [] : [['tab', history]]), ...given]);
}

/**
 * The whole phone number in E.164 form, read as American without '+'; undefined when it cannot be
 * one.
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
