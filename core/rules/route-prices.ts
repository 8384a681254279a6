import { regions } from '#contract/regions.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { microusdOf } from './microusd.js';

/** Price of a carrier for a segment to a country: a line of a price list. */
export interface RoutePrice {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** Name of the carrier. */
  readonly carrier: string;
  readonly costMicrousd: number;
}

const COLUMNS = 'country,carrier,cost';
/** A higher cost is probably in another unit. */
export const COST_USD_MAX = 10;
const ROWS_MAX = 1_000;
const SHOWN_CHARACTERS = 60;

/**
 * Parses a price list: CSV with the columns country (a code of two or three letters), carrier (its
 * name) and cost (US dollars per segment). Throws `invalid_request`, which names the faulty lines.
 */
export function parsePrices(text: string): RoutePrice[] {
  const [head = '', ...rows] = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  if (fieldsOf(head).join(',').toLowerCase() !== COLUMNS)
    throw faultyFile([`Line 1: the columns have to be ${COLUMNS}, and it has ${quoted(head)}.`]);
  const prices: RoutePrice[] = [];
  const faults: string[] = [];
  const lines = new Map<string, number>();
  for (const [index, row] of rows.entries()) {
    if (row.trim() === '') continue;
    const line = index + 2;
    const price = priceOf(row);
    if (typeof price === 'string') {
      faults.push(`Line ${line}: ${price}`);
      continue;
    }
    const name = `${price.country} ${price.carrier}`;
    const first = lines.get(name);
    if (first !== undefined) faults.push(`Line ${line}: line ${first} has a cost of ${name} already.`);
    lines.set(name, line);
    prices.push(price);
  }
  if (faults.length > 0) throw faultyFile(faults);
  if (prices.length === 0) throw faultyFile(['Line 2: there is no row under the columns.']);
  if (prices.length > ROWS_MAX) throw faultyFile([`Line ${ROWS_MAX + 2}: a file has at most ${ROWS_MAX} rows.`]);
  return prices;
}

/** Maximum of faults that one refusal names. */
const FAULTS_MAX = 10;

/** Returns the error for a file with faults, which changes nothing. */
export function faultyFile(faults: readonly string[]): DomainError {
  const more = faults.length > FAULTS_MAX ? ` And ${faults.length - FAULTS_MAX} more.` : '';
  const detail = `${faults.slice(0, FAULTS_MAX).join(' ')}${more} Nothing was changed.`;
  return new DomainError('invalid_request', detail);
}

/** Returns the price of a row, or its fault. */
function priceOf(row: string): RoutePrice | string {
  const fields = fieldsOf(row);
  const [name = '', carrier = '', cost = ''] = fields;
  if (fields.length !== 3) return `it has ${fields.length} fields instead of 3, ${COLUMNS}.`;
  const wanted = name.toUpperCase();
  const region = regions.find(({ iso2, code }) => iso2 === wanted || code === wanted);
  if (!region) return `${quoted(name)} is no country of the region table, such as US or USA.`;
  if (!/^[a-z][a-z0-9_-]*$/.test(carrier)) return `${quoted(carrier)} is no name of a carrier, such as twilio.`;
  const microusd = microusdOf(cost);
  const isTooSmall = microusd === 0n && /[1-9]/.test(cost);
  if (microusd === undefined || isTooSmall || microusd > BigInt(COST_USD_MAX) * 1_000_000n)
    return `${quoted(cost)} is no cost of a segment in US dollars, from 0 to ${COST_USD_MAX}, such as 0.0079.`;
  return { country: region.iso2, carrier, costMicrousd: Number(microusd) };
}

/** Returns the fields of a row, without surrounding quotation marks. */
function fieldsOf(row: string): string[] {
  return row.split(',').map((field) => field.trim().replace(/^"(.*)"$/, '$1'));
}

function quoted(text: string): string {
  return `"${text.slice(0, SHOWN_CHARACTERS)}"`;
}
