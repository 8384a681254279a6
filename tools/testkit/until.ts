import { setTimeout as pause } from 'node:timers/promises';

interface Bound {
  readonly timeoutMs: number;
  readonly everyMs?: number;
  /** Ends the wait with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * Polls `look` until it returns something other than false or undefined. Throws with `what` when
 * the time is over.
 */
export async function until<T>(
  what: string,
  look: () => Promise<T | false | undefined> | T | false | undefined,
  { timeoutMs, everyMs = 50, signal }: Bound,
): Promise<T> {
  const deadlineMs = performance.now() + timeoutMs;
  for (;;) {
    signal?.throwIfAborted();
    const found = await look();
    if (found !== false && found !== undefined) return found;
    if (performance.now() > deadlineMs) throw new Error(`Not within ${timeoutMs} ms: ${what}`);
    await pause(everyMs, undefined, signal && { signal });
  }
}
