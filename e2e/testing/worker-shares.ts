import type { Stack } from './stack.js';

/**
 * Settings of three workers that share a small machine: fewer calls at once, and no call given up
 * for want of time.
 */
export const unhurried = { WORKER_CONCURRENCY: '25', CARRIER_TIMEOUT_MS: '5000', DISPATCH_LEASE_SECONDS: '15' };

/** Messages that each worker has handed to the carrier, by its metrics. */
export function workerShares({ workerUrls }: Stack): Promise<number[]> {
  return Promise.all(
    workerUrls.map(async (url) => {
      const text = await (await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(10_000) })).text();
      const count = /^pennytext_carrier_call_duration_seconds_count\{[^}]*outcome="accepted"[^}]*\} (\d+)$/m.exec(
        text,
      )?.[1];
      return Number(count ?? 0);
    }),
  );
}
