import { z } from 'zod';
import { limits } from './limits.js';

/** Query of GET /api/dashboard/activity: how many New York days back, today included. */
export const activityQuery = z.object({
  days: z.coerce.number().int().min(1).max(limits.activityDaysMax).default(limits.activityDaysDefault),
});
export type ActivityQuery = z.infer<typeof activityQuery>;

const count = z.int().nonnegative();

/** The messages that were accepted on a New York day, by how far they are now. `queued` are those on their way to the carrier too. */
export const activityDay = z.object({
  day: z.iso.date(),
  queued: count,
  sent: count,
  delivered: count,
  undelivered: count,
  failed: count,
});
export type ActivityDay = z.infer<typeof activityDay>;

/** Its answer: every day that was asked for, the oldest first. */
export const activityAnswer = z.object({ days: z.array(activityDay) });
export type ActivityAnswer = z.infer<typeof activityAnswer>;
