import { Injectable } from '@nestjs/common';
import { Config } from '../platform/config/config.js';
import { Postgres } from '../platform/database/postgres.js';
import { Snapshot } from '../platform/database/snapshot.js';
import { JUDGED_MIN } from '../rules/route-health.js';
import { type OpenRoute, rankRoutes, type RouteMode } from '../rules/routes.js';

const FRESH_MS = 1_000;
/** Older figures do not count. */
const MEASURED_MINUTES = 5;

/**
 * Own senders are the carrier's senders for the country alone. A held weight also replaces the
 * resting weight.
 */
export const openRoutesStatement = {
  name: 'open-routes-2',
  text: `
SELECT r.country, r.carrier::integer AS carrier, coalesce(r.manual_weight, r.weight)::integer AS weight,
  coalesce(r.manual_weight, r.resting_weight)::integer AS "restingWeight", r.cost_microusd AS "costMicrousd", r.active,
  r.sender_policy = 'own' AS "usesOwnSenders", coalesce(m.mode, 'weights') AS mode,
  EXISTS (SELECT FROM carrier_pauses p WHERE p.carrier = r.carrier AND p.resumed_at IS NULL) AS "isPaused",
  h.hour_delivered::float8 / h.hour_messages AS "deliveredShare"
FROM routes r LEFT JOIN route_modes m ON m.country = r.country
LEFT JOIN route_health h ON h.country = r.country AND h.carrier = r.carrier AND h.hour_messages >= ${JUDGED_MIN}
  AND h.measured_at > now() - interval '${MEASURED_MINUTES} minutes'
ORDER BY r.country, r.carrier`,
  answerWithinMs: 5_000,
} as const;

export interface RouteRow extends OpenRoute {
  readonly country: string;
  readonly active: boolean;
  readonly usesOwnSenders: boolean;
  readonly mode: RouteMode;
}

interface CountryRoutes {
  readonly mode: RouteMode;
  readonly open: readonly OpenRoute[];
}

/**
 * Chooses the route of a message. Routes are read at most once a second, and never with a single
 * carrier.
 */
@Injectable()
export class ChooseRoute {
  private readonly routes = new Snapshot({ read: () => this.read(), freshMs: FRESH_MS });

  constructor(
    private readonly config: Config,
    private readonly postgres: Postgres,
  ) {}

  /** Whether there are several carriers to choose from. */
  get areSeveral(): boolean {
    return this.config.carriers.length > 1;
  }

  /**
   * Returns the numbers of the given carriers that may take a message to the country (ISO 3166-1
   * alpha-2), the chosen carrier first; undefined when the country has no routes, so that every
   * carrier may. See {@link rankRoutes} for `point`.
   */
  async ranked(country: string, carriers: ReadonlySet<number>, point: number): Promise<readonly number[] | undefined> {
    const ofCountry = (await this.routes.get()).get(country);
    if (!ofCountry) return undefined;
    const open = ofCountry.open.filter(({ carrier }) => carriers.has(carrier));
    return rankRoutes(open, ofCountry.mode, point).map(({ carrier }) => carrier);
  }

  /** As {@link ranked}, but chooses at random, independent of mode and weights. */
  async atRandom(
    country: string,
    carriers: ReadonlySet<number>,
    point: number,
  ): Promise<readonly number[] | undefined> {
    const ranked = (await this.ranked(country, carriers, point))?.toSorted((a, b) => a - b);
    const first = Math.floor(point * (ranked?.length ?? 0));
    return ranked && [...ranked.slice(first), ...ranked.slice(0, first)];
  }

  private async read(): Promise<ReadonlyMap<string, CountryRoutes>> {
    const rows = await this.postgres.query<RouteRow>(openRoutesStatement, []);
    const countries = new Map<string, { mode: RouteMode; open: OpenRoute[] }>();
    for (const row of rows) {
      const known = countries.get(row.country) ?? { mode: row.mode, open: [] };
      if (this.isOpen(row)) known.open.push(row);
      countries.set(row.country, known);
    }
    return countries;
  }

  private isOpen({ country, carrier: number, active, usesOwnSenders }: RouteRow): boolean {
    const carrier = this.config.carriers.find((configured) => configured.number === number);
    return carrier !== undefined && active && (!usesOwnSenders || carrier.countrySenders.has(country));
  }
}
