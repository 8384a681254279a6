import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Pool, PoolClient } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import { Config } from '../config/config.js';

/** One statement. With a name Postgres plans it once per connection; without, for the values at hand. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
}

const writableStatement: Statement = {
  name: 'writable-1',
  text: `SELECT current_setting('transaction_read_only') = 'off' AS writable`,
};
const notifyStatement: Statement = { name: 'notify-1', text: 'SELECT pg_notify($1, $2)' };

/** The pool of the process, for plain SQL and for transactions that are passed by hand. */
@Injectable()
export class Postgres {
  private readonly pool: Pool;
  /** What each open transaction leads to once it is committed. */
  private readonly afterwards = new WeakMap<EntityManager, (() => void)[]>();

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly config: Config,
  ) {
    this.pool = poolOf(dataSource);
    this.pool.on('acquire', outliveItsLoss);
  }

  /** Runs one statement in a transaction of its own and answers its rows. */
  async query<Row extends object>(statement: Statement, values: unknown[]): Promise<Row[]> {
    const { name, text } = statement;
    const isPrepared = name !== undefined && this.config.database.preparedStatements;
    const result = await this.pool.query<Row>(isPrepared ? { name, text, values } : { text, values });
    return result.rows;
  }

  /** Opens a transaction; holds no network call to anyone but Postgres. */
  async transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    const afterwards: (() => void)[] = [];
    const result = await this.dataSource.transaction((tx) => {
      this.afterwards.set(tx, afterwards);
      return work(tx);
    });
    for (const then of afterwards) then();
    return result;
  }

  /** Runs `then`, which must not throw, when the transaction is committed; never when it is undone. */
  afterCommit(tx: EntityManager, then: () => void): void {
    const afterwards = this.afterwards.get(tx);
    if (!afterwards) throw new Error('This is no transaction of Postgres.transaction');
    afterwards.push(then);
  }

  /** Tells the text, of less than 8,000 bytes, to every connection that listens to the channel. */
  async notify(channel: string, text: string): Promise<void> {
    await this.query(notifyStatement, [channel, text]);
  }

  /** The pool as it is now: connections at work and idle, statements that wait for one, and how many connections there may be. */
  load(): { busy: number; idle: number; waiting: number; max: number } {
    const { totalCount, idleCount, waitingCount } = this.pool;
    return {
      busy: totalCount - idleCount,
      idle: idleCount,
      waiting: waitingCount,
      max: this.config.database.poolMax,
    };
  }

  /** Whether the database takes writes, as a standby does not. Throws when it does not answer. */
  async isWritable(): Promise<boolean> {
    const [row] = await this.query<{ writable: boolean }>(writableStatement, []);
    return row?.writable === true;
  }

  /** Whether every migration that this program knows has run. */
  async isMigrated(): Promise<boolean> {
    return !(await this.dataSource.showMigrations());
  }
}

/** TypeORM's Postgres driver keeps its pg pool in `master`; using it, the process has one pool and not two. */
function poolOf(dataSource: DataSource): Pool {
  const { driver } = dataSource;
  if (!('master' in driver)) throw new Error('The data source is not a connected Postgres');
  return driver.master as Pool;
}

/**
 * Ignores the `error` event of a connection, which without a listener would end the process when the connection breaks. The
 * user of the connection gets the error from its next statement.
 */
function outliveItsLoss(client: PoolClient): void {
  client.removeListener('error', ignore);
  client.on('error', ignore);
}

function ignore(): void {
  return undefined;
}
