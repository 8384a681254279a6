import { arrivalRate, waitsOf } from './arrival-rate.js';

const arrivals = (times: readonly [acceptedAtMs: number, arrivedAtMs: number][]) =>
  times.map(([acceptedAtMs, arrivedAtMs], index) => ({ messageId: String(index), acceptedAtMs, arrivedAtMs }));

describe('arrivals at the carrier', () => {
  it('counts the messages that followed the first one', () => {
    expect(
      arrivalRate(
        arrivals([
          [0, 3_000],
          [0, 1_000],
          [0, 2_000],
        ]),
      ),
    ).toEqual({ perSecond: 1, seconds: 2 });
  });

  it('gives no rate for a single moment', () => {
    expect(() =>
      arrivalRate(
        arrivals([
          [0, 1_000],
          [0, 1_000],
        ]),
      ),
    ).toThrow('two moments');
  });

  it('finds the wait of the middle and of the slowest hundredth', () => {
    const times = Array.from({ length: 200 }, (_, index): [number, number] => [1_000, 1_000 + index]);
    expect(waitsOf(arrivals(times))).toEqual({ p50Ms: 100, p99Ms: 198 });
  });
});
