import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Pool } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import { Config } from '../config/config.js';

/** One statement. With a name Postgres plans it once per connection; without, for the values at hand. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
}

/** The pool of the process, for plain SQL and for transactions that are passed by hand. */
@Injectable()
export class Postgres {
  private readonly pool: Pool;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly config: Config,
  ) {
    this.pool = poolOf(dataSource);
  }

  /** Runs one statement in a transaction of its own and answers its rows. */
  async query<Row extends object>(statement: Statement, values: unknown[]): Promise<Row[]> {
    const { name, text } = statement;
    const isPrepared = name !== undefined && this.config.database.preparedStatements;
    const result = await this.pool.query<Row>(isPrepared ? { name, text, values } : { text, values });
    return result.rows;
  }

  /** Opens a transaction; holds no network call to anyone but Postgres. */
  transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.dataSource.transaction(work);
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
