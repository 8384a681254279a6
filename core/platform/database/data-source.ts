import { setTimeout as pause } from 'node:timers/promises';
import { DataSource, type DataSourceOptions, type EntityTarget, type ObjectLiteral } from 'typeorm';
import type { Config } from '../config/config.js';
import { Foundation1795226400000 } from './migrations/1795226400000-foundation.js';
import { Billing1795312800100 } from './migrations/1795312800100-billing.js';
import { RedeemCodes1795312800200 } from './migrations/1795312800200-redeem-codes.js';
import { Mails1795312800300 } from './migrations/1795312800300-mails.js';
import { HistoryNumbers1795400000100 } from './migrations/1795400000100-history-numbers.js';
import { Disputes1795400000150 } from './migrations/1795400000150-disputes.js';
import { Webhooks1795400000200 } from './migrations/1795400000200-webhooks.js';
import { Inbound1795400000300 } from './migrations/1795400000300-inbound.js';
import { OneTimePasswords1795400000400 } from './migrations/1795400000400-one-time-passwords.js';
import { OtpLifecycle1795500000300 } from './migrations/1795500000300-otp-lifecycle.js';
import { OtpGuessing1795500000301 } from './migrations/1795500000301-otp-guessing.js';
import { OtpGuard1795500000302 } from './migrations/1795500000302-otp-guard.js';
import { MessageDays1795400000700 } from './migrations/1795400000700-message-days.js';
import { CarrierOutcomes1795500000100 } from './migrations/1795500000100-carrier-outcomes.js';
import { PersonalData1795500000510 } from './migrations/1795500000510-personal-data.js';
import { BlockedNetworks1795500000400 } from './migrations/1795500000400-blocked-networks.js';
import { AuditAddress1795500000410 } from './migrations/1795500000410-audit-address.js';
import { Notices1795500000520 } from './migrations/1795500000520-notices.js';
import { EmailLinks1795500000600 } from './migrations/1795500000600-email-links.js';
import { SessionDevices1795500000500 } from './migrations/1795500000500-session-devices.js';
import { ConversationOwners1795500000200 } from './migrations/1795500000200-conversation-owners.js';
import { LimitedReplies1795500000210 } from './migrations/1795500000210-limited-replies.js';
import { WelcomeMails1795500000110 } from './migrations/1795500000110-welcome-mails.js';
import { FrozenCredits1795500000220 } from './migrations/1795500000220-frozen-credits.js';
import { DeliverySuspensions1795500000230 } from './migrations/1795500000230-delivery-suspensions.js';
import { FreeCredits1795500000240 } from './migrations/1795500000240-free-credits.js';
import { MessageChecks1795500000620 } from './migrations/1795500000620-message-checks.js';
import { NamedKeys1795500000640 } from './migrations/1795500000640-named-keys.js';
import { Deduplication1795500000650 } from './migrations/1795500000650-deduplication.js';
import { CreditAlerts1795500000750 } from './migrations/1795500000750-credit-alerts.js';
import { OtpReferences1795500000960 } from './migrations/1795500000960-otp-references.js';
import { EventStreams1795500000950 } from './migrations/1795500000950-event-streams.js';
import { Batches1795500000800 } from './migrations/1795500000800-batches.js';
import {
  AllWebhookDeliveries1795500000982,
  CheckDeliveryFormat1795500000981,
  MessageCallbacks1795500000980,
} from './migrations/1795500000980-message-callbacks.js';
import { LedgerSeals1796000000100 } from './migrations/1796000000100-ledger-seals.js';
import { ApiRequests1796000001000 } from './migrations/1796000001000-api-requests.js';
import { DeliveryQuality1796000002000 } from './migrations/1796000002000-delivery-quality.js';
import { ServiceStatus1796000002500 } from './migrations/1796000002500-service-status.js';
import { AccountColumns1796000003000 } from './migrations/1796000003000-account-columns.js';
import { PaymentRefunds1796000004000 } from './migrations/1796000004000-payment-refunds.js';
import { KeySchedules1796000005000 } from './migrations/1796000005000-key-schedules.js';
import { RunningBulks1795500000850 } from './migrations/1795500000850-running-bulks.js';
import { ScheduledMessages1795500000700 } from './migrations/1795500000700-scheduled-messages.js';
import { Invoices1795500000770 } from './migrations/1795500000770-invoices.js';
import { TopUps1795500000760 } from './migrations/1795500000760-top-ups.js';
import { SignIn1795230000000 } from './migrations/1795230000000-sign-in.js';
import { DisabledCountries1795500000900 } from './migrations/1795500000900-disabled-countries.js';
import { OldKeySecrets1795500000910 } from './migrations/1795500000910-old-key-secrets.js';
import { MessageReferences1795500000920 } from './migrations/1795500000920-message-references.js';
import { Client, type ClientBase } from 'pg';

const migrations = [
  Foundation1795226400000,
  SignIn1795230000000,
  Billing1795312800100,
  RedeemCodes1795312800200,
  Mails1795312800300,
  HistoryNumbers1795400000100,
  Disputes1795400000150,
  Webhooks1795400000200,
  Inbound1795400000300,
  OneTimePasswords1795400000400,
  MessageDays1795400000700,
  CarrierOutcomes1795500000100,
  WelcomeMails1795500000110,
  ConversationOwners1795500000200,
  LimitedReplies1795500000210,
  OtpLifecycle1795500000300,
  OtpGuessing1795500000301,
  OtpGuard1795500000302,
  BlockedNetworks1795500000400,
  AuditAddress1795500000410,
  SessionDevices1795500000500,
  PersonalData1795500000510,
  FrozenCredits1795500000220,
  DeliverySuspensions1795500000230,
  Notices1795500000520,
  FreeCredits1795500000240,
  EmailLinks1795500000600,
  MessageChecks1795500000620,
  NamedKeys1795500000640,
  Deduplication1795500000650,
  CreditAlerts1795500000750,
  Batches1795500000800,
  EventStreams1795500000950,
  OtpReferences1795500000960,
  ScheduledMessages1795500000700,
  TopUps1795500000760,
  Invoices1795500000770,
  DisabledCountries1795500000900,
  OldKeySecrets1795500000910,
  MessageReferences1795500000920,
  RunningBulks1795500000850,
  MessageCallbacks1795500000980,
  CheckDeliveryFormat1795500000981,
  AllWebhookDeliveries1795500000982,
  LedgerSeals1796000000100,
  ApiRequests1796000001000,
  DeliveryQuality1796000002000,
  ServiceStatus1796000002500,
  AccountColumns1796000003000,
  PaymentRefunds1796000004000,
  KeySchedules1796000005000,
];

/**
 * PostgreSQL 18.4 has crashed twice in run-time partition pruning (`perform_pruning_base_step`)
 * during concurrent updates of `messages`; earlier versions have not, and keep the pruning. The
 * setting is of the session, and of our role in this database for later sessions: behind a pooler
 * in transaction mode a statement may run on a session that we did not open. As each new connection
 * sets it, neither a deployment nor a restore loses it.
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

/**
 * Gives a new connection what the product needs of its session. Throws when the server does not
 * answer within five seconds.
 */
export async function prepareConnection(connection: ClientBase): Promise<void> {
  // What waits for the connection waits for this too, and must not wait for a server that hangs.
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
 * Runs pending migrations. Concurrent calls are safe: the second one waits and finds nothing to do.
 * The lock belongs to a transaction, not a session, so it also works through a transaction pooler.
 */
export async function migrate(database: Pick<Config['database'], 'url' | 'waitMs'>): Promise<string[]> {
  const dataSource = new DataSource(dataSourceOptions({ ...database, poolMax: 2 }));
  await dataSource.initialize();
  try {
    return await dataSource.transaction(async (lock) => {
      await lock.query(`SELECT pg_advisory_xact_lock(hashtext('pennytext migrations'))`);
      const done = await dataSource.runMigrations({ transaction: 'each' });
      return done.map(({ name }) => name);
    });
  } finally {
    await dataSource.destroy();
  }
}

/**
 * Connects once, so that a process without a database fails with one line before it starts anything
 * else.
 */
export async function checkDatabase({ url }: { url: string }): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  try {
    await client.connect();
  } finally {
    await client.end();
  }
}

const ANSWER_TIMEOUT_MS = 4_000;
const WATCH_EVERY_MS = 1_000;

/**
 * Runs work while the database answers a connection of its own, and throws as soon as it refuses
 * that, breaks it or gives no answer for four seconds (code ETIMEDOUT). Work may take as long as it
 * needs; work that is given up is not waited for.
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
    // It was the connection that failed, or it is not needed any more.
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
