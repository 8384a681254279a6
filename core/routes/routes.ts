import { Injectable, Optional } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ReceiptLevel } from '#contract/messages.js';
import { regions } from '#contract/regions.js';
import { Operator } from '../audit/operator.js';
import { type CarrierConfig, carrierNameOf, Config } from '../platform/config/config.js';
import { Postgres } from '../platform/database/postgres.js';
import { DomainError } from '../platform/errors/domain-error.js';
import type { EnteredCodes } from '../rules/entered-codes.js';
import type { RouteMode, SenderPolicy } from '../rules/routes.js';
import { faultyLines, type RoutePrice } from '../rules/route-prices.js';
import { RouteChangeEntity, type RouteCause, type RouteWeights } from './route-change.entity.js';
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

/** Cost of a route, policy for its senders and proof by its receipts. */
export interface RouteTerms {
  readonly costMicrousd?: number | undefined;
  readonly senderPolicy?: SenderPolicy | undefined;
  readonly receiptLevel?: ReceiptLevel | undefined;
}

/** A cost of a segment that a price list changes, in millionths of a US dollar; null is unknown. */
export interface ChangedPrice {
  readonly country: string;
  /** Name of the carrier. */
  readonly carrier: string;
  readonly fromMicrousd: number | null;
  readonly toMicrousd: number;
}

export interface LoadedPrices {
  readonly changes: readonly ChangedPrice[];
  /** Number of rows that have the present cost. */
  readonly unchanged: number;
  /** Whether nothing was changed. */
  readonly isDryRun: boolean;
}

export type RouteChange = Readonly<RouteChangeEntity>;

/** Countries; `all`: the countries with matching routes, or for new routes the region table. */
export type Countries = readonly string[] | 'all';

/** The routes of one country within a change. */
interface Changing {
  readonly country: string;
  readonly tx: EntityManager;
  readonly routes: RouteEntity[];
}

type Edit = (changing: Changing) => Promise<void> | void;

interface ChangeOptions {
  /** Basis of the change, besides its operator. */
  readonly figures?: object;
  /** Selects the routes whose countries `all` stands for. */
  readonly isMeant?: (route: RouteEntity) => boolean;
}

/** Terms of a new route. */
const unknownTerms = {
  costMicrousd: null,
  senderPolicy: 'any',
  receiptLevel: 'handset',
  doubtfulReceipts: false,
} as const;

/**
 * The routes of each country, as the operator sets them. Every change is recorded. Countries are
 * ISO 3166-1 alpha-2, carriers are named. Throws `invalid_request` for an impossible change.
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
    return this.postgres.ofAll(() =>
      this.postgres.call(async (manager) => {
        const found = await manager.find(RouteEntity, { order: { country: 'ASC', carrier: 'ASC' } });
        const modes = new Map((await manager.find(RouteModeEntity)).map(({ country, mode }) => [country, mode]));
        return [...new Set(found.map(({ country }) => country))]
          .filter((country) => !countries || countries.includes(country))
          .map((country) => {
            const routes = found.filter((route) => route.country === country).map((route) => this.shown(route));
            const withoutRoute = this.carriersFor(country).filter((name) => !routes.some((r) => r.carrier === name));
            return { country, mode: modes.get(country) ?? 'weights', routes, withoutRoute };
          });
      }),
    );
  }

  /**
   * Sets the resting weights of carriers, resets the present weights to them and trusts their
   * receipts again. `isHeld`: sets manual weights instead, which stay until {@link release}.
   */
  weigh(countries: Countries, weights: ReadonlyMap<string, number>, isHeld: boolean): Promise<RoutesOfCountry[]> {
    const named = countries === 'all' ? regions.map(({ iso2 }) => iso2) : countries;
    return this.change(named, isHeld ? 'hold' : 'weight', this.weighing(weights, isHeld));
  }

  /** As {@link weigh} for the resting weights of one country, in the caller's transaction. */
  async weighIn(tx: EntityManager, country: string, weights: ReadonlyMap<string, number>): Promise<void> {
    await this.changeIn(tx, [country], 'weight', this.weighing(weights, false));
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
    const namesOf = (some: readonly RouteEntity[]) => some.map(({ carrier }) => carrierNameOf(this.config, carrier));
    const closed = routes.filter((route) => !open.includes(route));
    return { open: namesOf(open), closed: namesOf(closed), weights: weightsOf(this.config, routes) };
  }

  /** Returns the names of the carriers that have a sender for a country. */
  carriersFor(country: string): string[] {
    return this.config.carriers.filter((carrier) => hasSendersFor(carrier, country)).map(({ name }) => name);
  }

  private weighing(weights: ReadonlyMap<string, number>, isHeld: boolean): Edit {
    return ({ country, tx, routes }) => {
      for (const name of weights.keys()) this.configured(name);
      if (routes.length === 0) this.assertAllNamed(country, weights);
      for (const [name, weight] of weights) {
        const configured = this.configured(name);
        if (weight > 0 && !hasSendersFor(configured, country))
          throw refused(
            `${name} has no sender for ${country}. Add one to its senders in the configuration and restart the ` +
              'processes, or give it weight 0.',
          );
        const { number } = configured;
        const known = routes.find(({ carrier }) => carrier === number);
        const begin = { country, carrier: number, weight, restingWeight: weight, manualWeight: null, active: true };
        const route = known ?? tx.create(RouteEntity, { ...begin, ...unknownTerms });
        if (!known) routes.push(route);
        if (isHeld) route.manualWeight = weight;
        else
          tx.merge(RouteEntity, route, {
            weight,
            restingWeight: weight,
            manualWeight: null,
            doubtfulReceipts: false,
          });
      }
      this.assertPlaces(country, routes);
      this.assertSomeWeight(country, routes);
    };
  }

  /** Removes the manual weights of a country; the present weights begin at the resting weights. */
  release(countries: Countries): Promise<RoutesOfCountry[]> {
    const edit = ({ country, routes }: Changing) => {
      if (routes.every(({ manualWeight }) => manualWeight === null))
        throw refused(`No weight of ${country} is held. route list shows them.`);
      for (const route of routes) {
        route.weight = route.restingWeight;
        route.manualWeight = null;
      }
      this.assertSomeWeight(country, routes);
    };
    return this.change(countries, 'release', edit, { isMeant: ({ manualWeight }) => manualWeight !== null });
  }

  /** Pauses a route. The last open route needs `isCertain`: messages are then refused. */
  pause(countries: Countries, carrier: string, isCertain: boolean): Promise<RoutesOfCountry[]> {
    const edit = ({ country, routes }: Changing) => {
      this.routeOf(country, routes, carrier).active = false;
      if (!isCertain && this.open(routes).length === 0)
        throw refused(
          `${carrier} is the only open route of ${country}: messages to it would be refused. Add --yes to pause it ` +
            'all the same.',
        );
    };
    return this.change(countries, 'pause', edit, { isMeant: this.isBy(carrier) });
  }

  /** Opens a paused route. */
  resume(countries: Countries, carrier: string): Promise<RoutesOfCountry[]> {
    const edit = ({ country, routes }: Changing) => {
      this.routeOf(country, routes, carrier).active = true;
      this.assertPlaces(country, routes);
    };
    return this.change(countries, 'resume', edit, { isMeant: this.isBy(carrier) });
  }

  /** Sets the terms of a route. */
  setTerms(countries: Countries, carrier: string, terms: RouteTerms): Promise<RoutesOfCountry[]> {
    const edit = ({ country, routes }: Changing) => {
      const route = this.routeOf(country, routes, carrier);
      route.costMicrousd = terms.costMicrousd ?? route.costMicrousd;
      route.receiptLevel = terms.receiptLevel ?? route.receiptLevel;
      route.senderPolicy = terms.senderPolicy ?? route.senderPolicy;
      if (terms.senderPolicy === 'own' && !this.configured(carrier).countrySenders.has(country))
        throw refused(
          `${carrier} has no senders for ${country} alone. Add ${country}:SENDER to its senders in the ` +
            'configuration, and restart the processes.',
        );
    };
    return this.change(countries, 'terms', edit, { figures: { carrier, ...terms }, isMeant: this.isBy(carrier) });
  }

  /**
   * Sets the costs of a price list, all or none, and returns the changes; `isDryRun` only returns
   * them. Throws `invalid_request` with the lines that name no route.
   */
  async loadPrices(prices: readonly RoutePrice[], isDryRun: boolean): Promise<LoadedPrices> {
    const work = async (tx: EntityManager) => {
      await lockRoutes(tx);
      const changes = this.changedPrices(await tx.find(RouteEntity, { order: { carrier: 'ASC' } }), prices);
      if (!isDryRun)
        for (const country of new Set(changes.map((change) => change.country))) {
          const ofCountry = changes.filter((change) => change.country === country);
          await this.changeIn(tx, [country], 'prices', this.pricing(ofCountry), { figures: { prices: ofCountry } });
        }
      return { changes, unchanged: prices.length - changes.length, isDryRun };
    };
    return this.postgres.ofAll(() => this.postgres.transaction(work));
  }

  private changedPrices(all: readonly RouteEntity[], prices: readonly RoutePrice[]): ChangedPrice[] {
    const faults: string[] = [];
    const changes = prices.flatMap(({ line, country, carrier, costMicrousd: toMicrousd }): ChangedPrice[] => {
      const routes = all.filter((route) => route.country === country);
      try {
        const { costMicrousd: fromMicrousd } = this.routeOf(country, routes, carrier);
        return fromMicrousd === toMicrousd ? [] : [{ country, carrier, fromMicrousd, toMicrousd }];
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        faults.push(`Line ${line}: ${error.detail}.`);
        return [];
      }
    });
    if (faults.length > 0) throw faultyLines(faults);
    return changes;
  }

  private pricing(changes: readonly ChangedPrice[]): Edit {
    return ({ country, routes }) => {
      for (const { carrier, toMicrousd } of changes) this.routeOf(country, routes, carrier).costMicrousd = toMicrousd;
    };
  }

  /** Sets the mode in which the routes of countries are chosen. */
  setMode(countries: Countries, mode: RouteMode): Promise<RoutesOfCountry[]> {
    const edit = async ({ country, tx, routes }: Changing) => {
      if (routes.length === 0) throw this.noRoutes(country);
      await tx.upsert(RouteModeEntity, { country, mode }, ['country']);
    };
    return this.change(countries, 'mode', edit, { figures: { mode } });
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
    await this.postgres.ofAll(() =>
      this.postgres.transaction(async (tx) => {
        await lockRoutes(tx);
        const routes = await tx.find(RouteEntity, { where: { country }, order: { carrier: 'ASC' } });
        const weights = weightsOf(this.config, routes);
        for (const route of routes) {
          const isDoubtful = doubts.get(route.carrier) ?? route.doubtfulReceipts;
          if (isDoubtful === route.doubtfulReceipts) continue;
          await tx.update(RouteEntity, { country, carrier: route.carrier }, { doubtfulReceipts: isDoubtful });
          const cause = isDoubtful ? 'receipts_doubted' : 'receipts_trusted';
          const about = { carrier: carrierNameOf(this.config, route.carrier), ...Object.fromEntries(named) };
          await tx.insert(RouteChangeEntity, { country, from: weights, to: weights, cause, figures: about });
        }
      }),
    );
  }

  /** Lists changes by time, newest first, optionally before a given change. */
  history(filter: {
    country: string | undefined;
    beforeId: number | undefined;
    entriesMax: number;
  }): Promise<RouteChange[]> {
    const { country, beforeId, entriesMax } = filter;
    return this.postgres.ofAll(() =>
      this.postgres.call((manager) => {
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
      }),
    );
  }

  /** Runs a change of countries' routes, all or none, and records it. */
  private async change(
    countries: Countries,
    cause: RouteCause,
    edit: Edit,
    options: ChangeOptions = {},
  ): Promise<RoutesOfCountry[]> {
    const work = (tx: EntityManager) => this.changeIn(tx, countries, cause, edit, options);
    const changed = await this.postgres.ofAll(() => this.postgres.transaction(work));
    return this.list(changed);
  }

  /** Returns the changed countries. */
  private async changeIn(
    tx: EntityManager,
    countries: Countries,
    cause: RouteCause,
    edit: Edit,
    { figures = {}, isMeant = () => true }: ChangeOptions = {},
  ): Promise<readonly string[]> {
    await lockRoutes(tx);
    const named = countries === 'all' ? await countriesOf(tx, isMeant) : countries;
    for (const country of named) {
      const routes = await tx.find(RouteEntity, { where: { country }, order: { carrier: 'ASC' } });
      const from = weightsOf(this.config, routes);
      await edit({ country, tx, routes });
      await tx.save(routes);
      const by = { ...figures, operator: this.operator?.name };
      await tx.insert(RouteChangeEntity, { country, from, to: weightsOf(this.config, routes), cause, figures: by });
    }
    return named;
  }

  /**
   * Without a weight for each carrier, the first routes of a country would take all messages from
   * the others. If a country has more carriers than allowed routes, that many must be named.
   */
  private assertAllNamed(country: string, weights: ReadonlyMap<string, number>): void {
    const carriers = this.carriersFor(country);
    const unnamed = carriers.filter((name) => !weights.has(name));
    const spare = Math.max(carriers.length - ROUTES_MAX, 0);
    if (unnamed.length <= spare) return;
    const added = unnamed.slice(0, unnamed.length - spare);
    const example = [...[...weights].map(([name, weight]) => `${name}:${weight}`), ...added.map((name) => `${name}:0`)];
    const who = spare > 0 ? `${ROUTES_MAX} of its ${carriers.length} carriers` : 'each carrier';
    const others = spare > 0 ? ' (the others get no messages to the country)' : '';
    throw refused(
      `${country} has no routes yet: give ${who} a weight, 0 for none${others}, as in ` +
        `route weight ${country} ${example.join(' ')}`,
    );
  }

  private assertPlaces(country: string, routes: readonly RouteEntity[]): void {
    const { length } = this.open(routes);
    if (length <= ROUTES_MAX) return;
    throw refused(
      `${country} would have ${length} open routes, and ${ROUTES_MAX} is the most. Leave one out, or pause one ` +
        `first, as in route pause ${country} CARRIER: it gets no messages to the country.`,
    );
  }

  private assertSomeWeight(country: string, routes: readonly RouteEntity[]): void {
    const open = this.open(routes);
    const [first] = open;
    if (!first || open.some((route) => presentWeight(route) > 0)) return;
    const name = carrierNameOf(this.config, first.carrier);
    throw refused(
      `The open routes of ${country} would all have weight 0. Give one more, as in route weight ${country} ` +
        `${name}:100, or pause them: route pause ${country} ${name}`,
    );
  }

  private open(routes: readonly RouteEntity[]): RouteEntity[] {
    return routes.filter((route) => isOpen(this.config, route));
  }

  private isConfigured(carrier: number): boolean {
    return this.config.carriers.some(({ number }) => number === carrier);
  }

  private configured(name: string): CarrierConfig {
    const found = this.config.carriers.find((carrier) => carrier.name === name);
    if (found) return found;
    const known = this.config.carriers.map((carrier) => carrier.name).join(', ');
    throw refused(`${name} is not configured here; these carriers are: ${known}. Configure it first: docs/routes.md.`);
  }

  /** Finds a route, even if its carrier is no longer configured. */
  private routeOf(country: string, routes: readonly RouteEntity[], name: string): RouteEntity {
    const route = routes.find(({ carrier }) => carrierNameOf(this.config, carrier) === name);
    if (route) return route;
    if (routes.length === 0) throw this.noRoutes(country);
    const names = routes.map(({ carrier }) => carrierNameOf(this.config, carrier)).join(', ');
    throw refused(
      `${country} has no route by ${name}, only by ${names}. Add it: route weight ${country} ${name}:WEIGHT`,
    );
  }

  private isBy(name: string): (route: RouteEntity) => boolean {
    return ({ carrier }) => carrierNameOf(this.config, carrier) === name;
  }

  private noRoutes(country: string): DomainError {
    const able = this.carriersFor(country);
    const names = able.length > 0 ? able : this.config.carriers.map(({ name }) => name);
    const weights = names
      .slice(0, ROUTES_MAX)
      .map((name) => `${name}:WEIGHT`)
      .join(' ');
    return refused(`${country} has no routes. Give it some: route weight ${country} ${weights}`);
  }

  private shown({ carrier, ...route }: RouteEntity): Route {
    return { ...route, carrier: carrierNameOf(this.config, carrier), configured: this.isConfigured(carrier) };
  }
}

/** Returns countries with a matching route. Throws `invalid_request` when there is none. */
async function countriesOf(tx: EntityManager, isMeant: (route: RouteEntity) => boolean): Promise<string[]> {
  const meant = (await tx.find(RouteEntity, { order: { country: 'ASC' } })).filter(isMeant);
  if (meant.length > 0) return [...new Set(meant.map(({ country }) => country))];
  throw refused('No country has such a route. route list shows those that there are, and route weight adds some.');
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

function refused(detail: string): DomainError {
  return new DomainError('invalid_request', detail);
}
