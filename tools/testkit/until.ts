import { setTimeout as pause } from 'node:timers/promises';

interface Bound {
  readonly timeoutMs: number;
  readonly everyMs?: number;
}

/** Looks again and again until `look` answers something other than false or undefined. Throws naming `what` when time is over. */
export async function until<T>(
  what: string,
  look: () => Promise<T | false | undefined> | T | false | undefined,
  { timeoutMs, everyMs = 50 }: Bound,
): Promise<T> {
  const deadlineMs = performance.now() + timeoutMs;
  for (;;) {
    const found = await look();
    if (found !== false && found !== undefined) return found;
    if (performance.now() > deadlineMs) throw new Error(`Not within ${timeoutMs} ms: ${what}`);
    await pause(everyMs);
  }
}
