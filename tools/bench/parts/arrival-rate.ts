import type { Arrival } from '../product/carrier.js';

/** Messages per second from the first arrival to the last. Throws when there are fewer than two moments. */
export function arrivalRate(arrivals: readonly Arrival[]): { perSecond: number; seconds: number } {
  const times = arrivals.map(({ arrivedAtMs }) => arrivedAtMs).sort((a, b) => a - b);
  const [first, last] = [times.at(0), times.at(-1)];
  if (first === undefined || last === undefined || last === first)
    throw new Error('A rate needs arrivals at two moments');
  const seconds = (last - first) / 1_000;
  return { perSecond: (times.length - 1) / seconds, seconds };
}

/** The time from accept to arrival that half, and all but a hundredth, of the messages kept within. */
export function waitsOf(arrivals: readonly Arrival[]): { p50Ms: number; p99Ms: number } {
  const waits = arrivals.map(({ acceptedAtMs, arrivedAtMs }) => arrivedAtMs - acceptedAtMs).sort((a, b) => a - b);
  const at = (share: number) => {
    const wait = waits[Math.min(waits.length - 1, Math.floor(waits.length * share))];
    if (wait === undefined) throw new Error('A wait needs an arrival');
    return wait;
  };
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}
