import { z } from 'zod';

/**
 * Delivery to a country on a day, over all accounts. Days are those of acceptance, in UTC. Times run from acceptance, or from the time
 * for which a message was scheduled, to delivery; null when nothing was delivered.
 */
export const qualityCell = z.object({
  day: z.iso.date(),
  /** ISO 3166-1 alpha-2. */
  country: z.string(),
  /** Percentage of the messages in a final state, with one decimal. */
  delivered_percent: z.number().min(0).max(100),
  median_seconds: z.number().nonnegative().nullable(),
  p95_seconds: z.number().nonnegative().nullable(),
});
export type QualityCell = z.infer<typeof qualityCell>;

/** Answer of GET /api/quality: newest day first, then by country. Days and countries with too little to show are left out. */
export const qualityAnswer = z.object({
  success: z.literal('true'),
  /** When the newest figures were computed; null when there are none. */
  computed_at: z.iso.datetime().nullable(),
  quality: z.array(qualityCell),
});
export type QualityAnswer = z.infer<typeof qualityAnswer>;
