import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Pool, type PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import type { Config } from '../config/config.js';
import type { Logger } from '../telemetry/logger.js';
import { MOVED } from '../citus/functions.sql.js';
import { ANCHOR_TABLE, type DirectoryKind } from '../citus/layout.js';
import { shardsStatus, type NodeRow, type ShardsStatus } from '../citus/status.sql.js';
import { prepareConnection } from './data-source.js';
import { isDatabaseUnavailable, sqlState } from '../errors/database-error.js';

const KNOWN_ACCOUNTS_MAX = 100_000;
const PLACES_KNOWN_MS = 1_000;
/**
 * Each group of shards has its own connections: their prepared statements are planned for its
 * tables.
 */
const GROUP_CONNECTIONS_MAX = 4;
const DRAIN_CHECK_MS = 100;
/**
 * States after a group has left: its schema has left too, and Citus's own tables, found instead,
 * refuse our statements (feature_not_supported).
 */
const CLOSED = new Set([MOVED, '3F000', '42P01', '42883', '0A000']);
/**
 * Message of Citus's refusal when its own table, found instead, passes a statement on to the new
 * node, whose trigger writes to the directory. The refusal has only the state of internal errors.
 */
const NESTED = 'cannot execute a distributed query from a query on a shard';

/**
 * The group of shards on which statements of a context run. A request learns it after it has begun.
 */
interface Context {
  group: string | undefined;
}

interface Place {
  readonly host: string;
  readonly port: number;
}

const contexts = new AsyncLocalStorage<Context>();

/**
 * Id of the group of shards that statements run on; undefined on a plain database, and where no
 * account is known.
 */
export function currentGroup(): string | undefined {
  return contexts.getStore()?.group;
}

/** Runs work on the group of shards with this id; undefined for no group yet. */
export function inGroup<T>(group: string | undefined, work: () => T): T {
  // On a plain database no context is ever set: it would slow every promise of the process.
  if (group === undefined && contexts.getStore() === undefined) return work();
  return contexts.run({ group }, work);
}

/**
 * Routes statements to their account's part of the database. Does nothing on a plain database:
 * every statement runs on `DATABASE_URL`. On Citus, statements of an account run on the node that
 * owns it, on the tables of its group of shards, through views of the same names (citus/layout.ts).
 * Without a known account they run on the coordinator, which reads all shards.
 */
@Injectable()
export class Shards {
  private readonly pools = new Map<string, Promise<Pool>>();
  private readonly opened = new Set<Pool>();
  private readonly groupOfAccount = new Map<string, string>();
  private readonly accountOfKey = new Map<string, string>();
  private places = new Map<string, Place>();
  private placesAtMs = -Infinity;

  constructor(
    /** The process's only pool on a plain database. */
    readonly coordinator: Pool,
    private readonly config: Config,
    private readonly logger: Logger,
    readonly isDistributed: boolean,
  ) {}

  /** Routes the connections of the process. */
  static async over(dataSource: DataSource, config: Config, logger: Logger): Promise<Shards> {
    const { driver } = dataSource;
    if (!('master' in driver)) throw new Error('The data source is not a connected Postgres');
    const coordinator = driver.master as Pool;
    const { rows } = await coordinator.query<{ distributed: boolean }>(
      `SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL
        AND to_regclass('directory') IS NOT NULL AS distributed`,
    );
    coordinator.on('acquire', ignoreErrors);
    const shards = new Shards(coordinator, config, logger, rows[0]?.distributed === true);
    if (shards.isDistributed) {
      await shards.refresh();
      driver.master = shards.routed();
    }
    return shards;
  }

  /** Returns the pool of the current group, or the coordinator's. */
  async pool(): Promise<Pool> {
    const id = currentGroup();
    return id === undefined ? this.coordinator : this.poolOf(id);
  }

  /** Runs work on the account's group of shards. */
  async of<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    return this.isDistributed ? inGroup(await this.groupOf(accountId), work) : work();
  }

  /**
   * Runs work on the group of the account that has a key, according to the directory; on any group
   * if no account has it. If an account has the key when that work is done, the work runs again on
   * its group: it may have waited for the transaction that stored the key.
   */
  async ofKey<T>(kind: DirectoryKind, key: string, work: () => Promise<T>): Promise<T> {
    if (!this.isDistributed) return work();
    const group = await this.groupOfKey(kind, key);
    if (group !== undefined) return inGroup(group, work);
    const result = await inGroup(this.anyGroup(), work);
    const later = await this.groupOfKey(kind, key);
    return later === undefined ? result : inGroup(later, work);
  }

  /** Runs work on the group of the account that `find` returns; on any group without an account. */
  async ofFound<T>(find: () => Promise<string | undefined>, work: () => Promise<T>): Promise<T> {
    if (!this.isDistributed) return work();
    const accountId = await find();
    return inGroup(accountId === undefined ? this.anyGroup() : await this.groupOf(accountId), work);
  }

  /**
   * Runs work on the group that has a row, found by its id on all shards; on any group without such
   * a row.
   */
  async ofRow<T>(table: 'mails' | 'media' | 'messages' | 'top_ups', id: string, work: () => Promise<T>): Promise<T> {
    if (!this.isDistributed) return work();
    const { rows } = await this.coordinator.query<{ accountId: string }>({
      text: `SELECT account_id AS "accountId" FROM ${table} WHERE id = $1`,
      values: [id],
    });
    const [row] = rows;
    return inGroup(row ? await this.groupOf(row.accountId) : this.anyGroup(), work);
  }

  /** Makes the rest of the request run on the account's group. See {@link requestContexts}. */
  async enter(accountId: string): Promise<void> {
    if (this.isDistributed) this.set(await this.groupOf(accountId));
  }

  /** Like {@link enter}, for the account that has a key. */
  async enterKey(kind: DirectoryKind, key: string): Promise<void> {
    if (this.isDistributed) this.set((await this.groupOfKey(kind, key)) ?? this.anyGroup());
  }

  /**
   * Returns a function that runs steps of a request in the request's own context, which
   * {@link enter} sets; undefined on a plain database, which needs no context. The steps of a
   * request share it, also when the events between them come from its socket.
   */
  requestContexts(): ((request: object, step: () => void) => void) | undefined {
    if (!this.isDistributed) return undefined;
    const ofRequests = new WeakMap<object, Context>();
    return (request, step) => {
      const context = ofRequests.get(request) ?? { group: undefined };
      ofRequests.set(request, context);
      contexts.run(context, step);
    };
  }

  private set(group: string): void {
    const current = contexts.getStore();
    if (!current) throw new Error('The request has no context of its own');
    current.group = group;
  }

  /** Runs work for the whole database, on the coordinator. */
  onCoordinator<T>(work: () => Promise<T>): Promise<T> {
    return this.isDistributed ? inGroup(undefined, work) : work();
  }

  /**
   * Runs work on each group in turn and returns its results in order; on a plain database once.
   * Rethrows errors of a group's work.
   */
  async all<T>(work: () => Promise<T>): Promise<T[]> {
    if (!this.isDistributed) return [await work()];
    const results: T[] = [];
    for (const id of this.places.keys()) results.push(await inGroup(id, work));
    return results;
  }

  /**
   * Like {@link all}, for work that is repeated later: a group whose node is down is reported and
   * skipped.
   */
  async each<T>(work: () => Promise<T>): Promise<T[]> {
    if (!this.isDistributed) return [await work()];
    const results: T[] = [];
    const down = new Set<string>();
    let failure: unknown;
    for (const [id, { host, port }] of this.places) {
      const node = `${host}:${port}`;
      if (down.has(node)) continue;
      try {
        results.push(await inGroup(id, () => this.retried(work)));
      } catch (error) {
        failure = error;
        // A node that does not answer is waited for only once.
        if (isDatabaseUnavailable(error)) down.add(node);
        this.logger.warn({ err: error, group: id, node }, 'group of shards skipped');
      }
    }
    if (results.length === 0) throw failure;
    return results;
  }

  /**
   * Runs work on the groups of the items' accounts at the same time; results are in the order of
   * the items.
   */
  async byAccount<Item, Out>(
    items: readonly Item[],
    accountOf: (item: Item) => string,
    work: (items: Item[]) => Promise<Out[]>,
  ): Promise<Out[]> {
    if (!this.isDistributed) return work([...items]);
    const groups = new Map<string, number[]>();
    for (const [index, item] of items.entries()) {
      const id = await this.groupOf(accountOf(item));
      groups.set(id, [...(groups.get(id) ?? []), index]);
    }
    const results: Out[] = [];
    await Promise.all(
      [...groups].map(async ([id, indexes]) => {
        const out = await inGroup(id, () => work(indexes.map((index) => items[index] as Item)));
        indexes.forEach((index, n) => (results[index] = out[n] as Out));
      }),
    );
    return results;
  }

  /**
   * Runs work for items by the groups of the accounts that have their keys; items without an
   * account are skipped.
   */
  async byKey<Item>(
    items: readonly Item[],
    keyOf: (item: Item) => Buffer,
    work: (items: Item[]) => Promise<void>,
  ): Promise<void> {
    if (!this.isDistributed) return work([...items]);
    const groups = new Map<string, Item[]>();
    for (const item of items) {
      const id = (await this.groupOfKey('key', keyOf(item).toString('hex'))) ?? this.anyGroup();
      groups.set(id, [...(groups.get(id) ?? []), item]);
    }
    await Promise.all([...groups].map(([id, some]) => inGroup(id, () => work(some))));
  }

  /**
   * Repeats work of a group whose shards have moved, at their new place. The failed work has stored
   * nothing.
   */
  async retried<T>(work: () => Promise<T>): Promise<T> {
    const id = currentGroup();
    if (id === undefined) return work();
    const used = this.pools.get(id);
    try {
      return await work();
    } catch (error) {
      const hasMoved = isOfClosed(error);
      // The node may be gone: the next statement looks for the group again.
      if (hasMoved || isDatabaseUnavailable(error)) void this.close(id, used);
      if (!hasMoved) throw error;
      this.logger.info({ group: id }, 'group of shards has moved');
      await this.refresh();
      return work();
    }
  }

  /** Nodes and groups of shards, for the operator. */
  async status(): Promise<ShardsStatus> {
    if (!this.isDistributed) return { distributed: false, nodes: [] };
    const { rows } = await this.coordinator.query<NodeRow>(shardsStatus.text);
    return { distributed: true, nodes: rows.map(({ groups, ...node }) => ({ ...node, groups: groups ?? [] })) };
  }

  /** Connections of the process, to all nodes. */
  load(): { busy: number; idle: number; waiting: number; max: number } {
    const pools = [this.coordinator, ...this.opened];
    const sum = (count: (pool: Pool) => number) => pools.reduce((total, pool) => total + count(pool), 0);
    const idle = sum(({ idleCount }) => idleCount);
    return {
      busy: sum(({ totalCount }) => totalCount) - idle,
      idle,
      waiting: sum(({ waitingCount }) => waitingCount),
      max: this.config.database.poolMax + this.opened.size * GROUP_CONNECTIONS_MAX,
    };
  }

  async end(): Promise<void> {
    await Promise.all([...this.pools.keys()].map((id) => this.close(id)));
  }

  private async groupOf(accountId: string): Promise<string> {
    const known = this.groupOfAccount.get(accountId);
    if (known !== undefined) return known;
    const { rows } = await this.coordinator.query<{ id: string }>({
      text: `SELECT get_shard_id_for_distribution_column('${ANCHOR_TABLE}', $1::uuid)::text AS id`,
      values: [accountId],
    });
    const [row] = rows;
    if (!row) throw new Error('An account has no group of shards');
    if (this.groupOfAccount.size >= KNOWN_ACCOUNTS_MAX) this.groupOfAccount.clear();
    this.groupOfAccount.set(accountId, row.id);
    return row.id;
  }

  private async groupOfKey(kind: DirectoryKind, key: string): Promise<string | undefined> {
    const name = `${kind} ${key}`;
    const known = this.accountOfKey.get(name);
    const accountId = known ?? (await this.lookUp(kind, key));
    if (accountId === undefined) return undefined;
    // Other keys can pass to another account.
    if (kind === 'key' || kind === 'session') {
      if (this.accountOfKey.size >= KNOWN_ACCOUNTS_MAX) this.accountOfKey.clear();
      this.accountOfKey.set(name, accountId);
    }
    return this.groupOf(accountId);
  }

  private anyGroup(): string {
    const [first] = this.places.keys();
    if (first === undefined) throw new Error('The database has no shards');
    return first;
  }

  private async lookUp(kind: DirectoryKind, key: string): Promise<string | undefined> {
    const { rows } = await this.coordinator.query<{ accountId: string }>({
      text: `SELECT account_id AS "accountId" FROM directory WHERE kind = $1 AND key = $2`,
      values: [kind, key],
    });
    return rows[0]?.accountId;
  }

  private async refresh(): Promise<void> {
    const { rows } = await this.coordinator.query<Place & { id: string }>(
      `SELECT s.shardid::text AS id, n.nodename AS host, n.nodeport AS port
       FROM pg_dist_shard s JOIN pg_dist_placement p USING (shardid) JOIN pg_dist_node n USING (groupid)
       WHERE s.logicalrelid = '${ANCHOR_TABLE}'::regclass AND n.noderole = 'primary' ORDER BY s.shardminvalue::integer`,
    );
    this.places = new Map(rows.map(({ id, host, port }) => [id, { host, port }]));
    this.placesAtMs = performance.now();
  }

  private poolOf(id: string): Promise<Pool> {
    const known = this.pools.get(id);
    if (known) return known;
    const pool = this.open(id);
    this.pools.set(id, pool);
    pool.catch(() => this.pools.delete(id));
    return pool;
  }

  private async open(id: string): Promise<Pool> {
    if (performance.now() - this.placesAtMs > PLACES_KNOWN_MS) await this.refresh();
    const place = this.places.get(id);
    if (!place) throw new Error(`There is no group of shards ${id}`);
    const { host, port } = place;
    const { url, waitMs } = this.config.database;
    const { username, password, pathname, search } = new URL(url);
    // The types of pg do not know that its pool waits for this promise.
    const settings = {
      connectionString: `postgres://${username}${password && `:${password}`}@${host}:${port}${pathname}${search}`,
      max: GROUP_CONNECTIONS_MAX,
      connectionTimeoutMillis: waitMs,
      application_name: 'pennytext',
      options: `-c search_path=shard_${id},public`,
      onConnect: prepareConnection,
    };
    const pool = new Pool(settings);
    pool.on('acquire', ignoreErrors);
    pool.on('error', (err) => this.logger.debug({ err, group: id }, 'connection to a group of shards broke'));
    try {
      await pool.query('SELECT public.open_shard($1)', [id]);
      this.opened.add(pool);
      return pool;
    } catch (error) {
      await pool.end();
      throw error;
    }
  }

  /**
   * Closes the group's connections, unless new connections have already replaced the failed ones.
   */
  private async close(id: string, failed = this.pools.get(id)): Promise<void> {
    if (failed !== this.pools.get(id)) return;
    this.pools.delete(id);
    const pool = await failed?.catch(() => undefined);
    if (!pool) return;
    this.opened.delete(pool);
    // Statements that already have the pool may still use it; an ended pool would let them wait in
    // vain.
    do await pause(DRAIN_CHECK_MS);
    while (pool.waitingCount > 0);
    await pool.end();
  }

  /** Substitute for TypeORM's pool, with callbacks. */
  private routed() {
    return {
      connect: (done: Parameters<Pool['connect']>[0]) => void this.connect(done),
      end: (done: (err?: Error) => void) => {
        void this.end();
        this.coordinator.end(done);
      },
    };
  }

  private async connect(done: Parameters<Pool['connect']>[0]): Promise<void> {
    let pool: Pool;
    try {
      pool = await this.pool();
    } catch (error) {
      const reason = error instanceof Error ? error : new Error('No connection', { cause: error });
      return done(reason, undefined, () => undefined);
    }
    pool.connect(done);
  }
}

/** Whether a statement failed because the group's schema is no longer on the node. */
function isOfClosed(error: unknown): boolean {
  const state = sqlState(error);
  return (state !== undefined && CLOSED.has(state)) || (error instanceof Error && error.message === NESTED);
}

/**
 * Ignores the `error` event of a connection, which without a listener would end the process when
 * the connection breaks. The user of the connection gets the error from its next statement.
 */
function ignoreErrors(client: PoolClient): void {
  client.removeListener('error', ignore);
  client.on('error', ignore);
}

const ignore = () => undefined;
