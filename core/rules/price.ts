import { limits } from '#contract/limits.js';
import type { Region } from '#contract/regions.js';

/**
 * Returns the price of a message in credits: segments (1 to 10) times the region's rate. Throws
 * RangeError for other numbers of segments.
 */
export function priceOf(segments: number, region: Pick<Region, 'creditsPerSms'>): number {
  if (!Number.isInteger(segments) || segments < 1 || segments > limits.messageSegmentsMax) {
    throw new RangeError(`A message has 1 to ${limits.messageSegmentsMax} segments, not ${segments}.`);
  }
  return segments * region.creditsPerSms;
}
