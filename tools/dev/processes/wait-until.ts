import { setTimeout as delay } from 'node:timers/promises';

/** Looks every `everyMs` until the condition holds; answers false when `timeoutMs` passed first. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  timeoutMs: number,
  everyMs = 50,
): Promise<boolean> {
  const deadlineMs = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() >= deadlineMs) return false;
    await delay(everyMs);
  }
  return true;
}
