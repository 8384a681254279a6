import { quality, servedRegions, serviceStatus } from '#contract/examples.js';
import { qualityAnswer, regionsAnswer, statusAnswer } from '#contract/public-figures.js';
import { isQuality, isRegions, isStatus } from './public-figures.js';

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** Copies of `given`, each with one value replaced or missing. */
function* faulty(given: Json): Generator<Json | undefined> {
  for (const other of [undefined, null, 'other', 7, true, [], {}, ['other'], [{}]]) yield other;
  if (typeof given !== 'object' || given === null) return;
  for (const [name, value] of Object.entries(given))
    for (const other of faulty(value))
      yield Array.isArray(given)
        ? given.map((one: Json, place) => (String(place) === name ? (other ?? null) : one))
        : { ...given, [name]: other as Json };
}

describe('the checks of public figures', () => {
  const empty = { ...quality, computed_at: null, quality: [] };
  const cells = quality.quality.map((cell) => ({ ...cell, median_seconds: null, p95_seconds: null }));
  it.each([
    ['the status', isStatus, statusAnswer, serviceStatus],
    ['an unmeasured status', isStatus, statusAnswer, { ...serviceStatus, measured_at: null }],
    ['the regions', isRegions, regionsAnswer, servedRegions],
    ['quality', isQuality, qualityAnswer, quality],
    ['quality before the first figures', isQuality, qualityAnswer, empty],
    ['quality without times', isQuality, qualityAnswer, { ...quality, quality: cells }],
  ])('%s: accept what the contract accepts, and refuse a value of another kind', (_name, isRight, shape, answer) => {
    expect(isRight(answer)).toBe(true);
    let refused = 0;
    for (const other of faulty(answer)) {
      const { success } = shape.safeParse(other);
      expect([other, isRight(other)]).toEqual([other, success]);
      if (!success) refused += 1;
    }
    expect(refused).toBeGreaterThan(10);
  });
});
