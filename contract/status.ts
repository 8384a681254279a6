import { z } from 'zod';

/** What customers depend on. `api` is the server that answers; the worker measures the others every minute. */
export const components = ['api', 'sending', 'webhooks', 'email'] as const;
export type Component = (typeof components)[number];

/** `unknown`: not measured within the last five minutes. */
export const componentStates = ['operational', 'degraded', 'outage', 'unknown'] as const;
export type ComponentState = (typeof componentStates)[number];

/** Answer of GET /api/status. Incidents are of the last 30 days, newest first; `ended_at` is null while one lasts. */
export const statusAnswer = z.object({
  success: z.literal('true'),
  /** When the components were measured last; null if never. */
  measured_at: z.iso.datetime().nullable(),
  components: z.array(z.object({ component: z.enum(components), state: z.enum(componentStates) })),
  incidents: z.array(
    z.object({
      component: z.enum(components),
      /** The worst state it reached. */
      state: z.enum(['degraded', 'outage']),
      started_at: z.iso.datetime(),
      ended_at: z.iso.datetime().nullable(),
    }),
  ),
});
export type StatusAnswer = z.infer<typeof statusAnswer>;
