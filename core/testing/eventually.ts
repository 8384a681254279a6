import { setTimeout as pause } from 'node:timers/promises';

const STEP_MS = 20;

/**
 * Waits until the check holds; throws with `what` after `withinMs`. The default suits a busy
 * machine, and is below the 15 s after which recovery repairs a process's failure.
 */
export async function eventually(what: string, check: () => Promise<boolean>, withinMs = 12_000): Promise<void> {
  const until = performance.now() + withinMs;
  while (!(await check())) {
    if (performance.now() > until) throw new Error(`Not within ${withinMs} ms: ${what}`);
    await pause(STEP_MS);
  }
}
