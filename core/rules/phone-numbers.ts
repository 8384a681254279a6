import { AsYouType, parsePhoneNumberFromString, type PhoneNumberType } from 'libphonenumber-js/max';
import { recognizeE164 } from './e164-numbers.js';

// The full metadata validates numbers by the numbering plan, not by length alone, and knows their types.

export interface Recipient {
  /** Number in E.164 format, '+14155552671'. */
  e164: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** What the number is when it cannot be a mobile number, such as 'premium-rate'. */
  unsupportedType?: string;
}

const INPUT_LENGTH_MAX = 64;
// Digits as people group them, with no-break spaces and typographic dashes as copied from pages and address books. Letters
// and '#', ';', ',', '*' are not accepted: an extension, a vanity number or a dial code cannot receive an SMS.
const PLAIN_NUMBER = /^\s*\+?[\d\s().\-/\u2010-\u2015]+$/;
const OPTIONS = { defaultCountry: 'US', extract: false } as const;
/** Twilio's test numbers lie in a range of personal numbers: https://www.twilio.com/docs/iam/test-credentials */
const MAGIC_NUMBER = /^\+1500555\d{4}$/;

/** Number types of libphonenumber; undefined can be a mobile number. */
const unsupportedTypes = {
  MOBILE: undefined,
  FIXED_LINE_OR_MOBILE: undefined,
  FIXED_LINE: 'landline',
  PREMIUM_RATE: 'premium-rate',
  TOLL_FREE: 'toll-free',
  SHARED_COST: 'shared-cost',
  VOIP: 'VoIP',
  PERSONAL_NUMBER: 'personal',
  PAGER: 'pager',
  UAN: 'company-wide (UAN)',
  VOICEMAIL: 'voicemail',
} as const satisfies Record<PhoneNumberType, string | undefined>;

/**
 * Parses an SMS recipient by libphonenumber's rules; returns undefined unless it is a valid number of one country. Without '+'
 * the number is read as dialed in the USA, so '011' starts a foreign number. Countries that share a calling code are distinguished.
 * A valid number that cannot be a mobile number has an `unsupportedType`.
 */
export function parseRecipient(to: string): Recipient | undefined {
  const recognized = recognizeE164(to);
  if (recognized) return recipientOf(to, recognized.country, recognized.type);
  return parseWithLibrary(to);
}

/** The same, in any notation; it takes several times as long. */
export function parseWithLibrary(to: string): Recipient | undefined {
  if (to.length > INPUT_LENGTH_MAX || !PLAIN_NUMBER.test(to)) return undefined;
  const number = parsePhoneNumberFromString(to.trim(), OPTIONS);
  if (number?.country === undefined) return undefined;
  // With the full metadata a number is valid exactly if it has a type.
  const type = number.getType();
  return type === undefined ? undefined : recipientOf(number.number, number.country, type);
}

function recipientOf(e164: string, country: string, type: PhoneNumberType): Recipient {
  const unsupportedType = MAGIC_NUMBER.test(e164) ? undefined : unsupportedTypes[type];
  return { e164, country, ...(unsupportedType !== undefined && { unsupportedType }) };
}

/**
 * Returns the country (ISO 3166-1 alpha-2) of a valid number in E.164 format, and the block that it belongs to: the calling code
 * and the next seven digits. Throws for any other text.
 */
export function numberBlockOf(e164: string): { readonly country: string; readonly block: string } {
  const number = parsePhoneNumberFromString(e164);
  if (number?.country === undefined) throw new Error('Only a valid number has a block');
  return { country: number.country, block: `+${number.countryCallingCode}${number.nationalNumber.slice(0, 7)}` };
}

/** Guesses the country (ISO 3166-1 alpha-2) of a partly typed number; returns undefined while the digits do not tell. */
export function likelyCountry(to: string): string | undefined {
  if (to.length > INPUT_LENGTH_MAX || !PLAIN_NUMBER.test(to)) return undefined;
  const typed = new AsYouType(OPTIONS.defaultCountry);
  typed.input(to.trim());
  return parseRecipient(to)?.country ?? typed.getCountry();
}
