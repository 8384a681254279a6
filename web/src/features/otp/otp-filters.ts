import { otpLogQuery } from '#contract/otp.js';

/** The filters of the log, as in the page's address; '' means none. Days are in New York time. */
export interface OtpFilters {
  readonly number: string;
  /** An `otp_id`, a message id or a reference. */
  readonly text: string;
  readonly status: string;
  readonly country: string;
  readonly key: string;
  readonly from: string;
  readonly to: string;
}

export const noFilters: OtpFilters = { number: '', text: '', status: '', country: '', key: '', from: '', to: '' };

/**
 * Parses the filters from an address. Values that the server would reject are dropped, so the form
 * shows what is searched.
 */
export function filtersIn(address: URLSearchParams): OtpFilters {
  const valid = (name: keyof OtpFilters) => {
    const value = address.get(name) ?? '';
    return otpLogQuery.shape[name].safeParse(value).success ? value : '';
  };
  return {
    number: valid('number'),
    text: valid('text'),
    status: valid('status'),
    country: valid('country').toUpperCase(),
    key: valid('key'),
    from: valid('from'),
    to: valid('to'),
  };
}

/** Those that are set. */
export function chosenOf(filters: OtpFilters): Record<string, string> {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''));
}
