import { setTimeout as pause } from 'node:timers/promises';

const LOOK_EVERY_MS = 10;

/** Waits until a condition holds. Throws when it does not within the bound. */
export async function until(what: string, condition: () => boolean | Promise<boolean>, boundMs = 4_000): Promise<void> {
  const end = Date.now() + boundMs;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`Waited ${boundMs} ms in vain until ${what}.`);
    await pause(LOOK_EVERY_MS);
  }
}
