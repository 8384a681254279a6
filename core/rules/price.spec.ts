import { limits } from '#contract/limits.js';
import { regions } from '#contract/regions.js';
import { priceOf } from './price.js';

describe('priceOf', () => {
  it.each([
    [1, 1, 1],
    [3, 5, 15],
    [10, 5, 50],
  ] as const)('asks for %i segments at %i credits the product, %i', (segments, creditsPerSms, credits) => {
    expect(priceOf(segments, { creditsPerSms })).toBe(credits);
  });

  it('is a whole number from 1 to 50 for every message and region there can be', () => {
    for (const region of regions) {
      for (let segments = 1; segments <= limits.messageSegmentsMax; segments++) {
        const credits = priceOf(segments, region);
        expect(Number.isInteger(credits) && credits >= 1 && credits <= 50).toBe(true);
      }
    }
  });

  it.each([0, -1, 1.5, 11, NaN, Infinity])('refuses to price %d segments', (segments) => {
    expect(() => priceOf(segments, { creditsPerSms: 1 })).toThrow(RangeError);
  });
});
