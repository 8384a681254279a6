import { z } from 'zod';
import { limits } from './limits.js';

/** Query of GET /api/exposure; `apikey` replaces `Authorization: Bearer`. */
export const exposureQuery = z.object({ apikey: z.string().optional() });

/**
 * Limits that end the spending: the credits, the messages of the daily limits, or the keys'
 * budgets.
 */
export const exposureBounds = ['sending_off', 'balance', 'daily_limit', 'budgets'] as const;
export type ExposureBound = (typeof exposureBounds)[number];

/** Changes that lower the exposure. */
export const exposureSwitches = ['top_up_off'] as const;
export type ExposureSwitch = (typeof exposureSwitches)[number];

const count = z.int().nonnegative();

/**
 * Answer of GET /api/exposure and /api/dashboard/exposure: the most credits that could be spent
 * before you notice if all keys leaked now, assuming that you notice within `within_hours`.
 * `top_up_credits`: credits that automatic top-up could buy meanwhile; `number_credits`: cost of
 * the numbers that a key may buy. `keys`: the same for each key alone, the largest first.
 * `switches`: changes that lower `credits`, and the sum that is left then.
 */
export const exposureAnswer = z.object({
  success: z.literal('true'),
  credits: count,
  bound: z.enum(exposureBounds),
  within_hours: z.int().positive(),
  available: count,
  top_up_credits: count,
  number_credits: count,
  messages: count,
  credits_per_message: count,
  keys: z
    .array(z.object({ key_id: z.string().nullable(), name: z.string().nullable(), credits: count }))
    .max(limits.namedKeysMax + 1),
  switches: z.array(
    z.object({
      switch: z.enum(exposureSwitches),
      /** Id of the key that the switch is about; null for other switches. */
      key_id: z.string().nullable(),
      text: z.string(),
      credits: count,
    }),
  ),
  test: z.literal(true).optional(),
});
export type ExposureAnswer = z.infer<typeof exposureAnswer>;
