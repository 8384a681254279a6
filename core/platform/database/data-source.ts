import { setTimeout as pause } from 'node:timers/promises';
import { DataSource, type DataSourceOptions, type EntityManager, type EntityTarget, type ObjectLiteral } from 'typeorm';
import type { Config } from '../config/config.js';
import { EnvironmentError } from '../config/env.js';
import type { Logger } from '../telemetry/logger.js';
import { Accounts1796100000100 } from './migrations/1796100000100-accounts.js';
import { Keys1796100000200 } from './migrations/1796100000200-keys.js';
import { Credits1796100000300 } from './migrations/1796100000300-credits.js';
import { Messages1796100000400 } from './migrations/1796100000400-messages.js';
import { Otp1796100000500 } from './migrations/1796100000500-otp.js';
import { Inbound1796100000600 } from './migrations/1796100000600-inbound.js';
import { Webhooks1796100000700 } from './migrations/1796100000700-webhooks.js';
import { Billing1796100000800 } from './migrations/1796100000800-billing.js';
import { Mail1796100000900 } from './migrations/1796100000900-mail.js';
import { Requests1796100001000 } from './migrations/1796100001000-requests.js';
import { Quality1796100001100 } from './migrations/1796100001100-quality.js';
import { Inbox1796200000100 } from './migrations/1796200000100-inbox.js';
import { OtpLog1796200000200 } from './migrations/1796200000200-otp-log.js';
import { SavedFilters1796200000400 } from './migrations/1796200000400-saved-filters.js';
import { Spend1796200000500 } from './migrations/1796200000500-spend.js';
import { StatusHistory1796200000600 } from './migrations/1796200000600-status-history.js';
import { Carriers1796300000100 } from './migrations/1796300000100-carriers.js';
import { IdBounds1796300000150 } from './migrations/1796300000150-id-bounds.js';
import { MessageAttempts1796300000300 } from './migrations/1796300000300-message-attempts.js';
import { Routes1796300000200 } from './migrations/1796300000200-routes.js';
import { SmppBinds1796300000400 } from './migrations/1796300000400-smpp-binds.js';
import { RouteHealth1796300000600 } from './migrations/1796300000600-route-health.js';
import { SmppReplySegments1796300000700 } from './migrations/1796300000700-smpp-reply-segments.js';
import { RegionSettings1796300000500 } from './migrations/1796300000500-region-settings.js';
import { Media1796400000100 } from './migrations/1796400000100-media.js';
import { Mms1796400000200 } from './migrations/1796400000200-mms.js';
import { Numbers1796400000300 } from './migrations/1796400000300-numbers.js';
import { NumberTurns1796400000310 } from './migrations/1796400000310-number-turns.js';
import { NumberCarriers1796400000320 } from './migrations/1796400000320-number-carriers.js';
import { SlowHandOvers1796500000800 } from './migrations/1796500000800-slow-hand-overs.js';
import { OneConversation1796600000100 } from './migrations/1796600000100-one-conversation.js';
import { DeliveryCounts1796600000300 } from './migrations/1796600000300-delivery-counts.js';
import { SmppNotes1796600000350 } from './migrations/1796600000350-smpp-notes.js';
import { OwnCodes1796700000100 } from './migrations/1796700000100-own-codes.js';
import { Plugs1796700000200 } from './migrations/1796700000200-plugs.js';
import { Totp1796700000300 } from './migrations/1796700000300-totp.js';
import { OtpChannels1796700000400 } from './migrations/1796700000400-otp-channels.js';
import { CallLanguage1796700000500 } from './migrations/1796700000500-call-language.js';
import { SmppCodes1796500000600 } from './migrations/1796500000600-smpp-codes.js';
import { AccountStops1796500000300 } from './migrations/1796500000300-account-stops.js';
import { RequestDays1796500000500 } from './migrations/1796500000500-request-days.js';
import { Restores1796500000400 } from './migrations/1796500000400-restores.js';
import { StrangersAndReleases1796500000200 } from './migrations/1796500000200-strangers-and-releases.js';
import { Client, type ClientBase } from 'pg';

/** Migrations in chronological order: since 0.1.0 they are only added (docs/upgrading.md). */
const migrations = [
  Accounts1796100000100,
  Keys1796100000200,
  Credits1796100000300,
  Messages1796100000400,
  Otp1796100000500,
  Inbound1796100000600,
  Webhooks1796100000700,
  Billing1796100000800,
  Mail1796100000900,
  Requests1796100001000,
  Quality1796100001100,
  Inbox1796200000100,
  OtpLog1796200000200,
  SavedFilters1796200000400,
  Spend1796200000500,
  StatusHistory1796200000600,
  Carriers1796300000100,
  IdBounds1796300000150,
  Routes1796300000200,
  MessageAttempts1796300000300,
  SmppBinds1796300000400,
  RegionSettings1796300000500,
  RouteHealth1796300000600,
  SmppReplySegments1796300000700,
  Media1796400000100,
  Mms1796400000200,
  Numbers1796400000300,
  NumberTurns1796400000310,
  NumberCarriers1796400000320,
  SlowHandOvers1796500000800,
  OneConversation1796600000100,
  DeliveryCounts1796600000300,
  SmppCodes1796500000600,
  AccountStops1796500000300,
  RequestDays1796500000500,
  Restores1796500000400,
  StrangersAndReleases1796500000200,
  SmppNotes1796600000350,
  OwnCodes1796700000100,
  Plugs1796700000200,
  Totp1796700000300,
  OtpChannels1796700000400,
  CallLanguage1796700000500,
];

/**
 * PostgreSQL 18.4 has crashed twice in run-time partition pruning (`perform_pruning_base_step`)
 * during concurrent updates of `messages`; earlier versions have not, and keep the pruning. The
 * setting is made for the session, and for our role in this database for later sessions: behind a
 * pooler in transaction mode a statement may run on a session that we did not open. As each new
 * connection sets it, neither a deployment nor a restore loses it.
 */
const sessionSettings = `
DO $$
BEGIN
  IF current_setting('server_version_num')::integer < 180000 THEN
    RETURN;
  END IF;
  SET enable_partition_pruning = off;
  IF EXISTS (SELECT FROM pg_settings WHERE name = 'enable_partition_pruning' AND reset_val = 'on')
    AND current_setting('transaction_read_only') = 'off'
    -- Two sessions that alter a role at once fail.
    AND pg_try_advisory_xact_lock(hashtext('pennytext session settings'))
  THEN
    EXECUTE format('ALTER ROLE CURRENT_USER IN DATABASE %I SET enable_partition_pruning = off', current_database());
  END IF;
END
$$`;

const CONNECT_TIMEOUT_MS = 5_000;
/** Time within which a database must answer a starting process or a command. */
const ANSWER_TIMEOUT_MS = 4_000;

/**
 * Sets up the session of a new connection. Throws when the server does not answer within five
 * seconds.
 */
export async function prepareConnection(connection: ClientBase): Promise<void> {
  // Callers that wait for the connection wait for this too, and must not wait for a server that
  // hangs.
  const statement = { text: sessionSettings, query_timeout: CONNECT_TIMEOUT_MS };
  await connection.query(statement);
}

/** Options of the process's connection pool. Only migrations change the schema. */
export function dataSourceOptions(
  database: Pick<Config['database'], 'url' | 'poolMax' | 'waitMs'>,
  entities: EntityTarget<ObjectLiteral>[] = [],
): DataSourceOptions & { type: 'postgres' } {
  return {
    type: 'postgres',
    url: database.url,
    poolSize: database.poolMax,
    entities: entities as Function[],
    migrations,
    synchronize: false,
    logging: false,
    uuidExtension: 'pgcrypto',
    installExtensions: false,
    connectTimeoutMS: database.waitMs,
    applicationName: 'pennytext',
    extra: { onConnect: prepareConnection },
  };
}

/**
 * Runs pending migrations. Concurrent calls are safe: the second call waits and finds nothing to
 * do. The lock belongs to a transaction, not a session, so it also works through a transaction
 * pooler.
 */
export async function migrate(database: Pick<Config['database'], 'url' | 'waitMs'>): Promise<string[]> {
  const dataSource = new DataSource(dataSourceOptions({ ...database, poolMax: 2 }));
  await dataSource.initialize();
  try {
    return await dataSource.transaction(async (lock) => {
      await lock.query(`SELECT pg_advisory_xact_lock(hashtext('pennytext migrations'))`);
      refuseUnreleased(await appliedMigrations((text) => lock.query(text)));
      const done = await dataSource.runMigrations({ transaction: 'each' });
      await grantReading(dataSource.manager);
      return done.map(({ name }) => name);
    });
  } finally {
    await dataSource.destroy();
  }
}

/** Lets the read-only role see new tables, if ops/postgres/roles.sql has made that role. */
async function grantReading(manager: EntityManager): Promise<void> {
  const [found] = await manager.query<{ exists: boolean }[]>(
    `SELECT to_regprocedure('grant_reading()') IS NOT NULL AS exists`,
  );
  if (found?.exists) await manager.query('SELECT grant_reading()');
}

const timestampOf = (name: string) => Number(name.slice(-13));
const FIRST_MIGRATION = Math.min(...migrations.map(({ name }) => timestampOf(name)));

/** Runs a statement on one connection and returns its rows. */
type QueryRows = <Row extends object>(text: string) => Promise<Row[]>;

/** Returns the timestamps of the migrations that a database has; empty for an empty database. */
async function appliedMigrations(queryRows: QueryRows): Promise<number[]> {
  const [known] = await queryRows<{ exists: boolean }>(`SELECT to_regclass('migrations') IS NOT NULL AS exists`);
  if (!known?.exists) return [];
  const rows = await queryRows<{ timestamp: string }>('SELECT timestamp::text FROM migrations');
  return rows.map(({ timestamp }) => Number(timestamp));
}

/**
 * Throws an {@link EnvironmentError} for a database of a build from before 0.1.0, whose tables
 * differ.
 */
function refuseUnreleased(applied: readonly number[]): void {
  if (applied.every((timestamp) => timestamp >= FIRST_MIGRATION)) return;
  throw new EnvironmentError(
    'This database is from a build before 0.1.0, which had other tables. Nothing in it was changed. Move the folder ' +
      '.data away if `npm start` uses it, or let DATABASE_URL name an empty database: the next start fills it.',
  );
}

/**
 * Connects once, so that a process without a database fails with one line before it starts anything
 * else. Throws an {@link EnvironmentError} for a database from before 0.1.0. Logs when migrations
 * of this build have not run: the process starts, and is not ready until they have.
 */
export async function checkDatabase({ url }: { url: string }, logger: Pick<Logger, 'error'>): Promise<void> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
  });
  try {
    await client.connect();
    const applied = await appliedMigrations(async (text) => (await client.query(text)).rows);
    refuseUnreleased(applied);
    const pending = migrations.filter(({ name }) => !applied.includes(timestampOf(name))).map(({ name }) => name);
    if (pending.length > 0)
      logger.error({ pending }, 'the database lacks migrations: run migrate; until then /readyz answers 503');
  } catch (error) {
    throw isTimeout(error) ? noAnswer(url, error) : error;
  } finally {
    // A connection that failed, or that hangs, does not close.
    client.end().catch(() => undefined);
  }
}

const WATCH_EVERY_MS = 1_000;

/**
 * Runs work while the database answers on a separate connection, and throws as soon as the database
 * refuses or breaks that connection or is silent for four seconds (code ETIMEDOUT). Work may take
 * as long as it needs; abandoned work is not awaited.
 */
export async function whileDatabaseAnswers<T>({ url }: { url: string }, work: () => Promise<T>): Promise<T> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
  });
  const stopping = new AbortController();
  const broken = new Promise<never>((_resolve, reject) => client.on('error', reject));
  const silence = async (): Promise<never> => {
    for (;;) {
      await pause(WATCH_EVERY_MS, undefined, { signal: stopping.signal });
      await client.query('SELECT 1');
    }
  };
  try {
    await client.connect();
    return await Promise.race([broken, silence(), work()]);
  } catch (error) {
    throw isTimeout(error) ? noAnswer(url, error) : error;
  } finally {
    stopping.abort();
    // The connection failed, or is no longer needed.
    broken.catch(() => undefined);
    client.end().catch(() => undefined);
  }
}

function isTimeout(error: unknown): boolean {
  return (
    error instanceof Error && /^(timeout expired|Query read timeout|Connection terminated due to)/.test(error.message)
  );
}

function noAnswer(url: string, cause: unknown): Error {
  const { host } = new URL(url);
  return Object.assign(
    new Error(`Postgres at ${host} gave no answer within ${ANSWER_TIMEOUT_MS / 1_000} s`, { cause }),
    {
      code: 'ETIMEDOUT',
    },
  );
}
