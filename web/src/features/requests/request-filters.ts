import { apiRequestsQuery } from '#contract/dashboard.js';
import { allDays, type Days, daysIn, spanOf } from '../../ui/days.js';

/** The filters of the calls, as in the page's address; '' means none. */
export interface RequestFilters extends Days {
  /** A part of the path, or the id of a request, message or bulk. */
  readonly search: string;
  readonly status: string;
  readonly code: string;
  /** The last characters of a key. */
  readonly key: string;
}

export const noFilters: RequestFilters = { search: '', status: '', code: '', key: '', ...allDays };

const names = ['search', 'status', 'code', 'key'] as const;
const faultOf: Readonly<Record<(typeof names)[number], (value: string) => string>> = {
  search: () => 'The search is too long.',
  status: (value) => `There is no status “${value.slice(0, 40)}”.`,
  code: () => 'The error code is too long.',
  key: () => 'The end of the key is too long.',
};

/**
 * Parses the filters from an address; drops and explains values that the server would reject.
 */
export function filtersIn(address: URLSearchParams): { filters: RequestFilters; faults: readonly string[] } {
  const faults: string[] = [];
  const valid = (name: (typeof names)[number], value = address.get(name) ?? '') => {
    if (apiRequestsQuery.shape[name].safeParse(value).success) return value;
    faults.push(faultOf[name](value));
    return '';
  };
  // Old addresses have `path` or `requestId` in place of `search`.
  const search = ['search', 'path', 'requestId'].map((name) => address.get(name) ?? '').find((text) => text !== '');
  const { days, fault } = daysIn(address);
  const filters = {
    search: valid('search', search ?? ''),
    status: valid('status'),
    code: valid('code'),
    key: valid('key'),
    ...days,
  };
  return { filters, faults: fault === undefined ? faults : [...faults, fault] };
}

/** The query string of filtered calls. */
export function addressOf(filters: RequestFilters): string {
  return new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== '')).toString();
}

/** Filters of a request to the server. */
export function queryOf({ days, from, to, ...filters }: RequestFilters): Readonly<Record<string, string>> {
  return { ...filters, ...spanOf({ days, from, to }) };
}
