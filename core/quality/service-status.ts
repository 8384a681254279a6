import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { limits } from '#contract/limits.js';
import type { StatusAnswer, StatusDay } from '#contract/public-figures.js';
import { type Component, components, type ComponentState } from '#contract/status-names.js';
import { CurrentRegions } from '../routes/current-regions.js';
import { hasSendersFor, isOpen } from '../routes/routes.js';
import { Config } from '../platform/config/config.js';
import { Postgres } from '../platform/database/postgres.js';
import { Snapshot } from '../platform/database/snapshot.js';
import { type WaitingRows, WaitingRowsRepository } from '../platform/health/waiting-rows.js';
import { isHealthy } from '../rules/route-health.js';
import { Every } from '../platform/schedules/every.js';

const CHECKED_EVERY_MS = 60_000;

type Measured = Exclude<ComponentState, 'unknown'>;

/**
 * Ages of the oldest waiting row, in seconds, from which a component is degraded or out; alerts use
 * the first values.
 */
const ages = {
  sending: { kind: 'dispatch', degraded: 120, outage: 900 },
  webhooks: { kind: 'webhooks', degraded: 300, outage: 3_600 },
  email: { kind: 'mail', degraded: 600, outage: 3_600 },
} as const satisfies Partial<Record<Component, { kind: WaitingRows['kind']; degraded: number; outage: number }>>;

/** Servers report their presence each minute. */
const PRESENCE_OLD_SECONDS = 50;
/** The API is out when no server has reported for this long. */
const SERVERS_SILENT_SECONDS = 180;

/** This many messages without the carrier's answer are more than chance. */
const UNANSWERED_MANY = 10;
const CHECKED_MAX = 20_000;
const NEWEST = 1_000;

const MEASURED_EVERY_SECONDS = 50;
const STALE_SECONDS = 300;
const INCIDENTS_MAX = 100;
const ANSWER_KEPT_MS = 15_000;
const PATIENCE_MS = 5_000;
const DAY_MS = 86_400_000;

/**
 * Tells whether a measurement is due, and what the states depend on. Parameter: numbers of the
 * carriers.
 */
const turnStatement = `
SELECT NOT EXISTS (
  SELECT FROM component_states WHERE measured_at > now() - make_interval(secs => ${MEASURED_EVERY_SECONDS})
) AS due, (
  SELECT count(*) FROM carrier_pauses WHERE resumed_at IS NULL AND carrier = ANY ($1::smallint[])
) = cardinality($1::smallint[]) AS paused, now() AS now,
  (SELECT extract(epoch FROM now() - answered_at)::float8 FROM server_presence) AS "serversSilentSeconds"`;

/** Citus compares nothing with `now()` here: a difference of two instants depends on no time zone. */
const presenceStatement = {
  text: `INSERT INTO server_presence AS p (answered_at) VALUES (now())
    ON CONFLICT (id) DO UPDATE SET answered_at = excluded.answered_at
    WHERE excluded.answered_at - p.answered_at > interval '${PRESENCE_OLD_SECONDS} seconds'`,
  shared: true,
} as const;

/**
 * Messages that were handed to the carrier and have no outcome although their claim is over,
 * because the carrier's answer and their look-ups failed; and whether it has answered about a newer
 * message. Recovery checks each within ten minutes. Parameter: seconds of a lease.
 */
export const carrierAnswersStatement = {
  text: `
WITH unanswered AS (
  SELECT min(claimed_at) AS since, count(*)::int AS messages FROM (
    SELECT status, claimed_at FROM messages WHERE id = ANY(ARRAY(
      SELECT unnest(message_ids) FROM (
        SELECT * FROM message_checks WHERE kind IN ('claimed', 'queued') AND due_at < now() + interval '11 minutes'
        ORDER BY kind, due_at, id
      ) c LIMIT ${CHECKED_MAX}
    ))
  ) looked
  WHERE status = 'sending' AND claimed_at < now() - make_interval(secs => $1)
)
SELECT messages AS unanswered, coalesce(extract(epoch FROM now() - since), 0)::float8 AS "oldestSeconds",
  EXISTS (
    SELECT FROM (SELECT status, claimed_at FROM messages ORDER BY id DESC LIMIT ${NEWEST}) newest
    WHERE claimed_at > since AND status IN ('sent', 'delivered', 'undelivered', 'failed')
  ) AS "answersNewer"
FROM unanswered`,
} as const;

/** The routes of countries, with their latest figures. */
export const routeStatesStatement = {
  text: `
SELECT r.country, r.carrier::integer AS carrier, r.active, EXISTS (
    SELECT FROM carrier_pauses p WHERE p.carrier = r.carrier AND p.resumed_at IS NULL
  ) AS "isPaused", coalesce(h.messages, 0) AS messages, coalesce(h.bad, 0) AS bad
FROM routes r
LEFT JOIN route_health h ON h.country = r.country AND h.carrier = r.carrier
  AND h.measured_at > now() - make_interval(secs => ${STALE_SECONDS})`,
} as const;

/** A route and the figures of its messages of the last ten minutes. */
export interface RouteState {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** Number of the carrier. */
  readonly carrier: number;
  /** False while the operator has paused the route. */
  readonly active: boolean;
  readonly isPaused: boolean;
  readonly messages: number;
  readonly bad: number;
}

/**
 * A country that customers may send to, with its open routes. Without routes, any carrier may serve
 * it.
 */
interface ServedCountry {
  readonly routes: readonly Pick<RouteState, 'isPaused' | 'messages' | 'bad'>[];
  readonly isServedWithoutRoutes: boolean;
}

interface CarrierAnswers {
  readonly unanswered: number;
  /** Seconds since the oldest claim of these messages. */
  readonly oldestSeconds: number;
  readonly answersNewer: boolean;
}

export const statesStatement = {
  text: `SELECT component, state, candidate, candidate_at AS "candidateAt", measured_at AS "measuredAt",
    measured_at > now() - make_interval(secs => ${STALE_SECONDS}) AS fresh FROM component_states`,
  shared: true,
} as const;

const incidentsStatement = {
  text: `SELECT component, state, started_at AS "startedAt", ended_at AS "endedAt" FROM status_incidents
    WHERE ended_at IS NULL OR ended_at > now() - make_interval(days => ${limits.statusDays})
    ORDER BY started_at DESC, id DESC LIMIT ${INCIDENTS_MAX}`,
  shared: true,
} as const;

const storeStatement = `
INSERT INTO component_states AS c (component, state, candidate, candidate_at, measured_at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (component) DO UPDATE SET state = excluded.state, candidate = excluded.candidate,
  candidate_at = excluded.candidate_at, measured_at = excluded.measured_at`;

/**
 * Opens an incident, or makes the open incident worse ('outage' sorts after 'degraded'); its state
 * never improves while it lasts.
 */
const openStatement = `
INSERT INTO status_incidents AS i (component, state, started_at) VALUES ($1, $2, $3)
ON CONFLICT (component) WHERE ended_at IS NULL DO UPDATE SET state = greatest(i.state, excluded.state)`;

const closeStatement = `UPDATE status_incidents SET ended_at = greatest($2, started_at)
  WHERE component = $1 AND ended_at IS NULL`;

const purgeStatements = [
  `DELETE FROM status_incidents WHERE ended_at < now() - make_interval(days => ${limits.statusDays})`,
  `DELETE FROM component_days WHERE day <= (now() AT TIME ZONE 'UTC')::date - ${limits.statusDays}`,
];

/**
 * Counts the time since the previous measurement on its days. Parameters: component, state, times
 * of the previous and this measurement.
 */
export const countStatement = {
  text: `
INSERT INTO component_days AS d (day, component, measured_seconds, degraded_seconds, outage_seconds)
SELECT day, $1, seconds, CASE $2 WHEN 'degraded' THEN seconds ELSE 0 END, CASE $2 WHEN 'outage' THEN seconds ELSE 0 END
FROM (
  SELECT midnight::date AS day, round(extract(epoch FROM least($4 AT TIME ZONE 'UTC', midnight + interval '1 day')
    - greatest($3 AT TIME ZONE 'UTC', midnight)))::int AS seconds
  FROM generate_series(date_trunc('day', $3::timestamptz AT TIME ZONE 'UTC'), $4::timestamptz AT TIME ZONE 'UTC',
    interval '1 day') midnight
) spans
WHERE seconds > 0
ON CONFLICT (day, component) DO UPDATE SET
  measured_seconds = least(d.measured_seconds + excluded.measured_seconds, 86400),
  degraded_seconds = d.degraded_seconds + least(excluded.degraded_seconds, 86400 - d.measured_seconds),
  outage_seconds = d.outage_seconds + least(excluded.outage_seconds, 86400 - d.measured_seconds)`,
} as const;

export const daysStatement = {
  text: `SELECT to_char(day, 'YYYY-MM-DD') AS day, component, measured_seconds AS "measuredSeconds",
    degraded_seconds AS "degradedSeconds", outage_seconds AS "outageSeconds" FROM component_days
    WHERE day > (now() AT TIME ZONE 'UTC')::date - ${limits.statusDays}`,
  shared: true,
} as const;

export interface ComponentRow {
  readonly component: Component;
  readonly state: Measured;
  /** A state that was measured once, and the time of the measurement. */
  readonly candidate: Measured | null;
  readonly candidateAt: Date | null;
  readonly measuredAt: Date;
  readonly fresh: boolean;
}

interface IncidentRow {
  readonly component: Component;
  readonly state: 'degraded' | 'outage';
  readonly startedAt: Date;
  readonly endedAt: Date | null;
}

/** Seconds of a day in which a component was measured, degraded and out. */
export interface DayRow {
  readonly day: string;
  readonly component: Component;
  readonly measuredSeconds: number;
  readonly degradedSeconds: number;
  readonly outageSeconds: number;
}

/**
 * States of the components that customers depend on: measured by the worker each minute, shown by
 * the server.
 */
@Injectable()
export class ServiceStatus {
  private readonly kept = new Snapshot({
    read: () => this.read(),
    freshMs: ANSWER_KEPT_MS,
    patienceMs: PATIENCE_MS,
  });

  constructor(
    private readonly postgres: Postgres,
    private readonly waitingRows: WaitingRowsRepository,
    private readonly currentRegions: CurrentRegions,
    private readonly config: Config,
  ) {}

  /**
   * Measures every component. A state changes, and an incident begins or ends, after two equal
   * measurements in a row. The time between two measurements counts for the days; longer gaps are
   * unknown.
   */
  @Every({ name: 'service status', everyMs: CHECKED_EVERY_MS, wholeDatabase: true })
  async measure(): Promise<void> {
    const waiting = await this.waitingRows.count();
    const parameters = [this.config.dispatch.leaseSeconds];
    const [carrier] = await this.postgres.query<CarrierAnswers>(carrierAnswersStatement, parameters);
    const carriers = this.config.carriers.map(({ number }) => number);
    const countries = carriers.length > 1 ? await this.countries() : [];
    await this.postgres.asLeader('service status', async (tx) => {
      const [turn] = await tx.query<Turn[]>(turnStatement, [carriers]);
      if (!turn?.due) return;
      const known = new Map((await tx.query<ComponentRow[]>(statesStatement.text)).map((row) => [row.component, row]));
      const sendsMail = this.config.mail.smtpUrl !== undefined;
      const measured = measuredStates({ waiting, carrier, countries, isPaused: turn.paused, sendsMail });
      const api = apiState(
        turn.serversSilentSeconds,
        [...known.values()].some(({ fresh }) => fresh),
      );
      if (api) measured.set('api', api);
      for (const [component, state] of measured) {
        const before = known.get(component);
        const change = changeOf(before, state, turn.now);
        await this.store(tx, component, change, turn.now);
        if (before?.fresh) await tx.query(countStatement.text, [component, change.state, before.measuredAt, turn.now]);
      }
      for (const statement of purgeStatements) await tx.query(statement);
    });
  }

  /** Returns the countries that have routes or that customers may send to. */
  private async countries(): Promise<ServedCountry[]> {
    const states = await this.postgres.query<RouteState>(routeStatesStatement, []);
    const table = await this.currentRegions.table();
    const active = [...table.values()].filter((region) => region.active).map(({ iso2 }) => iso2);
    return active.map((country) => {
      const ofCountry = states.filter((state) => state.country === country);
      const hasSenders = this.config.carriers.some((carrier) => hasSendersFor(carrier, country));
      return {
        routes: ofCountry.filter((state) => isOpen(this.config, state)),
        isServedWithoutRoutes: ofCountry.length === 0 && hasSenders,
      };
    });
  }

  /** Records each minute that a server answers. All servers share one write per minute. */
  async reportServer(): Promise<void> {
    await this.postgres.query(presenceStatement, []);
  }

  /** Returns the status, at most 15 seconds old. */
  shown(): Promise<StatusAnswer> {
    return this.kept.get();
  }

  private async store(tx: EntityManager, component: Component, change: Change, now: Date): Promise<void> {
    const { state, candidate, candidateAt, begins } = change;
    await tx.query(storeStatement, [component, state, candidate, candidateAt, now]);
    if (begins === undefined) return;
    if (state === 'operational') await tx.query(closeStatement, [component, begins]);
    else await tx.query(openStatement, [component, state, begins]);
  }

  private async read(): Promise<StatusAnswer> {
    const rows = await this.postgres.query<ComponentRow>(statesStatement, []);
    const incidents = await this.postgres.query<IncidentRow>(incidentsStatement, []);
    const days = await this.postgres.query<DayRow>(daysStatement, []);
    return answerOf(rows, incidents, days, new Date());
  }
}

interface Turn {
  readonly due: boolean;
  /** The carrier refuses our account. */
  readonly paused: boolean;
  readonly now: Date;
  /** Null if no server has ever reported. */
  readonly serversSilentSeconds: number | null;
}

/**
 * If the workers did not measure before, servers may have been off with them: undefined until the
 * second measurement.
 */
export function apiState(silentSeconds: number | null, wasMeasuring: boolean): Measured | undefined {
  if (silentSeconds === null) return undefined;
  if (silentSeconds < SERVERS_SILENT_SECONDS) return 'operational';
  return wasMeasuring ? 'outage' : undefined;
}

interface Measurement {
  readonly waiting: readonly WaitingRows[];
  readonly carrier: CarrierAnswers | undefined;
  /** Countries that customers may send to; empty with a single carrier. */
  readonly countries: readonly ServedCountry[];
  /** The carrier refuses our account. */
  readonly isPaused: boolean;
  readonly sendsMail: boolean;
}

/** A component that is not used has no state. */
export function measuredStates({
  waiting,
  carrier,
  countries,
  isPaused,
  sendsMail,
}: Measurement): Map<Component, Measured> {
  const states = new Map<Component, Measured>();
  for (const component of ['sending', 'webhooks', 'email'] as const) {
    if (component === 'email' && !sendsMail) continue;
    const { kind, degraded, outage } = ages[component];
    const age = waiting.find((one) => one.kind === kind)?.oldestAgeSeconds ?? 0;
    states.set(component, age >= outage ? 'outage' : age >= degraded ? 'degraded' : 'operational');
  }
  const sending = isPaused ? 'outage' : (stateOf(countries) ?? carrierState(carrier));
  if (sending !== 'operational' && states.get('sending') !== 'outage') states.set('sending', sending);
  return states;
}

/**
 * Ignores a failing route while another route serves the country. Undefined if no country has
 * routes.
 */
function stateOf(countries: readonly ServedCountry[]): Measured | undefined {
  const isServed = (country: ServedCountry) => country.isServedWithoutRoutes || country.routes.some(isHealthy);
  if (!countries.every(isServed)) return 'degraded';
  return countries.some(({ routes }) => routes.length > 0) ? 'operational' : undefined;
}

/** A carrier that answers about newer messages has at most lost a few answers. */
function carrierState(carrier: CarrierAnswers | undefined): Measured {
  if (!carrier || carrier.oldestSeconds < ages.sending.degraded) return 'operational';
  const { unanswered, oldestSeconds, answersNewer } = carrier;
  if (answersNewer) return unanswered >= UNANSWERED_MANY ? 'degraded' : 'operational';
  return oldestSeconds >= ages.sending.outage ? 'outage' : 'degraded';
}

interface Change extends Pick<ComponentRow, 'state' | 'candidate' | 'candidateAt'> {
  /** Start of the state, if it is new. */
  readonly begins: Date | undefined;
}

/**
 * Returns the change that follows from a measurement. A component without a recent measurement
 * starts with the present one.
 */
export function changeOf(known: ComponentRow | undefined, measured: Measured, now: Date): Change {
  const settled = { state: measured, candidate: null, candidateAt: null };
  if (known?.state === measured) return { ...settled, begins: undefined };
  if (!known?.fresh) return { ...settled, begins: now };
  if (known.candidate === null) return { state: known.state, candidate: measured, candidateAt: now, begins: undefined };
  // Two measurements in a row differ from the known state, even if the first was another state.
  return { ...settled, begins: known.candidateAt ?? now };
}

export function answerOf(
  rows: readonly ComponentRow[],
  incidents: readonly IncidentRow[],
  days: readonly DayRow[],
  now: Date,
): StatusAnswer {
  const byComponent = new Map(rows.map((row) => [row.component, row]));
  const latest = Math.max(...rows.map(({ measuredAt }) => measuredAt.getTime()));
  const used = components.filter((component) => component !== 'email' || byComponent.has(component));
  return {
    success: 'true',
    measured_at: rows.length > 0 ? new Date(latest).toISOString() : null,
    components: used.map((component) => {
      const row = byComponent.get(component);
      // This answer proves that the server and its database work.
      if (component === 'api') return { component, state: 'operational' };
      return { component, state: row?.fresh ? row.state : 'unknown' };
    }),
    incidents: incidents.map(({ component, state, startedAt, endedAt }) => ({
      component,
      state,
      started_at: startedAt.toISOString(),
      ended_at: endedAt?.toISOString() ?? null,
    })),
    history: used.map((component) => historyOf(component, days, now)),
  };
}

/** Returns every day of the history, also days without a measurement. */
function historyOf(component: Component, rows: readonly DayRow[], now: Date): StatusAnswer['history'][number] {
  const own = rows.filter((row) => row.component === component);
  const byDay = new Map(own.map((row) => [row.day, row]));
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const sum = (read: (row: DayRow) => number) => own.reduce((total, row) => total + read(row), 0);
  const measured = sum(({ measuredSeconds }) => measuredSeconds);
  return {
    component,
    available_percent: availablePercent(
      measured,
      sum(({ outageSeconds }) => outageSeconds),
    ),
    days: Array.from({ length: limits.statusDays }, (_, place) => {
      const start = today - (limits.statusDays - 1 - place) * DAY_MS;
      const day = new Date(start).toISOString().slice(0, 10);
      return dayOf(day, byDay.get(day), Math.min(DAY_MS, now.getTime() - start));
    }),
  };
}

function dayOf(day: string, row: DayRow | undefined, pastMs: number): StatusDay {
  if (!row) return { day, state: 'unknown', available_percent: null, measured_percent: 0 };
  const { measuredSeconds, degradedSeconds, outageSeconds } = row;
  return {
    day,
    state: outageSeconds > 0 ? 'outage' : degradedSeconds > 0 ? 'degraded' : 'operational',
    available_percent: availablePercent(measuredSeconds, outageSeconds),
    measured_percent: Math.min(100, Math.round((measuredSeconds / (pastMs / 1_000)) * 1_000) / 10),
  };
}

/**
 * Returns a percentage with two decimals, rounded down: with a second of outage it is below 100 %.
 */
function availablePercent(measured: number, outage: number): number | null {
  return measured === 0 ? null : Math.floor(((measured - outage) / measured) * 10_000) / 100;
}
