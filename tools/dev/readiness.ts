import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from './start-error.js';

const boundMs = 60_000;

/** Waits until every URL answers 2xx, in order. Throws StartError after 60 s, or the signal's reason when it aborts. */
export async function waitForOk(name: string, urls: string[], signal: AbortSignal): Promise<void> {
  const deadlineMs = Date.now() + boundMs;
  for (const url of urls) {
    let last = 'no answer';
    for (;;) {
      signal.throwIfAborted();
      try {
        const answer = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(2_000)]) });
        if (answer.ok) break;
        last = `status ${answer.status}: ${(await answer.text()).slice(0, 200)}`;
      } catch (error) {
        last = reasonOf(error);
      }
      if (Date.now() > deadlineMs) {
        throw new StartError(
          `The ${name} was not ready within ${boundMs / 1000} s: ${url} gave ${last}. Its log is above.`,
        );
      }
      await delay(100);
    }
  }
}

// fetch says only "fetch failed"; the refused connection is its cause.
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || error.cause.name : error.message;
}
