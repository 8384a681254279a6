import { Global, Injectable, Module } from '@nestjs/common';
import { InjectDataSource, TypeOrmModule } from '@nestjs/typeorm';
import { Client } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import { Config } from '../config/config.js';
import { Logger } from '../telemetry/logger.js';
import { dataSourceOptions } from './data-source.js';
import { Shards } from './shards.js';

/** An SQL statement. With a name it is prepared, so Postgres plans it once per connection; otherwise for its values each time. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
}

const writableStatement: Statement = {
  name: 'writable-1',
  text: `SELECT current_setting('transaction_read_only') = 'off' AS writable`,
};
const notifyStatement: Statement = { name: 'notify-1', text: 'SELECT pg_notify($1, $2)' };

/** The process's connection pool, for plain SQL and explicit transactions. */
@Injectable()
export class Postgres {
  /** Work registered to run after the commit of each open transaction. */
  private readonly afterCommits = new WeakMap<EntityManager, (() => void)[]>();

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly shards: Shards,
    private readonly config: Config,
  ) {}

  /** Runs one statement in a transaction of its own and returns its rows. */
  async query<Row extends object>(statement: Statement, values: unknown[]): Promise<Row[]> {
    const { name, text } = statement;
    const isPrepared = name !== undefined && this.config.database.preparedStatements;
    const query = isPrepared ? { name, text, values } : { text, values };
    if (!this.shards.isDistributed) return (await this.shards.coordinator.query<Row>(query)).rows;
    return this.shards.retried(async () => (await (await this.shards.pool()).query<Row>(query)).rows);
  }

  /** Runs `work` in a transaction. `work` must not wait for other services. */
  async transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.shards.retried(async () => {
      const callbacks: (() => void)[] = [];
      const result = await this.dataSource.transaction((tx) => {
        this.afterCommits.set(tx, callbacks);
        return work(tx);
      });
      for (const callback of callbacks) callback();
      return result;
    });
  }

  /** Registers a callback to run after the commit, not after a rollback. It must not throw. */
  afterCommit(tx: EntityManager, callback: () => void): void {
    const callbacks = this.afterCommits.get(tx);
    if (!callbacks) throw new Error('The transaction was not opened by Postgres.transaction');
    callbacks.push(callback);
  }

  /** Sends a text of less than 8,000 bytes to every connection that listens on the channel. */
  async notify(channel: string, text: string): Promise<void> {
    await this.shards.onCoordinator(() => this.query(notifyStatement, [channel, text]));
  }

  /** Returns the current number of busy and idle connections, waiting statements, and the maximum of connections. */
  load(): { busy: number; idle: number; waiting: number; max: number } {
    return this.shards.load();
  }

  /** Whether the database accepts writes; a standby does not. Throws when the database is unavailable. */
  async isWritable(): Promise<boolean> {
    const [row] = await this.query<{ writable: boolean }>(writableStatement, []);
    return row?.writable === true;
  }

  /** Whether all migrations of this version have run. */
  async isMigrated(): Promise<boolean> {
    return !(await this.dataSource.showMigrations());
  }
}

/** The process's one pool. Entities are registered by the features that own them. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [Config],
      useFactory: (config: Config) => ({
        ...dataSourceOptions(config.database),
        autoLoadEntities: true,
        retryAttempts: 0,
      }),
    }),
  ],
  providers: [
    Postgres,
    {
      provide: Shards,
      inject: [DataSource, Config, Logger],
      useFactory: (dataSource: DataSource, config: Config, logger: Logger) => Shards.over(dataSource, config, logger),
    },
  ],
  exports: [Postgres, Shards],
})
export class DatabaseModule {}

const RECONNECT_AFTER_MS = 1_000;
const CONNECT_TIMEOUT_MS = 5_000;

interface NotificationsOptions {
  /** Must bypass a transaction pooler, which accepts LISTEN but delivers no notifications. */
  readonly databaseUrl: string;
  readonly channel: string;
  readonly onText: (text: string) => void;
  /** Called when notifications start to arrive, again after each reconnect. */
  readonly onLive: () => void;
  readonly logger: Logger;
}

/** Receives Postgres notifications (LISTEN) over its own connection and reconnects when it breaks. */
export class Notifications {
  isLive = false;
  private client: Client | undefined;
  private retry: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(private readonly options: NotificationsOptions) {
    void this.connect();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.retry);
    await this.client?.end();
  }

  private async connect(): Promise<void> {
    const { databaseUrl, channel, onText, onLive, logger } = this.options;
    const client = new Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    });
    this.client = client;
    client.on('notification', ({ payload }) => onText(payload ?? ''));
    client.on('error', (err) => logger.warn({ reason: err.message }, 'notifications disconnected'));
    client.once('end', () => this.reconnect());
    try {
      await client.connect();
      await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
      this.isLive = true;
      onLive();
    } catch (err) {
      logger.warn({ err }, 'notifications not connected');
      this.reconnect();
    }
  }

  /** Reconnects once per break, whether it was reported as an error, an end or both. */
  private reconnect(): void {
    this.isLive = false;
    if (this.isClosed || this.retry) return;
    this.retry = setTimeout(() => {
      this.retry = undefined;
      void this.connect();
    }, RECONNECT_AFTER_MS);
  }
}
