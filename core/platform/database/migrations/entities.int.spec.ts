import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DataSource, type EntityTarget, getMetadataArgsStorage, type ObjectLiteral } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.js';
import { dataSourceOptions } from '../data-source.js';

/** A column, as an entity or the database has it. */
interface ColumnFacts {
  readonly name: string;
  readonly type: string;
  readonly isNullable: boolean;
  readonly isKey: boolean;
}

/** Tables that are read and written in sets, and so by SQL alone: why. Every other one has an entity. */
const setBased: Readonly<Record<string, string>> = {
  account_devices: 'remembered and forgotten up to a bound by one statement, purged in batches',
  account_events: 'numbered under the lock of their listener, in batches; streams read them in ranges',
  account_opt_outs: 'recorded in batches with opt_outs; listed by position in bounded scans',
  api_request_days: 'counted by an upsert in the transaction that stores the log',
  api_requests: 'a log: inserted in batches, searched in bounded scans, dropped by the day',
  batches: 'stored beside acceptance from its counters; pages count the messages of each in the same statement',
  callback_keys: 'upserted in batches with the callbacks that they sign',
  carrier_days: 'added up in sets from messages, and read as sums',
  carrier_pauses: 'claims read the open ones; probes are taken by one process',
  carrier_matches: 'looked up in batches; on Citus the schema names the table',
  component_days: 'added to by an upsert that splits time at midnight, and read as it is',
  component_states: 'upserted; whether one is fresh is decided by the clock of the database',
  conversation_owners: 'hot: moved by acceptance, in batches',
  conversations: 'hot: moved by acceptance, in batches',
  credit_accounts: 'money: credits.sql.ts alone',
  credit_holds: 'money: credits.sql.ts alone',
  daily_counts: 'hot: counted by acceptance',
  delivery_days: 'hot: counted by the statement that moves messages on, and read as sums',
  delivery_quality: 'computed for a day by one statement and read as sums',
  delivery_suspensions: 'begun and lifted by conditional statements that decide among concurrent calls',
  dispatch_pauses: 'of the release before, which still runs while this one is deployed',
  event_listeners: 'hot: locked and counted by the statement that stores deliveries',
  free_credit_grants: 'keyed by a hash that SQL makes; the insert decides who gets the credits',
  idempotency_keys: 'hot: remembered and renewed by acceptance',
  inbound_messages: 'numbered pages; inserted in batches',
  inbound_receipts: 'taken in batches by conditional inserts',
  invoice_counter: 'one row, locked while numbers are taken',
  ledger_entries: 'money: credits.sql.ts alone',
  ledger_keys: 'money: written beside the seals, under a lock',
  ledger_seals: 'money: append-only, in batches',
  media: 'claimed and expired in batches; who names a file last is decided under the account’s lock',
  media_deletions: 'taken in batches; the insert and the delete decide between a file’s owner and its deletion',
  message_attempts: 'moved together with their messages, by statements that decide among concurrent calls',
  message_callbacks: 'inserted in batches with their keys; found for several replies at once',
  message_checks: 'hot: one row for many messages, taken in batches by the workers',
  message_costs: 'stored in batches with receipts, and added up in sets',
  message_media: 'stored beside acceptance; read with messages, in batches',
  message_days: 'of the release before, which still runs while this one is deployed',
  migrations: "TypeORM's own",
  number_slots: 'moved on by the upsert that gives a message its turn',
  number_turns: 'upserted with their slots, and purged in sets',
  numbers: 'moved by conditional statements that decide among concurrent calls; on Citus the schema names the table',
  opt_outs: 'recorded in batches with replies; on Citus the schema names the table',
  otp_blocks: 'counted by an upsert whose hour SQL decides',
  otp_channel_days: 'counted in batches by upserts, and read as sums',
  otp_codes: 'hot: reserved, guessed and ended in batches',
  otp_days: 'hot: counted by the statements that store and verify codes, and read as sums',
  otp_guards: 'hot: locked in batches by what reserves or verifies',
  otp_resends: 'read in joins with their codes alone',
  otp_rules: "joined with what they count; the operator's SQL changes them",
  otp_sends: 'hot: counted in batches',
  payment_disputes: 'upserted on conditions, read as sums',
  payment_refunds: 'upserted on conditions, read as sums',
  payment_reversals: 'upserted on conditions, read as sums; its row is a lock on Citus',
  replies_awaiting_media: 'a lock between the files of a reply; taken in batches, deleted when they are settled',
  reply_threads: 'upserted in batches with replies; which wait is decided by the statement that reads them',
  route_code_days: 'added to by an upsert that counts an hour, and read as sums',
  route_codes_counted: 'one row, locked by what counts and moved with it',
  route_health: 'replaced every minute by one statement, for all routes at once',
  restores: 'one row for a restore, read in joins with messages alone',
  retention_progress: 'moved with the batches that are erased',
  retention_waiting: 'moved with the batches that are erased',
  running_bulks: 'hot: acceptance looks for them; begun and ended by upserts',
  sealed_texts: 'hot: stored by acceptance, claimed in batches',
  server_presence: 'one row, replaced when it is old; its age is by the clock of the database',
  sign_ups: 'counted by network within a day, purged in batches',
  smpp_binds: 'a lease: taken and renewed by conditional upserts, by the clock of the database',
  smpp_early_receipts: 'the release before stores what comes early; deleted in batches when it is old',
  smpp_long_replies: 'inserted, closed and found in batches',
  smpp_reply_segments: 'inserted and joined in batches',
  smpp_segments: 'inserted, found and deleted in batches',
  smpp_submits: 'hot: inserted and deleted in batches',
  spend_days: 'counted in batches from the ledger, and read as sums',
  spend_progress: 'moved with the batches that are counted',
  stranger_days: 'counted by an upsert in the transaction that stores and charges texts',
  status_incidents: 'opened and made worse by an upsert that decides, closed not before they began',
  totp_counts: 'counted by a conditional upsert that decides among concurrent calls',
  verified_numbers: 'noted in batches for some accounts only; read by acceptance',
  verified_backups: 'one row, replaced by a newer one alone',
  webhook_attempts: 'partitioned: recorded in batches with their outcome, listed for several deliveries at once',
  webhook_deliveries: 'hot: inserted, claimed and recorded in batches; pages name the columns of their indexes',
};

const core = join(__dirname, '../../..');
const longNames: Readonly<Record<string, string>> = { timestamptz: 'timestamp with time zone' };

describe('the entities', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    const files = readdirSync(core, { recursive: true }).map(String);
    for (const file of files.filter((name) => name.endsWith('.entity.ts'))) await import(join(core, file));
    database = await createTestDatabase();
    const entities = getMetadataArgsStorage().tables.map(({ target }) => target as EntityTarget<ObjectLiteral>);
    dataSource = await new DataSource(
      dataSourceOptions({ url: database.url, poolMax: 2, waitMs: 5_000 }, entities),
    ).initialize();
  });

  afterAll(async () => {
    await dataSource?.destroy();
    await database?.drop();
  });

  const columnsOf = (table: string) =>
    database.sql<ColumnFacts & { default: string | null }>(
      `SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, NOT a.attnotnull AS "isNullable",
         coalesce(a.attnum = ANY (i.indkey), false) AS "isKey", pg_get_expr(d.adbin, d.adrelid) AS default
       FROM pg_attribute a LEFT JOIN pg_index i ON i.indrelid = a.attrelid AND i.indisprimary
       LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
       WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped`,
      [table],
    );

  it('have tables and columns that the migrations create, of the same types, keys and nullability', async () => {
    expect(dataSource.entityMetadatas.length).toBeGreaterThan(15);
    for (const { tableName, columns } of dataSource.entityMetadatas) {
      const found = await columnsOf(tableName);
      const declared = columns.map(
        ({ databaseName: name, type, isArray, isNullable, isPrimary: isKey }): ColumnFacts => ({
          name,
          type: `${longNames[String(type)] ?? String(type)}${isArray ? '[]' : ''}`,
          isNullable,
          isKey,
        }),
      );
      for (const column of declared)
        expect([tableName, found]).toEqual([tableName, expect.arrayContaining([expect.objectContaining(column)])]);
      // A key that the entity lacks would make an update of one row one of several.
      expect([tableName, ...keysOf(declared)]).toEqual([tableName, ...keysOf(found)]);
    }
  });

  it('declare the defaults that the migrations give', async () => {
    for (const { tableName, columns } of dataSource.entityMetadatas) {
      const found = new Map((await columnsOf(tableName)).map((column) => [column.name, column.default]));
      for (const column of columns) {
        const declared = defaultOf(column);
        const { databaseName: name } = column;
        if (declared !== undefined) expect([tableName, name, found.get(name)]).toEqual([tableName, name, declared]);
      }
    }
  });

  it('are of every table that is not listed as read and written in sets', async () => {
    const rows = await database.sql<{ name: string }>(
      `SELECT relname AS name FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
    );
    const mapped = dataSource.entityMetadatas.map(({ tableName }) => tableName);
    expect([...mapped, ...Object.keys(setBased)].sort()).toEqual(rows.map(({ name }) => name).sort());
  });
});

function keysOf(columns: readonly ColumnFacts[]): string[] {
  return columns
    .filter(({ isKey }) => isKey)
    .map(({ name }) => name)
    .sort();
}

/** The SQL of a declared default, as Postgres prints it; undefined without one. */
function defaultOf({ default: value, isGenerated }: ColumnMetadata): string | undefined {
  if (isGenerated) return 'gen_random_uuid()';
  if (typeof value === 'function') return value();
  return value === undefined || value === null ? undefined : JSON.stringify(value);
}
