import { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.js';
import { checkDatabase, dataSourceOptions, migrate } from '../data-source.js';
import { AccountStops1796500000300 } from './1796500000300-account-stops.js';

// A database of its own for each test, on a machine that others use too.
jest.setTimeout(60_000);

describe('the migrations', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(() => database?.drop());

  const relations = () =>
    database.sql<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v')
       UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace
       ORDER BY 1`,
    );

  it('are undone one by one, and applied again', async () => {
    const before = await relations();
    const dataSource = await new DataSource(
      dataSourceOptions({ url: database.url, poolMax: 2, waitMs: 5_000 }),
    ).initialize();
    try {
      for (const _ of dataSource.migrations) await dataSource.undoLastMigration();
    } finally {
      await dataSource.destroy();
    }
    expect(await relations()).toEqual([{ name: 'migrations' }]);
    expect((await migrate({ url: database.url, waitMs: 5_000 })).length).toBeGreaterThan(10);
    expect(await relations()).toEqual(before);
  });

  it('give an opt-out to the account that had its number when it was said', async () => {
    const [ada, bob] = ['018f0000-0000-7000-8000-00000000000a', '018f0000-0000-7000-8000-00000000000b'];
    const dataSource = await new DataSource(
      dataSourceOptions({ url: database.url, poolMax: 2, waitMs: 5_000 }),
    ).initialize();
    const runner = dataSource.createQueryRunner();
    const stops = new AccountStops1796500000300();
    try {
      await stops.down(runner);
      await runner.query(
        `INSERT INTO numbers (number, account_id, origin, type, country, credits_per_month, status, carrier_id, renews_at,
           created_at, activated_at, released_at)
         SELECT number, account_id::uuid, 'purchase', 'local', 'US', 10, status, 'PN1', now(), created_at, activated_at,
           released_at
         FROM (VALUES
           ('+1', $1, 'released', now() - interval '9 days', now() - interval '9 days', now() - interval '5 days'),
           ('+1', $2, 'active', now() - interval '3 days', now() - interval '3 days', NULL),
           ('+2', $1, 'released', now() - interval '9 days', NULL, now() - interval '9 days')
         ) AS n (number, account_id, status, created_at, activated_at, released_at)`,
        [ada, bob],
      );
      await runner.query(`INSERT INTO numbers (number, account_id) VALUES ('MG1', $1)`, [ada]);
      await runner.query(
        `INSERT INTO opt_outs (recipient, sender, shared, created_at)
         SELECT recipient, sender, shared, now() - days * interval '1 day'
         FROM (VALUES
           ('had', '+1', false, 7), ('rests', '+1', false, 4), ('has', '+1', NULL, 1), ('service', 'MG1', NULL, 8),
           ('service', '+3', false, 8), ('failed', '+2', NULL, 8), ('shared', '+4', true, 2), ('old', '+4', NULL, 2)
         ) AS o (recipient, sender, shared, days)`,
      );
      await stops.up(runner);
      const found: { recipient: string; sender: string; account_id: string | null }[] = await runner.query(
        'SELECT recipient, sender, account_id FROM opt_outs ORDER BY recipient, sender',
      );
      expect(found.map((one) => [one.recipient, one.sender, one.account_id])).toEqual([
        ['failed', '+2', null],
        ['had', '+1', ada],
        ['has', '+1', bob],
        ['old', '+4', null],
        ['rests', '+1', ada],
        ['service', '+3', ada],
        ['service', 'MG1', ada],
        ['shared', '+4', null],
      ]);
    } finally {
      await runner.release();
      await dataSource.destroy();
    }
  });

  it('refuse a database from before 0.1.0, and change nothing in it', async () => {
    await database.sql('DROP SCHEMA public CASCADE');
    await database.sql('CREATE SCHEMA public');
    await database.sql(
      'CREATE TABLE migrations (id serial PRIMARY KEY, timestamp bigint NOT NULL, name text NOT NULL)',
    );
    await database.sql(`INSERT INTO migrations (timestamp, name) VALUES (1795226400000, 'Foundation1795226400000')`);
    const before = await relations();
    const attempt = migrate({ url: database.url, waitMs: 5_000 });
    await expect(attempt).rejects.toThrow(/build before 0\.1\.0.*Move the folder \.data away/);
    expect(await relations()).toEqual(before);
  });
});

describe('a process that starts', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(() => database?.drop());

  const check = async () => {
    const logged: unknown[] = [];
    await checkDatabase({ url: database.url }, { error: (...line) => logged.push(line) });
    return logged;
  };
  const named = (pending: unknown) => [
    [{ pending }, 'the database lacks migrations: run migrate; until then /readyz answers 503'],
  ];

  it('logs nothing about a database that is up to date, or is ahead of this build', async () => {
    expect(await check()).toEqual([]);
    await database.sql(`INSERT INTO migrations (timestamp, name) VALUES (1896100000000, 'Later1896100000000')`);
    expect(await check()).toEqual([]);
  });

  it('names the migrations that a database lacks, and the remedy, in one line', async () => {
    await database.sql(`DELETE FROM migrations WHERE name = 'Quality1796100001100'`);
    expect(await check()).toEqual(named(['Quality1796100001100']));
    await database.sql('DROP TABLE migrations');
    expect(await check()).toEqual(named(expect.arrayContaining(['Accounts1796100000100', 'Quality1796100001100'])));
  });

  it('refuses a database from before 0.1.0', async () => {
    await database.sql(`INSERT INTO migrations (timestamp, name) VALUES (1795226400000, 'Foundation1795226400000')`);
    await expect(check()).rejects.toThrow('build before 0.1.0');
  });
});

describe('the table of messages', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database?.drop());

  it('has no index on a column that changes on the way to delivery, and room in the pages of every partition', async () => {
    await database.sql(`SELECT ensure_message_partitions('2031-01-01', 1)`);
    // The index on `due_at` holds no row of such a message.
    const touched = await database.sql(
      `SELECT DISTINCT i.indexrelid::regclass::text AS name
       FROM pg_index i JOIN pg_depend d ON d.objid = i.indexrelid AND d.refobjid = i.indrelid
       JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
       WHERE i.indrelid IN (SELECT relid FROM pg_partition_tree('messages'))
         AND a.attname IN ('status', 'attempts', 'counted_on', 'carrier_id', 'claimed_at', 'sent_at', 'finished_at',
           'refunded')`,
    );
    const unfilled = await database.sql(
      `SELECT relid::text FROM pg_partition_tree('messages') JOIN pg_class c ON c.oid = relid
       WHERE isleaf AND coalesce(array_to_string(reloptions, ','), '') NOT LIKE '%fillfactor=60%'`,
    );
    expect([touched, unfilled]).toEqual([[], []]);
  });
});
