import { z } from 'zod';

/** Digits of the largest whole number that is exact, `Number.MAX_SAFE_INTEGER`. */
const DIGITS = /^\d{1,16}$/;

/** Reads a whole number that a query or a form sends as text: decimal digits only, else NaN. */
export function numberOfDigits(text: string): number {
  return DIGITS.test(text) ? Number(text) : Number.NaN;
}

/**
 * A whole number of a query or a body, as decimal digits if it is text. JavaScript reads more than
 * that as a number: '0x5', '5e0', ' 5', '+5', '5.0' and an empty text.
 */
export function wholeNumber(min: number, max: number) {
  const number = z.int({
    error: ({ code, input }) => (code === 'invalid_type' && input !== undefined ? 'must be a whole number' : undefined),
  });
  return z.preprocess(
    (value) => (typeof value === 'string' && DIGITS.test(value) ? Number(value) : value),
    number.min(min).max(max),
  );
}
