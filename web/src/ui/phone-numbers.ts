import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/**
 * Formats an E.164 number as people read it, '+1 415 555 2671'; returns any other text unchanged,
 * such as a short code.
 */
export function shownNumber(number: string): string {
  return parsePhoneNumberFromString(number)?.formatInternational() ?? number;
}

/** The country of a number, ISO 3166-1 alpha-2, if it has one. */
export function countryOf(number: string): string | undefined {
  return parsePhoneNumberFromString(number)?.country;
}
