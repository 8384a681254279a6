import { setTimeout as pause } from 'node:timers/promises';

interface Wait {
  /** For the error: "<what> within N s". */
  readonly what: string;
  readonly timeoutMs: number;
  readonly everyMs?: number;
  readonly signal: AbortSignal;
}

/** Asks again and again until the answer is yes. Throws when `timeoutMs` passes first or the signal aborts. */
export async function waitUntil(isSo: () => Promise<boolean>, wait: Wait): Promise<void> {
  const { what, timeoutMs, everyMs = 100, signal } = wait;
  const deadlineMs = Date.now() + timeoutMs;
  for (;;) {
    signal.throwIfAborted();
    if (await isSo()) return;
    if (Date.now() > deadlineMs) throw new Error(`${what} did not happen within ${timeoutMs / 1_000} s`);
    await pause(everyMs, undefined, { signal });
  }
}
