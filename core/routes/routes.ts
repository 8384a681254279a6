import { Injectable, Optional } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { regions } from '#contract/regions.js';
import { Operator } from '../audit/operator.js';
import { type CarrierConfig, carrierNameOf, Config } from '../platform/config/config.js';
import { Postgres } from '../platform/database/postgres.js';
import type { EnteredCodes } from '../rules/entered-codes.js';
import { faultyFile } from '../rules/route-prices.js';
import type { RouteMode } from '../rules/routes.js';
import { RouteChangeEntity, type RouteWeights } from './route-change.entity.js';
import { ALL, type CountryRoutes, routeFields, type RouteFile, type RouteSettings } from './route-file.js';
import { RouteModeEntity } from './route-mode.entity.js';
import { RouteEntity } from './route.entity.js';

/**
 * Maximum of open routes per country. Paused routes and routes of removed carriers do not count.
 */
const ROUTES_MAX = 3;

/** A route as the operator sees it. */
export interface Route extends Omit<RouteEntity, 'carrier'> {
  /** Name of the carrier. */
  readonly carrier: string;
  readonly configured: boolean;
}

/** The routes of a country, and how they are chosen. */
export interface RoutesOfCountry {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly mode: RouteMode;
  readonly routes: readonly Route[];
  /** Names of carriers with senders for the country but no route: they get none of its messages. */
  readonly withoutRoute: readonly string[];
}

export type RouteChange = Readonly<RouteChangeEntity>;

/** A setting that a file of routes changes. */
export interface SettingChange {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** Name of the carrier; absent for the mode of the country. */
  readonly carrier?: string;
  readonly field: keyof RouteSettings | 'mode';
  /** Null also for the weight of a route that is added. */
  readonly from: string | number | boolean | null;
  readonly to: string | number | boolean | null;
}

export interface ApplyOptions {
  /** Pauses also the last open route of a country, whose messages are then refused. */
  readonly isCertain?: boolean;
  /** Returns the changes, and makes none. */
  readonly isDryRun?: boolean;
}

/** Changes of one country's routes. */
interface Plan {
  readonly country: string;
  readonly mode: RouteMode;
  readonly before: readonly RouteEntity[];
  readonly after: readonly RouteEntity[];
  readonly changes: readonly SettingChange[];
  /** Faults of single routes. */
  readonly faults: readonly string[];
}

/** All settings of a route; a route that is to be added has no weight. */
type AllSettings = Omit<Required<RouteSettings>, 'weight'> & { readonly weight: number | null };

const newRoute: AllSettings = {
  weight: null,
  held: null,
  paused: false,
  cost_microusd: null,
  senders: 'any',
  receipts: 'handset',
};

/**
 * The routes of each country, as the operator sets them. Every change is recorded. Countries are
 * ISO 3166-1 alpha-2, carriers are named.
 */
@Injectable()
export class Routes {
  constructor(
    private readonly config: Config,
    private readonly postgres: Postgres,
    @Optional() private readonly operator?: Operator,
  ) {}

  /** Lists the routes of these countries, or of all countries with routes. */
  async list(countries?: readonly string[]): Promise<RoutesOfCountry[]> {
    return this.postgres.call(async (manager) => {
      const found = await manager.find(RouteEntity, { order: { country: 'ASC', carrier: 'ASC' } });
      const modes = new Map((await manager.find(RouteModeEntity)).map(({ country, mode }) => [country, mode]));
      return [...new Set(found.map(({ country }) => country))]
        .filter((country) => !countries || countries.includes(country))
        .map((country) => {
          const routes = found.filter((route) => route.country === country).map((route) => this.shown(route));
          const withoutRoute = this.carriersFor(country).filter((name) => !routes.some((r) => r.carrier === name));
          return { country, mode: modes.get(country) ?? 'weights', routes, withoutRoute };
        });
    });
  }

  /** Returns the settings of all routes, or of one country's, as {@link apply} takes them. */
  async show(country?: string): Promise<RouteFile> {
    const listed = await this.list(country === undefined ? undefined : [country]);
    return Object.fromEntries(
      listed.map(({ country: iso2, mode, routes }) => {
        const settings = routes.map((route) => [route.carrier, settingsOf(route)] as const);
        return [iso2, { mode, routes: Object.fromEntries(settings) }] as const;
      }),
    );
  }

  /**
   * Sets what a file names, all of it or nothing, and returns the changes. Throws `invalid_request`
   * with all faults.
   */
  apply(file: RouteFile, options: ApplyOptions = {}): Promise<SettingChange[]> {
    return this.postgres.transaction((tx) => this.applyIn(tx, file, options));
  }

  /** As {@link apply}, in the caller's transaction. */
  async applyIn(
    tx: EntityManager,
    file: RouteFile,
    { isCertain = false, isDryRun = false }: ApplyOptions = {},
  ): Promise<SettingChange[]> {
    await lockRoutes(tx);
    const all = await tx.find(RouteEntity, { order: { country: 'ASC', carrier: 'ASC' } });
    const modes = new Map((await tx.find(RouteModeEntity)).map(({ country, mode }) => [country, mode]));
    const plans = regions
      .map(({ iso2: country }) => {
        const before = all.filter((route) => route.country === country);
        return this.planned(country, modes.get(country) ?? 'weights', before, file[country] ?? file[ALL] ?? {});
      })
      .filter(({ changes }) => changes.length > 0);
    const faults = plans.flatMap((plan) => (plan.faults.length > 0 ? plan.faults : this.faultsOf(plan, isCertain)));
    if (faults.length > 0) throw faultyFile(faults);
    if (!isDryRun) await this.store(tx, plans);
    return plans.flatMap(({ changes }) => changes);
  }

  /**
   * Returns the routes of a country in the caller's transaction, which then blocks other changes of
   * routes: the open and closed routes, and the present weights of all.
   */
  async openIn(
    tx: EntityManager,
    country: string,
  ): Promise<{ open: readonly string[]; closed: readonly string[]; weights: RouteWeights }> {
    await lockRoutes(tx);
    const routes = await tx.find(RouteEntity, { where: { country }, order: { carrier: 'ASC' } });
    const open = this.open(routes);
    const namesOf = (some: readonly RouteEntity[]) => some.map((route) => this.nameOf(route));
    const closed = routes.filter((route) => !open.includes(route));
    return { open: namesOf(open), closed: namesOf(closed), weights: weightsOf(this.config, routes) };
  }

  /** Returns the names of the carriers that have a sender for a country. */
  carriersFor(country: string): string[] {
    return this.config.carriers.filter((carrier) => hasSendersFor(carrier, country)).map(({ name }) => name);
  }

  /**
   * Doubts or trusts the receipts of routes, by the number of the carrier, and records changes with
   * the figures of the country's routes.
   */
  async judgeReceipts(
    country: string,
    doubts: ReadonlyMap<number, boolean>,
    figures: readonly EnteredCodes[],
  ): Promise<void> {
    const named = figures.map(({ carrier, delivered, entered }) => {
      return [carrierNameOf(this.config, carrier), { delivered, entered }] as const;
    });
    await this.postgres.transaction(async (tx) => {
      await lockRoutes(tx);
      const routes = await tx.find(RouteEntity, { where: { country }, order: { carrier: 'ASC' } });
      const weights = weightsOf(this.config, routes);
      for (const route of routes) {
        const isDoubtful = doubts.get(route.carrier) ?? route.doubtfulReceipts;
        if (isDoubtful === route.doubtfulReceipts) continue;
        await tx.update(RouteEntity, { country, carrier: route.carrier }, { doubtfulReceipts: isDoubtful });
        const cause = isDoubtful ? 'receipts_doubted' : 'receipts_trusted';
        const about = { carrier: this.nameOf(route), ...Object.fromEntries(named) };
        await tx.insert(RouteChangeEntity, { country, from: weights, to: weights, cause, figures: about });
      }
    });
  }

  /** Lists changes by time, newest first, optionally before a given change. */
  history(filter: {
    country: string | undefined;
    beforeId: number | undefined;
    entriesMax: number;
  }): Promise<RouteChange[]> {
    const { country, beforeId, entriesMax } = filter;
    return this.postgres.call((manager) => {
      const changes = manager
        .createQueryBuilder(RouteChangeEntity, 'c')
        .orderBy({ 'c.at': 'DESC', 'c.id': 'DESC' })
        .limit(entriesMax);
      if (country !== undefined) changes.andWhere({ country });
      if (beforeId !== undefined)
        changes.andWhere('(c.at, c.id) < (SELECT b.at, b.id FROM route_changes b WHERE b.id = :beforeId)', {
          beforeId,
        });
      return changes.getMany();
    });
  }

  /** Settings that the file does not change are not checked. */
  private planned(
    country: string,
    mode: RouteMode,
    before: readonly RouteEntity[],
    { mode: wantedMode = mode, routes: wanted = {} }: CountryRoutes,
  ): Plan {
    const routes = new Map(before.map((route) => [this.nameOf(route), route]));
    const changes: SettingChange[] = [];
    const faults: string[] = [];
    if (wantedMode !== mode) changes.push({ country, field: 'mode', from: mode, to: wantedMode });
    for (const [carrier, settings] of Object.entries(wanted)) {
      const known = routes.get(carrier);
      const old = known ? settingsOf(known) : newRoute;
      const changed = routeFields.flatMap((field): SettingChange[] => {
        const { [field]: from } = old;
        const { [field]: to = from } = settings;
        return to === from ? [] : [{ country, carrier, field, from, to }];
      });
      if (changed.length === 0) continue;
      changes.push(...changed);
      const route = this.routeWith(country, carrier, known, { ...old, ...settings }, changed);
      if (typeof route === 'string') faults.push(route);
      else routes.set(carrier, route);
    }
    return { country, mode: wantedMode, before, after: [...routes.values()], changes, faults };
  }

  private async store(tx: EntityManager, plans: readonly Plan[]): Promise<void> {
    const operator = this.operator?.name;
    const modes = plans.filter(({ changes }) => changes.some(({ field }) => field === 'mode'));
    await tx.save(plans.flatMap(({ after }) => after));
    await tx.upsert(
      RouteModeEntity,
      modes.map(({ country, mode }) => ({ country, mode })),
      ['country'],
    );
    await tx.insert(
      RouteChangeEntity,
      plans.map(({ country, before, after, changes }) => ({
        country,
        from: weightsOf(this.config, before),
        to: weightsOf(this.config, after),
        cause: 'apply' as const,
        figures: { operator, changes: changes.map(({ country: _country, ...change }) => change) },
      })),
    );
  }

  /** Returns a route with its settings, or why it cannot have what changes. */
  private routeWith(
    country: string,
    carrier: string,
    known: RouteEntity | undefined,
    { weight, held, paused, cost_microusd, senders, receipts }: AllSettings,
    changed: readonly SettingChange[],
  ): RouteEntity | string {
    if (weight === null) return `${country} has no route by ${carrier} yet: give it a weight.`;
    const configured = this.config.carriers.find(({ name }) => name === carrier);
    const weights = changed.filter(({ field, to }) => field === 'weight' || (field === 'held' && to !== null));
    const isForOwn = changed.some(({ field, to }) => field === 'senders' && to === 'own');
    const number = weights.length > 0 || isForOwn ? configured?.number : known?.carrier;
    if (number === undefined) {
      const names = this.config.carriers.map(({ name }) => name).join(', ');
      return (
        `${country}.routes.${carrier}: ${carrier} is not configured here; these carriers are: ${names}. Configure it ` +
        'first: docs/routes.md.'
      );
    }
    if (configured && weights.some(({ to }) => to !== 0) && !hasSendersFor(configured, country))
      return (
        `${carrier} has no sender for ${country}. Add one to its senders in the configuration and restart the ` +
        'processes, or give it weight 0.'
      );
    if (configured && isForOwn && !configured.countrySenders.has(country))
      return (
        `${carrier} has no senders for ${country} alone. Add ${country}:SENDER to its senders in the configuration, ` +
        'and restart the processes.'
      );
    const begins = changed.some(({ field, to }) => field === 'weight' || (field === 'held' && to === null));
    return Object.assign(new RouteEntity(), known, {
      country,
      carrier: number,
      restingWeight: weight,
      manualWeight: held,
      active: !paused,
      costMicrousd: cost_microusd,
      senderPolicy: senders,
      receiptLevel: receipts,
      ...(begins && { weight, doubtfulReceipts: false }),
    });
  }

  /** Returns what is wrong with the routes of a country together. */
  private faultsOf({ country, before, after, changes }: Plan, isCertain: boolean): string[] {
    const unnamed = before.length === 0 ? this.unnamed(country, after) : undefined;
    if (unnamed !== undefined) return [unnamed];
    const open = this.open(after);
    const [first] = open;
    if (open.length > Math.max(ROUTES_MAX, this.open(before).length))
      return [
        `${country} would have ${open.length} open routes, and ${ROUTES_MAX} is the most. Leave one out, or pause ` +
          `one first, as in route pause ${country} CARRIER: it gets no messages to the country.`,
      ];
    const isWeighed = changes.some(({ field }) => field === 'weight' || field === 'held');
    if (first && isWeighed && open.every((route) => presentWeight(route) === 0))
      return [
        `The open routes of ${country} would all have weight 0. Give one more, such as 100 to ` +
          `${this.nameOf(first)}, or pause them: route pause ${country} ${this.nameOf(first)}`,
      ];
    const paused = changes.findLast(({ field, to }) => field === 'paused' && to === true);
    if (!paused || first || isCertain) return [];
    return [
      `${paused.carrier} is the only open route of ${country}: messages to it would be refused. Add --yes to pause ` +
        'it all the same.',
    ];
  }

  /**
   * Without a weight for each carrier, the first routes of a country would take all messages from
   * the others. If a country has more carriers than allowed routes, that many must be named.
   */
  private unnamed(country: string, routes: readonly RouteEntity[]): string | undefined {
    const carriers = this.carriersFor(country);
    const named = routes.map((route) => this.nameOf(route));
    const unnamed = carriers.filter((name) => !named.includes(name));
    const spare = Math.max(carriers.length - ROUTES_MAX, 0);
    if (named.length > 0 && unnamed.length <= spare) return undefined;
    const who = spare > 0 ? `${ROUTES_MAX} of its ${carriers.length} carriers` : 'each carrier';
    const others = spare > 0 ? ' (the others get no messages to the country)' : '';
    return `${country} has no routes yet: give ${who} a weight, 0 for none${others}. Not named: ${unnamed.join(', ')}.`;
  }

  private open(routes: readonly RouteEntity[]): RouteEntity[] {
    return routes.filter((route) => isOpen(this.config, route));
  }

  private nameOf({ carrier }: RouteEntity): string {
    return carrierNameOf(this.config, carrier);
  }

  private shown({ carrier, ...route }: RouteEntity): Route {
    const configured = this.config.carriers.some(({ number }) => number === carrier);
    return { ...route, carrier: carrierNameOf(this.config, carrier), configured };
  }
}

function settingsOf(route: Omit<RouteEntity, 'carrier'>): Required<RouteSettings> {
  return {
    weight: route.restingWeight,
    held: route.manualWeight,
    paused: !route.active,
    cost_microusd: route.costMicrousd,
    senders: route.senderPolicy,
    receipts: route.receiptLevel,
  };
}

/** Whether messages may leave by a route, if it has a weight. */
export function isOpen(
  { carriers }: Config,
  { country, carrier: number, active }: Pick<RouteEntity, 'country' | 'carrier' | 'active'>,
): boolean {
  const carrier = carriers.find((configured) => configured.number === number);
  return active && carrier !== undefined && hasSendersFor(carrier, country);
}

/** Whether a carrier has a sender for a country (ISO 3166-1 alpha-2). */
export function hasSendersFor({ senders, countrySenders }: CarrierConfig, country: string): boolean {
  return (countrySenders.get(country) ?? senders).length > 0;
}

/** Serializes changes of routes until the transaction ends. */
export async function lockRoutes(tx: EntityManager): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtext('routes'))`);
}

/** Returns the weights of a country's routes as a change records them. */
export function weightsOf(config: Config, routes: readonly RouteEntity[]): RouteWeights {
  return Object.fromEntries(
    routes.map((route) => [carrierNameOf(config, route.carrier), route.active ? presentWeight(route) : null]),
  );
}

function presentWeight({ manualWeight, weight }: RouteEntity): number {
  return manualWeight ?? weight;
}
