import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { carrierNameOf, Config } from '../platform/config/config.js';
import { Postgres } from '../platform/database/postgres.js';
import { Every } from '../platform/schedules/every.js';
import { Logger } from '../platform/telemetry/logger.js';
import { Metrics } from '../platform/telemetry/metrics.js';
import { moveOf, type MeasuredRoute, type SinceChanges, type WeightMove } from '../rules/route-health.js';
import { RouteChangeEntity, type RouteCause, type RouteWeights } from './route-change.entity.js';
import {
  isDueStatement,
  latestChangesStatement,
  openPausesStatement,
  type PauseEvent,
  type RouteFigures,
  routeFiguresStatement,
  routeFiguresValues,
  storeHealthStatements,
  unrecordedPausesStatement,
  weightsSinceStatement,
} from './route-health.sql.js';
import { RouteEntity } from './route.entity.js';
import { isOpen, lockRoutes, weightsOf } from './routes.js';

const MEASURED_EVERY_MS = 60_000;
const WEIGHT_MAX = 100;

/** The routes of one country and their figures. */
interface Country {
  readonly routes: readonly RouteEntity[];
  readonly figures: ReadonlyMap<number, RouteFigures>;
  readonly since: SinceChanges;
  /** Carriers that take nothing from us. */
  readonly paused: ReadonlySet<number>;
}

/**
 * Measures the messages of each route each minute and adjusts the weights. Every change is recorded
 * with its figures. With a single carrier it does nothing.
 */
@Injectable()
export class RouteHealth {
  constructor(
    private readonly config: Config,
    private readonly postgres: Postgres,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
  ) {}

  /** Measures and decides unless another worker has just done it. */
  @Every({
    name: 'route health',
    everyMs: ({ carriers }) => (carriers.length > 1 ? MEASURED_EVERY_MS : null),
    wholeDatabase: true,
  })
  async run(): Promise<void> {
    const [turn] = await this.postgres.query<{ due: boolean }>(isDueStatement, []);
    if (turn?.due) await this.measure();
    await this.countDoubtful();
  }

  private async measure(): Promise<void> {
    const counted = await this.postgres.queryEachInReach<RouteFigures>(routeFiguresStatement, [...routeFiguresValues]);
    const figures = summed(counted);
    await this.postgres.asLeader('route health', async (tx) => {
      await lockRoutes(tx);
      const routes = await tx.find(RouteEntity, { order: { country: 'ASC', carrier: 'ASC' } });
      const pauses = await tx.query<{ carrier: number }[]>(openPausesStatement.text);
      const paused = new Set(pauses.map(({ carrier }) => carrier));
      await store(tx, routes, figures);
      const byCountry = grouped(routes);
      await this.recordPauses(tx, byCountry);
      const since = await changesSince(tx);
      for (const [country, ofCountry] of byCountry) {
        const about = { routes: ofCountry, figures: figures.get(country) ?? new Map(), paused };
        await this.decide(tx, country, { ...about, since: since(country) });
      }
    });
  }

  private async decide(tx: EntityManager, country: string, about: Country): Promise<void> {
    const { routes, figures } = about;
    const move = moveOf(this.measured(about), about.since);
    if (!move) return;
    const from = weightsOf(this.config, routes);
    const changed = routes.filter(({ carrier }) => carrier === move.from || carrier === move.to);
    for (const route of changed) {
      const points = route.carrier === move.to ? move.points : -move.points;
      route.weight = Math.min(WEIGHT_MAX, route.weight + points);
    }
    await tx.save(RouteEntity, changed);
    const named = [...figures.values()].map(({ carrier, messages, bad }) => [this.nameOf(carrier), { messages, bad }]);
    await this.record(tx, country, move.cause, { from, to: weightsOf(this.config, routes) }, Object.fromEntries(named));
    this.postgres.afterCommit(tx, () => this.announce(country, move));
  }

  private measured({ routes, figures, paused }: Country): MeasuredRoute[] {
    return routes
      .filter((route) => isOpen(this.config, route))
      .map((route) => {
        const {
          messages = 0,
          bad = 0,
          newestBad = 0,
          worstMessages = 0,
          worstBad = 0,
        } = figures.get(route.carrier) ?? {};
        return {
          carrier: route.carrier,
          weight: route.manualWeight ?? route.weight,
          restingWeight: route.restingWeight,
          costMicrousd: route.costMicrousd,
          isPaused: paused.has(route.carrier),
          isHeld: route.manualWeight !== null,
          isDoubtful: route.doubtfulReceipts,
          messages,
          bad,
          newestBad,
          worstMessages,
          worstBad,
        };
      });
  }

  /**
   * The choice of routes respects a pause at once; this records a change for countries with another
   * open route.
   */
  private async recordPauses(tx: EntityManager, byCountry: ReadonlyMap<string, readonly RouteEntity[]>): Promise<void> {
    const events = await tx.query<PauseEvent[]>(unrecordedPausesStatement.text);
    const [first] = events;
    if (!first) return;
    const later = await tx.query<WeightsBefore[]>(weightsSinceStatement.text, [first.at]);
    for (const { id, carrier, cause, at, httpStatus, carrierError, probes, othersPaused } of events)
      for (const [country, routes] of byCountry) {
        const open = routes.filter((route) => isOpen(this.config, route));
        if (open.length < 2 || !open.some((route) => route.carrier === carrier)) continue;
        const next = later.findLast((change) => change.country === country && change.at > at);
        const inForce = next?.from ?? weightsOf(this.config, routes);
        const weights = withoutWeights(
          inForce,
          othersPaused.map((other) => this.nameOf(other)),
        );
        const without = withoutWeights(weights, [this.nameOf(carrier)]);
        const change = cause === 'carrier_paused' ? { from: weights, to: without } : { from: without, to: weights };
        await this.record(tx, country, cause, change, { pause: id, httpStatus, carrierError, probes }, at);
      }
  }

  private async record(
    tx: EntityManager,
    country: string,
    cause: RouteCause,
    { from, to }: { readonly from: RouteWeights; readonly to: RouteWeights },
    figures: object,
    at?: Date,
  ): Promise<void> {
    await tx.insert(RouteChangeEntity, { country, from, to, cause, figures, ...(at && { at }) });
  }

  private announce(country: string, { cause, from, to, points }: WeightMove): void {
    this.metrics.routeMoves.inc({ cause });
    const named = { from: from === null ? null : this.nameOf(from), to: this.nameOf(to) };
    this.logger.warn({ country, cause, ...named, points }, 'weights of routes changed');
  }

  private async countDoubtful(): Promise<void> {
    const doubtful = await this.postgres.call((manager) => manager.findBy(RouteEntity, { doubtfulReceipts: true }));
    for (const { name, number } of this.config.carriers) {
      const countries = doubtful.filter(({ carrier }) => carrier === number).length;
      this.metrics.routesDoubtful.set({ carrier: name }, countries);
    }
  }

  private nameOf(carrier: number): string {
    return carrierNameOf(this.config, carrier);
  }
}

/** The weights of a country before a change. */
interface WeightsBefore {
  readonly country: string;
  readonly at: Date;
  readonly from: RouteWeights;
}

/**
 * Returns the weights while some carriers are paused; carriers without a route in the country are
 * ignored.
 */
function withoutWeights(weights: RouteWeights, paused: readonly string[]): RouteWeights {
  return Object.fromEntries(
    Object.entries(weights).map(([name, weight]) => [name, weight !== null && paused.includes(name) ? 0 : weight]),
  );
}

function grouped(routes: readonly RouteEntity[]): Map<string, RouteEntity[]> {
  const countries = new Map<string, RouteEntity[]>();
  for (const route of routes) countries.set(route.country, [...(countries.get(route.country) ?? []), route]);
  return countries;
}

/**
 * Sums figures by country and carrier over the parts of a divided database; of times the longest
 * count.
 */
function summed(parts: readonly RouteFigures[]): ReadonlyMap<string, ReadonlyMap<number, RouteFigures>> {
  const countries = new Map<string, Map<number, RouteFigures>>();
  const longest = (a: number | null, b: number | null) => (a === null ? b : Math.max(a, b ?? 0));
  for (const part of parts) {
    const known = countries.get(part.country) ?? new Map<number, RouteFigures>();
    const before = known.get(part.carrier);
    known.set(
      part.carrier,
      before
        ? {
            ...part,
            messages: before.messages + part.messages,
            bad: before.bad + part.bad,
            newestBad: before.newestBad + part.newestBad,
            ...(part.worstBad > before.worstBad ? worstOf(part) : worstOf(before)),
            hourMessages: before.hourMessages + part.hourMessages,
            hourDelivered: before.hourDelivered + part.hourDelivered,
            p50Ms: longest(before.p50Ms, part.p50Ms),
            p95Ms: longest(before.p95Ms, part.p95Ms),
          }
        : part,
    );
    countries.set(part.country, known);
  }
  return countries;
}

function worstOf({ worstMessages, worstBad }: RouteFigures) {
  return { worstMessages, worstBad };
}

async function store(
  tx: EntityManager,
  routes: readonly RouteEntity[],
  figures: ReadonlyMap<string, ReadonlyMap<number, RouteFigures>>,
): Promise<void> {
  const [clear, insert] = storeHealthStatements;
  const rows = routes.map(({ country, carrier }) => ({ country, carrier, ...figures.get(country)?.get(carrier) }));
  const rounded = (ms: number | null | undefined) => (typeof ms === 'number' ? Math.round(ms) : null);
  await tx.query(clear);
  await tx.query(insert, [
    rows.map(({ country }) => country),
    rows.map(({ carrier }) => carrier),
    rows.map(({ messages = 0 }) => messages),
    rows.map(({ bad = 0 }) => bad),
    rows.map(({ hourMessages = 0 }) => hourMessages),
    rows.map(({ hourDelivered = 0 }) => hourDelivered),
    rows.map(({ p50Ms }) => rounded(p50Ms)),
    rows.map(({ p95Ms }) => rounded(p95Ms)),
  ]);
}

/** A carrier that is paused counts as weight 0, and keeps its weight. */
const withoutWeight: readonly RouteCause[] = ['carrier_paused', 'carrier_resumed'];

async function changesSince(tx: EntityManager): Promise<(country: string) => SinceChanges> {
  const latest = await tx.query<{ country: string; cause: RouteCause; minutes: number }[]>(latestChangesStatement.text);
  return (country) => {
    const minutesOf = (isMeant: (cause: RouteCause) => boolean) => {
      const found = latest.filter((one) => one.country === country && isMeant(one.cause));
      return found.length === 0 ? null : Math.min(...found.map(({ minutes }) => minutes));
    };
    return {
      moved: minutesOf((cause) => cause === 'silent' || cause === 'bad_share'),
      silenced: minutesOf((cause) => cause === 'silent'),
      doubted: minutesOf((cause) => cause === 'doubtful_receipts'),
      any: minutesOf((cause) => !withoutWeight.includes(cause)),
    };
  };
}
