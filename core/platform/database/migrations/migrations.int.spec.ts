import { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.js';
import { checkDatabase, dataSourceOptions, migrate } from '../data-source.js';

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
