import { otpLogQuery } from '#contract/otp.js';
import { isNumberSearch } from '../../ui/phone-numbers.js';
import { allDays, type Days, daysIn, spanOf } from '../../ui/days.js';

/** The filters of the log, as in the page's address; '' means none. Days are in New York time. */
export interface OtpFilters extends Days {
  readonly number: string;
  /** An `otp_id`, a message id or a reference. */
  readonly text: string;
  readonly status: string;
  readonly channel: string;
  readonly country: string;
  readonly key: string;
}

export const noFilters: OtpFilters = {
  number: '',
  text: '',
  status: '',
  channel: '',
  country: '',
  key: '',
  ...allDays,
};

const names = {
  number: 'phone number',
  text: 'id or reference',
  status: 'status',
  channel: 'channel',
  country: 'country',
  key: 'key',
};

/** Parses the filters from an address; drops and explains values that the server would reject. */
export function filtersIn(address: URLSearchParams): { filters: OtpFilters; faults: readonly string[] } {
  const { days, fault } = daysIn(address);
  const faults = fault === undefined ? [] : [fault];
  const valid = (name: keyof typeof names) => {
    const value = address.get(name) ?? '';
    if (otpLogQuery.shape[name].safeParse(value).success) return value;
    faults.push(`“${value}” is no ${names[name]}.`);
    return '';
  };
  const filters = {
    number: valid('number'),
    text: valid('text'),
    status: valid('status'),
    channel: valid('channel'),
    country: valid('country').toUpperCase(),
    key: valid('key'),
    ...days,
  };
  return { filters, faults };
}

/** The filters of the search field: digits like a part of a phone number search for a number. */
export function searchFor(typed: string): Pick<OtpFilters, 'number' | 'text'> {
  const isNumber = isNumberSearch(typed) && otpLogQuery.shape.number.safeParse(typed).success;
  return isNumber ? { number: typed, text: '' } : { number: '', text: typed };
}

/** Filters of a request to the server. */
export function queryOf({ days, from, to, ...filters }: OtpFilters): Omit<OtpFilters, 'days'> {
  return { ...filters, ...spanOf({ days, from, to }) };
}

/** Filters that are set. */
export function chosenOf(filters: OtpFilters): Record<string, string> {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''));
}
