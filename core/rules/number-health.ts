import { carrierNumbers } from '#contract/carrier-codes.js';
import { carrierCodes } from '#contract/delivery-errors.js';

/** Minimum of ended messages for judging a number. */
const JUDGED_MIN = 10;
const FAILED_SHARE = 0.5;
/** Carriers filter few messages of a number at first and let the others pass. */
const FILTERED_MIN = 3;
const FILTERED_SHARE = 0.2;

/**
 * Codes with which carriers filter a number's messages: as spam, or because a registration is
 * missing.
 */
const filteredCodes: Readonly<Record<number, readonly number[]>> = {
  [carrierNumbers.twilio]: [30_007, 30_034],
  [carrierNumbers.telnyx]: [40_002, 40_003, 40_010, 40_015, 40_017, 40_150],
};

/** Figures of a number's messages that were handed over within ten minutes. */
export interface NumberFigures {
  /** Messages that have ended: delivered or not. */
  readonly ended: number;
  /** Ended messages that failed because of the sender or the route. */
  readonly failed: number;
  /** Failed messages that carriers filtered. */
  readonly filtered: number;
}

/** Whether carriers filter a number's messages, or at least half fail because of the number. */
export function isFiltered({ ended, failed, filtered }: NumberFigures): boolean {
  if (filtered >= FILTERED_MIN && filtered / ended >= FILTERED_SHARE) return true;
  return ended >= JUDGED_MIN && failed / ended >= FAILED_SHARE;
}

/** Codes of carriers for failures because of the number: of sender, route or filter. */
export const codesOfNumbers: readonly { readonly carrier: number; readonly code: number }[] = Object.entries(
  carrierCodes,
).flatMap(([carrier, codes]) =>
  Object.entries(codes)
    .map(([code, { class: failure }]) => ({ carrier: Number(carrier), code: Number(code), failure }))
    .filter(({ code, failure, ...of }) => failure === 'sender' || failure === 'route' || isFilter(of.carrier, code))
    .map(({ failure: _failure, ...code }) => code),
);

/** Whether carriers filter with this code. */
export function isFilter(carrier: number, code: number): boolean {
  return filteredCodes[carrier]?.includes(code) === true;
}
