import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/**
 * Formats an E.164 number as people read it, '+1 415 555 2671'; returns any other text unchanged,
 * such as a short code.
 */
export function shownNumber(number: string): string {
  return parsePhoneNumberFromString(number)?.formatInternational() ?? number;
}

/** The country of a number, ISO 3166-1 alpha-2; undefined if unknown. */
export function countryOf(number: string): string | undefined {
  return parsePhoneNumberFromString(number)?.country;
}

/**
 * Whether a search is for a whole or partial phone number rather than for a text: it consists of
 * digits, at least one, and the marks between them.
 */
export function isNumberSearch(typed: string): boolean {
  return /\d/.test(typed) && /^[\d\s()+./-]*$/.test(typed);
}
