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
import { SessionDevices1795500000500 } from './migrations/1795500000500-session-devices.js';
import { ConversationOwners1795500000200 } from './migrations/1795500000200-conversation-owners.js';
import { LimitedReplies1795500000210 } from './migrations/1795500000210-limited-replies.js';
import { WelcomeMails1795500000110 } from './migrations/1795500000110-welcome-mails.js';
import { FrozenCredits1795500000220 } from './migrations/1795500000220-frozen-credits.js';
import { DeliverySuspensions1795500000230 } from './migrations/1795500000230-delivery-suspensions.js';
import { FreeCredits1795500000240 } from './migrations/1795500000240-free-credits.js';
import { SignIn1795230000000 } from './migrations/1795230000000-sign-in.js';

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
];

/** Options of the one connection pool of a process; the schema comes from migrations alone. */
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
  };
}

/**
 * Brings the database to the newest schema. Two at the same time are safe: the second waits and finds nothing to do. The lock is
 * a transaction's and not a session's, so that a pooler which gives each transaction another connection keeps it, too.
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
