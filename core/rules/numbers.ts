import type { NumberType } from '#contract/numbers.js';
import { publicNumberId } from './ids.js';
import { numberOrSender, recognizeE164 } from './phone-numbers.js';

/** A number that can be bought: E.164, and its country in ISO 3166-1 alpha-2. */
export interface NumberForSale {
  readonly number: string;
  readonly country: string;
  readonly type: NumberType;
}

/** Countries that share the toll-free numbers of North America. */
const TOLL_FREE_TOGETHER: readonly string[] = ['US', 'CA'];

const LOCAL_TYPES: readonly string[] = ['FIXED_LINE', 'MOBILE', 'FIXED_LINE_OR_MOBILE'];

/**
 * Parses a number to buy. Undefined for an invalid number, or a type or country that is not for
 * sale. `countries` are the countries for sale.
 */
export function numberForSale(typed: string, countries: readonly string[]): NumberForSale | undefined {
  const number = numberOrSender(typed);
  const recognized = recognizeE164(number);
  if (!recognized) return undefined;
  const { country } = recognized;
  if (recognized.type === 'TOLL_FREE') {
    return countriesSharing(country).some((one) => countries.includes(one))
      ? { number, country, type: 'toll_free' }
      : undefined;
  }
  const isLocal = LOCAL_TYPES.includes(recognized.type) && countries.includes(country);
  return isLocal ? { number, country, type: 'local' } : undefined;
}

/** Returns the countries that share toll-free numbers with this country. */
export function countriesSharing(country: string): readonly string[] {
  return TOLL_FREE_TOGETHER.includes(country) ? TOLL_FREE_TOGETHER : [country];
}

/** Returns the area code of a North American number; undefined for any other. */
export function areaCodeOf(number: string): string | undefined {
  return /^\+1(\d{3})\d{7}$/.exec(number)?.[1];
}

const NAME = 'pennytext ';

/**
 * Returns the name of a number at the carrier: its id, which finds the number after a lost answer.
 */
export function nameAtCarrier(id: string): string {
  return NAME + publicNumberId(id);
}

/** Returns the public id in such a name; undefined for other names. */
export function publicIdInName(name: string): string | undefined {
  return name.startsWith(`${NAME}num_`) ? name.slice(NAME.length) : undefined;
}
