import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { ClientBase } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import { Config } from '../config/config.js';
import { DomainError } from '../errors/domain-error.js';
import { isDatabaseUnavailable, isLockTimeout, isStorageFailure } from '../errors/database-error.js';
import type { DirectoryKind } from '../citus/layout.js';
import { currentGroup, inGroup, Shards } from './shards.js';

/**
 * An SQL statement. With a name it is prepared, so Postgres plans it once per connection; otherwise
 * for its values each time.
 */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  /**
   * True for a statement on tables that accounts share, or that reads rows of any number of accounts. On a divided
   * database it runs on the coordinator, outside the transaction of an account.
   */
  readonly shared?: boolean;
  /**
   * Rejects when no answer has come within this time. For reads that many callers share, which one
   * hanging connection would all hold up.
   */
  readonly answerWithinMs?: number;
}

const writableStatement: Statement = {
  name: 'writable-1',
  text: `SELECT current_setting('transaction_read_only') = 'off' AS writable`,
};
/**
 * Takes new pages on the disk and gives them back at once; only the catalog's rows stay in the log.
 */
const storageProbe: Statement = {
  text: `CREATE TEMPORARY TABLE storage_probe ON COMMIT DROP AS SELECT repeat('x', 1900) AS filler
    FROM generate_series(1, 40)`,
};
const STORAGE_PROBE_EVERY_MS = 1_000;

/**
 * Time for which a change waits for a lock: much longer than another change of the account takes.
 */
const LOCK_WAIT_MS = 500;
const RETRY_AFTER_SECONDS = 1;

const notifyStatement: Statement = { name: 'notify-1', text: 'SELECT pg_notify($1, $2)', shared: true };

/** Begins the turn of a work that one process does at a time. Parameter: its name. */
export const leaderStatement = {
  name: 'leader-1',
  text: 'SELECT pg_try_advisory_xact_lock(hashtext($1)) AS free, clock_timestamp() AS now',
} as const;

/**
 * The process's connection pool, for plain SQL and explicit transactions. Statements run on the
 * rows of the account that a guard, a callback or a job has named; `ofAccount` and the methods
 * below it name another account. On a database that is not divided by account
 * (docs/design/shards.md) these methods run their work at once.
 */
@Injectable()
export class Postgres {
  /** Work registered to run after the commit of each open transaction. */
  private readonly afterCommits = new WeakMap<EntityManager, (() => void)[]>();
  /**
   * True if a write failed because the server could not store it, and no probe has succeeded since.
   */
  private isFull = false;
  private probedAtMs = -Infinity;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly shards: Shards,
    private readonly config: Config,
  ) {}

  /** Runs one statement in a transaction of its own and returns its rows. */
  async query<Row extends object>(statement: Statement, values: unknown[]): Promise<Row[]> {
    if (leavesGroup(statement)) return inGroup(undefined, () => this.query<Row>(statement, values));
    const { name, text, answerWithinMs } = statement;
    const isPrepared = name !== undefined && this.config.database.preparedStatements;
    const query = { ...(isPrepared && { name }), text, values, query_timeout: answerWithinMs };
    return this.watched(async () => {
      if (!this.shards.isDistributed) return (await this.shards.coordinator.query<Row>(query)).rows;
      return this.shards.retried(async () => (await (await this.shards.pool()).query<Row>(query)).rows);
    });
  }

  /**
   * Runs a statement within a transaction and returns its rows. Unlike `tx.query`, prepares a named
   * statement: a statement of many parts takes Postgres milliseconds to plan. With the manager of
   * {@link call}, which is in no transaction, the statement runs alone.
   */
  async run<Row extends object>(tx: EntityManager, statement: Statement, values: unknown[]): Promise<Row[]> {
    if (!tx.queryRunner || leavesGroup(statement)) return this.query<Row>(statement, values);
    const { name, text } = statement;
    const connection: ClientBase = await tx.queryRunner.connect();
    const isPrepared = name !== undefined && this.config.database.preparedStatements;
    return (await connection.query<Row>({ ...(isPrepared && { name }), text, values })).rows;
  }

  /**
   * Runs one call of a TypeORM repository, or of the manager, outside a transaction, as
   * {@link query} runs a statement.
   */
  async call<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.watched(() => this.shards.retried(() => work(this.dataSource.manager)));
  }

  /** Runs work on the account's rows. */
  ofAccount<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    return this.shards.of(accountId, work);
  }

  /**
   * Runs work on the rows of the account that has a key. If an account takes the key meanwhile, the
   * work runs a second time, so it must be safe to repeat.
   */
  ofKey<T>(kind: DirectoryKind, key: string, work: () => Promise<T>): Promise<T> {
    return this.shards.ofKey(kind, key, work);
  }

  /** Like {@link ofKey}, for the hash of an API key. */
  ofApiKey<T>(hash: Buffer, work: () => Promise<T>): Promise<T> {
    return this.shards.ofKey('key', hash.toString('hex'), work);
  }

  /** Runs the rest of a request on the account's rows. For guards. */
  enter(accountId: string): Promise<void> {
    return this.shards.enter(accountId);
  }

  /** Like {@link enter}, by the hash of an API key. */
  enterKey(hash: Buffer): Promise<void> {
    return this.shards.enterKey('key', hash.toString('hex'));
  }

  /** Runs work on the rows of the account that has a row with this id. */
  ofRow<T>(table: 'mails' | 'media' | 'messages' | 'top_ups', id: string, work: () => Promise<T>): Promise<T> {
    return this.shards.ofRow(table, id, work);
  }

  /** Runs work on the rows of an account that `find` looks up, if the database is divided. */
  ofFound<T>(find: () => Promise<string | undefined>, work: () => Promise<T>): Promise<T> {
    return this.shards.ofFound(find, work);
  }

  /** Runs work on data that accounts share, or on rows of any number of accounts for reading. */
  ofAll<T>(work: () => Promise<T>): Promise<T> {
    return this.shards.onCoordinator(work);
  }

  /** Runs work on each part of the database in turn; returns its results in order. */
  onEach<T>(work: () => Promise<T>): Promise<T[]> {
    return this.shards.all(work);
  }

  /** Like {@link onEach}, for work that is repeated later: skips a part that is down. */
  onEachInReach<T>(work: () => Promise<T>): Promise<T[]> {
    return this.shards.each(work);
  }

  /** Runs a statement on each part of the database in turn; returns the rows of all parts. */
  async queryEach<Row extends object>(statement: Statement, values: unknown[]): Promise<Row[]> {
    return (await this.onEach(() => this.query<Row>(statement, values))).flat();
  }

  /** Like {@link queryEach}, for a statement that is repeated later: skips a part that is down. */
  async queryEachInReach<Row extends object>(statement: Statement, values: unknown[]): Promise<Row[]> {
    return (await this.onEachInReach(() => this.query<Row>(statement, values))).flat();
  }

  /** Runs work on the items of each account's part; results are in the order of the items. */
  byAccount<Item, Out>(
    items: readonly Item[],
    accountOf: (item: Item) => string,
    work: (items: Item[]) => Promise<Out[]>,
  ): Promise<Out[]> {
    return this.shards.byAccount(items, accountOf, work);
  }

  /** Like {@link byAccount}, by the hashes of API keys. */
  byKey<Item>(
    items: readonly Item[],
    keyOf: (item: Item) => Buffer,
    work: (items: Item[]) => Promise<void>,
  ): Promise<void> {
    return this.shards.byKey(items, keyOf, work);
  }

  /** Runs `work` in a transaction. `work` must not wait for other services. */
  async transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.shards.retried(async () => {
      const callbacks: (() => void)[] = [];
      const result = await this.watched(() =>
        this.dataSource.transaction((tx) => {
          this.afterCommits.set(tx, callbacks);
          return work(tx);
        }),
      );
      for (const callback of callbacks) callback();
      return result;
    });
  }

  /**
   * As {@link transaction}, for work that one process does at a time; returns undefined when another process does
   * it. `name` identifies the work. `now` is the time of the database, whose clock writes the times of rows.
   */
  async asLeader<T>(name: string, work: (tx: EntityManager, now: Date) => Promise<T>): Promise<T | undefined> {
    return this.transaction(async (tx) => {
      const [turn] = await this.run<{ free: boolean; now: Date }>(tx, leaderStatement, [`pennytext ${name}`]);
      return turn?.free ? work(tx, turn.now) : undefined;
    });
  }

  /**
   * Like {@link transaction}, for a change of an account that its caller waits for: gives the
   * connection back when a lock is not free within half a second, so that work on the account's
   * rows holds up only this account. Throws `unavailable` then; nothing was changed.
   */
  async change<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await this.transaction(async (tx) => {
        await tx.query(`SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`);
        return work(tx);
      });
    } catch (cause) {
      if (!isLockTimeout(cause)) throw cause;
      const detail = 'Another change of your account is being made. Nothing was changed; try again in a second.';
      throw new DomainError('unavailable', detail, { cause, retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
  }

  /**
   * Remembers that the server could not store a write. A failure of one node does not count:
   * accounts of other nodes are served.
   */
  private async watched<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (isStorageFailure(error) && currentGroup() === undefined) this.isFull = true;
      throw error;
    }
  }

  /** Registers a callback to run after the commit, not after a rollback. It must not throw. */
  afterCommit(tx: EntityManager, callback: () => void): void {
    const callbacks = this.afterCommits.get(tx);
    if (!callbacks) throw new Error('The transaction was not opened by Postgres.transaction');
    callbacks.push(callback);
  }

  /** Sends a text of less than 8,000 bytes to every connection that listens on the channel. */
  async notify(channel: string, text: string): Promise<void> {
    await this.query(notifyStatement, [channel, text]);
  }

  /**
   * Returns the current number of busy and idle connections, waiting statements, and the maximum of
   * connections.
   */
  load(): { busy: number; idle: number; waiting: number; max: number } {
    return this.shards.load();
  }

  /**
   * Returns whether the database accepts writes: a standby does not, nor does a server whose disk
   * is full, which shows in the writes of this process. Throws when the database is unavailable.
   */
  async isWritable(): Promise<boolean> {
    const [row] = await this.query<{ writable: boolean }>(writableStatement, []);
    return row?.writable === true && (await this.canStore());
  }

  /** Writes only after a write has failed, and at most once a second for all callers. */
  private async canStore(): Promise<boolean> {
    if (!this.isFull || performance.now() - this.probedAtMs < STORAGE_PROBE_EVERY_MS) return !this.isFull;
    this.probedAtMs = performance.now();
    try {
      await this.query(storageProbe, []);
    } catch (error) {
      if (isStorageFailure(error)) return false;
      // Another refusal, such as a role that may not create temporary tables, is unrelated to the
      // disk.
      if (isDatabaseUnavailable(error)) throw error;
    }
    this.isFull = false;
    return true;
  }

  /** Returns whether all migrations of this version have run. */
  async isMigrated(): Promise<boolean> {
    // TypeORM would create its table, which the role of server and worker may not do.
    const text = `SELECT to_regclass('migrations') IS NOT NULL AS known`;
    const [found] = await this.query<{ known: boolean }>({ text }, []);
    return found?.known === true && !(await this.dataSource.showMigrations());
  }
}

/** Whether a statement must leave the part of the database that the current work is on. */
function leavesGroup({ shared }: Statement): boolean {
  return shared === true && currentGroup() !== undefined;
}
