const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;

/** Exponential backoff with full jitter in its upper half. `chance` is a random number from 0 to 1. */
export function retryDelayMs(attempt: number, chance: number): number {
  const ceilingMs = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt - 1, 10));
  return Math.round(ceilingMs * (0.5 + chance / 2));
}
