/** Share of one-time passwords, 13 of 256 or one in twenty; see {@link takesRandomRoute}. */
const SAMPLED_BYTES = 13;
const JUDGED_MIN = 200;
const Z_MIN = 4;

/** SQL of {@link takesRandomRoute} for the id of a message. */
export const takesRandomRouteSql = (id: string) =>
  `right(${id}::text, 2) < '${SAMPLED_BYTES.toString(16).padStart(2, '0')}'`;

/**
 * Whether a one-time password with this id, a UUIDv7, takes a route at random: 13 of 256, by the last
 * byte, which is random.
 */
export function takesRandomRoute(id: string): boolean {
  return Number.parseInt(id.slice(-2), 16) < SAMPLED_BYTES;
}

/**
 * Returns a random number from 0 to below 1 from the id, independent of {@link takesRandomRoute}.
 */
export function randomPointOf(id: string): number {
  return Number.parseInt(id.slice(-6, -2), 16) / 2 ** 16;
}

/** Numbers of a route's codes in one country: delivered by receipts, and entered among these. */
export interface EnteredCodes {
  /** Number of the carrier. */
  readonly carrier: number;
  readonly delivered: number;
  readonly entered: number;
}

/**
 * Judges the receipts of the routes of a country, by the number of the carrier: true if so few of a
 * route's codes are entered that its receipts are doubtful, less than half of the best other
 * route's share at 200 codes each, and more than chance explains (two-proportion z above 4). A
 * route that cannot be judged has no entry.
 */
export function doubtsOf(routes: readonly EnteredCodes[]): ReadonlyMap<number, boolean> {
  const judged = routes.filter(({ delivered }) => delivered >= JUDGED_MIN);
  return new Map(
    judged.flatMap((route) => {
      const others = judged.filter((other) => other !== route);
      const [best] = others.toSorted((a, b) => shareOf(b) - shareOf(a));
      if (!best) return [];
      return [[route.carrier, shareOf(route) < shareOf(best) / 2 && zOf(route, best) > Z_MIN] as const];
    }),
  );
}

function shareOf({ delivered, entered }: EnteredCodes): number {
  return entered / delivered;
}

/**
 * Number of standard errors by which the share of `b` exceeds the share of `a`, by the pooled
 * share.
 */
function zOf(a: EnteredCodes, b: EnteredCodes): number {
  const pooled = (a.entered + b.entered) / (a.delivered + b.delivered);
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / a.delivered + 1 / b.delivered));
  return error === 0 ? 0 : (shareOf(b) - shareOf(a)) / error;
}
