import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { recipientOf } from './format.js';

/**
 * Formats an E.164 number as people read it, '+1 415 555 2671', and a recipient of another channel with its
 * channel, '+1 415 555 2671 by WhatsApp'; returns any other text unchanged, such as a short code.
 */
export function shownNumber(to: string): string {
  const { address, way } = recipientOf(to);
  const shown = parsePhoneNumberFromString(address)?.formatInternational() ?? address;
  return way === undefined ? shown : `${shown} ${way}`;
}

/** The country of a number, ISO 3166-1 alpha-2; undefined if unknown. */
export function countryOf(to: string): string | undefined {
  return parsePhoneNumberFromString(recipientOf(to).address)?.country;
}

/**
 * Whether a search is for a whole or partial phone number rather than for a text: it consists of
 * digits, at least one, and the marks between them.
 */
export function isNumberSearch(typed: string): boolean {
  return /\d/.test(typed) && /^[\d\s()+./-]*$/.test(typed);
}
