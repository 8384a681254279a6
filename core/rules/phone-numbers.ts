import { AsYouType, parsePhoneNumberFromString } from 'libphonenumber-js/max';

// The full metadata validates numbers by the numbering plan, not by length alone.

export interface Recipient {
  /** Number in E.164 format, '+14155552671'. */
  e164: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
}

const INPUT_LENGTH_MAX = 64;
// Digits as people group them, with no-break spaces and typographic dashes as copied from pages and address books. Letters
// and '#', ';', ',', '*' are not accepted: an extension, a vanity number or a dial code cannot receive an SMS.
const PLAIN_NUMBER = /^\s*\+?[\d\s().\-/\u2010-\u2015]+$/;
const OPTIONS = { defaultCountry: 'US', extract: false } as const;

/**
 * Parses an SMS recipient by libphonenumber's rules; returns undefined unless it is a valid number of one country. Without '+'
 * the number is read as dialed in the USA, so '011' starts a foreign number. Countries that share a calling code are distinguished.
 */
export function parseRecipient(to: string): Recipient | undefined {
  if (to.length > INPUT_LENGTH_MAX || !PLAIN_NUMBER.test(to)) return undefined;
  const number = parsePhoneNumberFromString(to.trim(), OPTIONS);
  if (number?.country === undefined || !number.isValid()) return undefined;
  return { e164: number.number, country: number.country };
}

/** Guesses the country (ISO 3166-1 alpha-2) of a partly typed number; returns undefined while the digits do not tell. */
export function likelyCountry(to: string): string | undefined {
  if (to.length > INPUT_LENGTH_MAX || !PLAIN_NUMBER.test(to)) return undefined;
  const typed = new AsYouType(OPTIONS.defaultCountry);
  typed.input(to.trim());
  return parseRecipient(to)?.country ?? typed.getCountry();
}
