import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** Words for the channels that prefix the number of a message. */
const ways: Readonly<Record<string, string>> = { whatsapp: 'by WhatsApp', voice: 'by voice call' };
const PREFIX = /^(whatsapp|voice):/;

/** A recipient of a message, as people read it. */
interface Recipient {
  /** A number, or an address of email. */
  readonly address: string;
  /** The channel, unless it follows from the address. */
  readonly way: string | undefined;
}

/** Splits the recipient of a message, such as 'whatsapp:+14155552671', into its number and its channel. */
export function recipientOf(to: string): Recipient {
  const [prefix = '', channel = ''] = PREFIX.exec(to) ?? [];
  return { address: to.slice(prefix.length), way: ways[channel] };
}

/** Whether a recipient gets text messages: its number has no channel of its own, and it is no address of email. */
export function isTexted(to: string): boolean {
  return to !== '' && !PREFIX.test(to) && !to.includes('@');
}

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
