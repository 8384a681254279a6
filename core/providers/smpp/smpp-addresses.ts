import { dialedWithin, parseRecipient } from '../../rules/phone-numbers.js';

// Types and plans of numbers: SMPP 3.4, sections 5.2.5 and 5.2.6.
export const TON = { international: 1, national: 2, network: 3, alphanumeric: 5 } as const;
const NPI_UNKNOWN = 0;

/** Digits of the longest short code. */
const SHORT_CODE_DIGITS_MAX = 8;
/** Minimum digits of a number without its country; fewer digits could end several numbers. */
const NATIONAL_DIGITS_MIN = 7;
/** Prefixes that replace the plus sign: most countries, North America, Australia. */
const INTERNATIONAL_PREFIXES = ['00', '011', '0011'];

/**
 * Returns the E.164 numbers that the address of a person can mean, the likeliest first, given its
 * type and the countries whose national numbers the peer may write. Peers write the same number as
 * `14155552671`, `+14155552671`, `0014155552671`, `01114155552671` and, as national, `4155552671`
 * (jookies/jasmin#751, kneodev/ksmppd#65). Empty for a short code, a name, and an invalid number.
 */
export function numbersOf(written: string, ton: number, countries: readonly string[]): string[] {
  const plain = plainAddress(written);
  if (!/^\+?\d+$/.test(plain)) return [];
  const digits = plain.replace('+', '');
  const prefixed = INTERNATIONAL_PREFIXES.filter((prefix) => digits.startsWith(prefix));
  const international = valid(
    [digits, ...prefixed.map((prefix) => digits.slice(prefix.length))].map((one) => `+${one}`),
  );
  if (plain.startsWith('+') || (ton === TON.international && international.length > 0)) return international;
  const national = valid(countries.flatMap((country) => dialedWithin(country, digits) ?? []));
  // Some peers flag every number as national, also with its country (kneodev/ksmppd#65).
  if (ton === TON.national) return national.length > 0 ? national : international;
  return [...new Set([...international, ...national])];
}

function valid(numbers: readonly string[]): string[] {
  return [...new Set(numbers)].filter((number) => parseRecipient(number)?.e164 === number);
}

/** Returns whether an address without a valid number may be a short code. */
export function isShortCode(written: string): boolean {
  const plain = plainAddress(written);
  return /^\d+$/.test(plain) && plain.length <= SHORT_CODE_DIGITS_MAX;
}

/**
 * Returns our sender (number, short code or name) that an address means, in any spelling of the
 * peer; undefined if no sender or several fit.
 */
export function senderOf(written: string, senders: readonly string[]): string | undefined {
  const plain = plainAddress(written);
  const names = senders.filter((sender) => sender.toLowerCase() === written.trim().toLowerCase());
  const digits = plain.replace(/^(\+|011(?=[1-9])|0+)/, '');
  const same = senders.filter((sender) => sender.replace('+', '') === digits);
  const ending =
    digits.length >= NATIONAL_DIGITS_MIN
      ? senders.filter((sender) => sender.startsWith('+') && sender.endsWith(digits))
      : [];
  const [found] = [names, same, ending].filter((some) => some.length === 1).flat();
  return found;
}

/** Removes the separators that people write. */
function plainAddress(written: string): string {
  const plain = written.replace(/[\s().-]/g, '');
  return /^\+?\d+$/.test(plain) ? plain : written.trim();
}

export interface WrittenAddress {
  readonly ton: number;
  readonly npi: number;
  readonly address: string;
}

/**
 * Returns a number, short code or name as written to a peer that wants numbers of this type and
 * plan. A short code gets the type `network` if the peer's type is for whole numbers, otherwise the
 * peer's type.
 */
export function writtenAddress(address: string, { ton, npi }: { ton: number; npi: number }): WrittenAddress {
  const number = /^\+(\d+)$/.exec(address)?.[1];
  if (number !== undefined) return { ton, npi, address: number };
  if (!/^\d+$/.test(address)) return { ton: TON.alphanumeric, npi: NPI_UNKNOWN, address };
  const isWhole = ton === TON.international || ton === TON.national;
  return isWhole ? { ton: TON.network, npi: NPI_UNKNOWN, address } : { ton, npi, address };
}
