import { Injectable } from '@nestjs/common';
import type { ReceiptLevel } from '#contract/messages.js';
import { carrierNameOf, Config } from '../platform/config/config.js';
import { Postgres } from '../platform/database/postgres.js';
import type { RouteMode } from '../rules/routes.js';
import { type RouteChange, Routes } from './routes.js';

const CHANGES_SHOWN = 50;

/** Codes are counted for the last seven days. */
export const routeReportStatement = {
  name: 'route-report-1',
  text: `
SELECT r.country, r.carrier::integer AS carrier, coalesce(m.mode, 'weights') AS mode, r.active,
  coalesce(r.manual_weight, r.weight)::integer AS weight, r.resting_weight::integer AS "restingWeight",
  r.manual_weight IS NOT NULL AS "isHeld", r.cost_microusd AS "costMicrousd", r.receipt_level AS "receiptLevel",
  r.doubtful_receipts AS "isDoubtful",
  EXISTS (SELECT FROM carrier_pauses p WHERE p.carrier = r.carrier AND p.resumed_at IS NULL) AS "isCarrierPaused",
  coalesce(h.messages, 0) AS messages, coalesce(h.bad, 0) AS bad,
  coalesce(h.hour_messages, 0) AS "hourMessages", coalesce(h.hour_delivered, 0) AS "hourDelivered",
  h.p50_ms::float8 AS "p50Ms", h.p95_ms::float8 AS "p95Ms", h.measured_at AS "measuredAt",
  coalesce(c.delivered, 0)::int AS "codesDelivered", coalesce(c.verified, 0)::int AS "codesEntered"
FROM routes r
LEFT JOIN route_modes m ON m.country = r.country
LEFT JOIN route_health h ON h.country = r.country AND h.carrier = r.carrier
LEFT JOIN (
  SELECT country, carrier, sum(delivered) AS delivered, sum(verified) AS verified FROM route_code_days
  WHERE day > (now() AT TIME ZONE 'UTC')::date - 7 GROUP BY country, carrier
) c ON c.country = r.country AND c.carrier = r.carrier
ORDER BY r.country, r.carrier`,
} as const;

/** A route as it is stored, with its latest figures. Times are in milliseconds, or null. */
export interface ReportedRoute {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** Number of the carrier. */
  readonly carrier: number;
  readonly mode: RouteMode;
  /** False while the operator has paused the route. */
  readonly active: boolean;
  readonly weight: number;
  readonly restingWeight: number;
  readonly isHeld: boolean;
  readonly costMicrousd: number | null;
  readonly receiptLevel: ReceiptLevel;
  readonly isDoubtful: boolean;
  readonly isCarrierPaused: boolean;
  /** Messages of the last ten minutes. */
  readonly messages: number;
  readonly bad: number;
  readonly hourMessages: number;
  readonly hourDelivered: number;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly measuredAt: Date | null;
  readonly codesDelivered: number;
  readonly codesEntered: number;
}

export interface RouteReport {
  readonly routes: readonly (ReportedRoute & { readonly carrierName: string; readonly isConfigured: boolean })[];
  /** Changes, newest first. */
  readonly changes: readonly RouteChange[];
}

/** Report of all routes for the operator. */
@Injectable()
export class RouteReports {
  constructor(
    private readonly config: Config,
    private readonly postgres: Postgres,
    private readonly routes: Routes,
  ) {}

  async read(): Promise<RouteReport> {
    const [found, changes] = await Promise.all([
      this.postgres.query<ReportedRoute>(routeReportStatement, []),
      this.routes.history({ country: undefined, beforeId: undefined, entriesMax: CHANGES_SHOWN }),
    ]);
    const routes = found.map((route) => ({
      ...route,
      carrierName: carrierNameOf(this.config, route.carrier),
      isConfigured: this.config.carriers.some(({ number }) => number === route.carrier),
    }));
    return { routes, changes };
  }
}
