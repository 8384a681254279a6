// The metadata of all number types: validity by the numbering plan, not by length alone.
import { AsYouType, parsePhoneNumberFromString } from 'libphonenumber-js/max';

export interface Recipient {
  /** The number in E.164 form, '+14155552671'. */
  e164: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
}

const INPUT_LENGTH_MAX = 64;
// Digits as people group them, with no-break spaces and typographic dashes as pages and address books copy them. Letters
// and '#', ';', ',', '*' are out: an extension, a vanity word or a dial code is not where an SMS can go.
const PLAIN_NUMBER = /^\s*\+?[\d\s().\-/\u2010-\u2015]+$/;
const OPTIONS = { defaultCountry: 'US', extract: false } as const;

/**
 * The recipient of an SMS, by libphonenumber's rules; undefined for what is not one valid number of one country. Without
 * '+' it is dialled from the USA, so '011' leads abroad. Countries that share a calling code are told apart.
 */
export function parseRecipient(to: string): Recipient | undefined {
  if (to.length > INPUT_LENGTH_MAX || !PLAIN_NUMBER.test(to)) return undefined;
  const number = parsePhoneNumberFromString(to.trim(), OPTIONS);
  if (number?.country === undefined || !number.isValid()) return undefined;
  return { e164: number.number, country: number.country };
}

/** The country (ISO 3166-1 alpha-2) of a number as far as it is typed; undefined while its beginning says none. */
export function likelyCountry(to: string): string | undefined {
  if (to.length > INPUT_LENGTH_MAX || !PLAIN_NUMBER.test(to)) return undefined;
  const typed = new AsYouType(OPTIONS.defaultCountry);
  typed.input(to.trim());
  return parseRecipient(to)?.country ?? typed.getCountry();
}
