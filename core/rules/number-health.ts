import { carrierNumbers } from '#contract/carrier-codes.js';
import { carrierCodes } from '#contract/delivery-errors.js';

/** Ended messages without which a number is not judged. */
const JUDGED_MIN = 10;
const FAILED_SHARE = 0.5;
/** Those that carriers filtered are few at first: they let the others pass. */
const FILTERED_MIN = 3;
const FILTERED_SHARE = 0.2;

/** Codes with which carriers filter a number's messages: as spam, and for want of a registration. */
const filteredCodes: Readonly<Record<number, readonly number[]>> = {
  [carrierNumbers.twilio]: [30_007, 30_034],
  [carrierNumbers.telnyx]: [40_002, 40_003, 40_010, 40_015, 40_017, 40_150],
};

/** How the messages of a number fared that were handed over within ten minutes. */
export interface NumberFigures {
  /** Those that have ended: delivered or not. */
  readonly ended: number;
  /** Those that failed for the sender or for the route. */
  readonly failed: number;
  /** Those among them that carriers filtered. */
  readonly filtered: number;
}

/** Whether carriers filter what is sent from the number, or most of it fails for the number's sake. */
export function isFiltered({ ended, failed, filtered }: NumberFigures): boolean {
  if (filtered >= FILTERED_MIN && filtered / ended >= FILTERED_SHARE) return true;
  return ended >= JUDGED_MIN && failed / ended >= FAILED_SHARE;
}

/** Codes of carriers with which a message fails for its number's sake. */
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
