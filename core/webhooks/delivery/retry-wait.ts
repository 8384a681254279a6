/** No receiver can put us off for longer: the longest wait of the schedule. */
const RETRY_AFTER_SECONDS_MAX = 86_400;
/** Waits are longer by up to this part of them, so that what failed together does not come back together. */
const JITTER_MAX = 0.1;

/**
 * Seconds until the next attempt after so many failures, the one now included; undefined when the schedule is at its end.
 * `asked` is what the receiver asked for in seconds; `chance` a random number from 0 to 1.
 */
export function retryWaitSeconds(
  schedule: readonly number[],
  failures: number,
  { asked, chance }: { asked: number | undefined; chance: number },
): number | undefined {
  const wait = schedule[failures - 1];
  return wait === undefined ? undefined : Math.max(wait * (1 + chance * JITTER_MAX), asked ?? 0);
}

/** What `Retry-After` asks for (RFC 9110, 10.2.3), a number of seconds or a date; undefined when it cannot be read. */
export function retryAfterSeconds(header: string | undefined, now: Date): number | undefined {
  const text = header?.trim() ?? '';
  if (text === '') return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - now.getTime()) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), RETRY_AFTER_SECONDS_MAX);
}
