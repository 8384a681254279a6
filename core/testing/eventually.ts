import { setTimeout as pause } from 'node:timers/promises';

const STEP_MS = 20;

/** Waits until the check holds; throws after `withinMs`, saying what did not come. */
export async function eventually(what: string, check: () => Promise<boolean>, withinMs = 5_000): Promise<void> {
  const until = performance.now() + withinMs;
  while (!(await check())) {
    if (performance.now() > until) throw new Error(`Not within ${withinMs} ms: ${what}`);
    await pause(STEP_MS);
  }
}
