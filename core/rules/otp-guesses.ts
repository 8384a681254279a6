/** An account's live codes by their number of digits. */
export interface LiveCodes {
  readonly digits: number;
  readonly count: number;
}

const GUESSES_MAX = 1_000;
/** Codes of the usual length can always be guessed so often: people mistype. */
const GUESSES_MIN = 20;
const USUAL_DIGITS = 6;

/** Counting an account's live codes of one length further changes nothing. */
export const liveCodesCountedMax = 1_001;

/**
 * How often an account may be wrong in a window when nobody says whose code it is, so that guessing finds one in under 1 %
 * of windows: 10,000 by its live codes, from 20 to 1,000. Shorter codes are found sooner, so they bound it further, down to
 * none: they are to be verified with their recipient's number.
 */
export function guessesAllowed(live: readonly LiveCodes[]): number {
  const usual = countOf(live, (digits) => digits >= USUAL_DIGITS);
  const bounds = [usual > 0 ? Math.max(GUESSES_MIN, share(USUAL_DIGITS, usual)) : GUESSES_MAX];
  for (const { digits, count } of live) if (digits < USUAL_DIGITS && count > 0) bounds.push(share(digits, count));
  return Math.min(GUESSES_MAX, ...bounds);
}

/** One hundredth of all codes of this length, for each live one. */
function share(digits: number, count: number): number {
  return Math.floor(10 ** (digits - 2) / count);
}

function countOf(live: readonly LiveCodes[], wanted: (digits: number) => boolean): number {
  return live.reduce((sum, { digits, count }) => sum + (wanted(digits) ? count : 0), 0);
}
