import { setTimeout as pause } from 'node:timers/promises';

const STEP_MS = 20;

/**
 * Waits until the check holds; throws with `what` after `withinMs`. The usual bound suits a busy
 * machine, and is below the 15 s after which recovery brings about what a process has failed to do.
 */
export async function eventually(what: string, check: () => Promise<boolean>, withinMs = 12_000): Promise<void> {
  const until = performance.now() + withinMs;
  while (!(await check())) {
    if (performance.now() > until) throw new Error(`Not within ${withinMs} ms: ${what}`);
    await pause(STEP_MS);
  }
}
