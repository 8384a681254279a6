import { z } from 'zod';
import { components, componentStates } from './status-names.js';

const percent = z.number().min(0).max(100);

/** A day of a component, in UTC. */
export const statusDay = z.object({
  day: z.iso.date(),
  /** Worst state of the day; `unknown` if it was not measured. */
  state: z.enum(componentStates),
  /** Share of the measured time without an outage, never rounded up; null if it was not measured. */
  available_percent: percent.nullable(),
  /** Share of the day, or of today until now, in which it was measured. */
  measured_percent: percent,
});
export type StatusDay = z.infer<typeof statusDay>;

/**
 * Answer of GET /api/status. Incidents and history are of the last 90 days. Incidents: newest
 * first; `ended_at` is null while an incident lasts. History: oldest day first.
 */
export const statusAnswer = z.object({
  success: z.literal('true'),
  /** Time of the last measurement; null if never measured. */
  measured_at: z.iso.datetime().nullable(),
  components: z.array(z.object({ component: z.enum(components), state: z.enum(componentStates) })),
  incidents: z.array(
    z.object({
      component: z.enum(components),
      /** Worst state of the incident. */
      state: z.enum(['degraded', 'outage']),
      started_at: z.iso.datetime(),
      ended_at: z.iso.datetime().nullable(),
    }),
  ),
  history: z.array(
    z.object({
      component: z.enum(components),
      available_percent: percent.nullable(),
      days: z.array(statusDay),
    }),
  ),
});
export type StatusAnswer = z.infer<typeof statusAnswer>;

/**
 * Delivery to a country on a day, over all accounts. Days are UTC days of acceptance. Times run
 * from acceptance, or from the time for which a message was scheduled, to delivery; null when
 * nothing was delivered.
 */
export const qualityCell = z.object({
  day: z.iso.date(),
  /** ISO 3166-1 alpha-2. */
  country: z.string(),
  /** Percentage of the messages in a final state, with one decimal. */
  delivered_percent: percent,
  median_seconds: z.number().nonnegative().nullable(),
  p95_seconds: z.number().nonnegative().nullable(),
  /**
   * Percentage of the one-time passwords sent on that day in New York that were verified, with one
   * decimal; null with too few of them to show.
   */
  verified_percent: percent.nullable(),
});
export type QualityCell = z.infer<typeof qualityCell>;

/**
 * Answer of GET /api/quality: newest day first, then by country. Days and countries with too little
 * to show are left out.
 */
export const qualityAnswer = z.object({
  success: z.literal('true'),
  /** Time at which the newest figures were computed; null when there are none. */
  computed_at: z.iso.datetime().nullable(),
  quality: z.array(qualityCell),
});
export type QualityAnswer = z.infer<typeof qualityAnswer>;

/** A country as it is served now. */
export const regionView = z.object({
  country: z.string(),
  /** ISO 3166-1 alpha-3. */
  code: z.string(),
  /** ISO 3166-1 alpha-2. */
  iso2: z.string(),
  area_code: z.string(),
  /** Price of one segment. */
  credits_per_sms: z.int().positive(),
  active: z.boolean(),
  /** One-time passwords are sent to this country; never without `active`. */
  otp: z.boolean(),
  /** One-time passwords are spoken in calls to this country; never without `active`. */
  voice: z.boolean(),
});
export type RegionView = z.infer<typeof regionView>;

/** Answer of GET /api/regions: all countries of the region table by name. */
export const regionsAnswer = z.object({ success: z.literal('true'), regions: z.array(regionView) });
export type RegionsAnswer = z.infer<typeof regionsAnswer>;
