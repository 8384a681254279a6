import { z } from 'zod';
import { faultText } from '#contract/faults.js';
import { receiptLevels } from '#contract/messages.js';
import { regions } from '#contract/regions.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { COST_USD_MAX, faultyFile } from '../rules/route-prices.js';
import { routeModes, senderPolicies } from '../rules/routes.js';

const weight = z.int().min(0).max(100);

const routeSettings = z.strictObject({
  /** Resting weight. */
  weight: weight.exactOptional(),
  /** Manual weight; null for none. */
  held: weight.nullable().exactOptional(),
  paused: z.boolean().exactOptional(),
  /** Cost of a segment, in millionths of a US dollar; null if it is unknown. */
  cost_microusd: z
    .int()
    .min(0)
    .max(COST_USD_MAX * 1_000_000)
    .nullable()
    .exactOptional(),
  senders: z.enum(senderPolicies).exactOptional(),
  receipts: z.enum(receiptLevels).exactOptional(),
});

const countryRoutes = z.strictObject({
  mode: z.enum(routeModes).exactOptional(),
  /** Routes by the name of their carrier. */
  routes: z.record(z.string(), routeSettings).exactOptional(),
});

/** Key that stands for every country of the region table without a key of its own. */
export const ALL = 'all';

const routeFile = z.partialRecord(z.enum([ALL, ...regions.map(({ iso2 }) => iso2)]), countryRoutes);

/** Settings of a route and of a country's routes; absent settings stay as they are. */
export type RouteSettings = Readonly<z.infer<typeof routeSettings>>;
export type CountryRoutes = z.infer<typeof countryRoutes>;

/** Routes as the operator sets them, by country (ISO 3166-1 alpha-2). */
export type RouteFile = z.infer<typeof routeFile>;

export const routeFields = ['weight', 'held', 'paused', 'cost_microusd', 'senders', 'receipts'] as const;

/** Parses a file of routes. Throws `invalid_request`, which names the faulty fields. */
export function parseRouteFile(text: string): RouteFile {
  const parsed = routeFile.safeParse(jsonOf(text), { error: faultText });
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) =>
    issue.code === 'unrecognized_keys' && issue.path.length === 0
      ? `${issue.keys.join(', ')} is no country of the region table, such as US, and not ${ALL}.`
      : `${issue.path.join('.') || 'The file'} ${issue.message}.`,
  );
  throw faultyFile(faults);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new DomainError('invalid_request', 'The file is no JSON. route show prints one.', { cause });
  }
}
