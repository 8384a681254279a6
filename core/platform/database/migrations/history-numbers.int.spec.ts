import { DataSource, type DataSourceOptions } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.js';
import { dataSourceOptions } from '../data-source.js';
import { HistoryNumbers1795400000100 } from './1795400000100-history-numbers.js';

const TIMESTAMP = '1795400000100';
const one = '00000000-0000-4000-8000-000000000001';
const two = '00000000-0000-4000-8000-000000000002';

/** The migrations that come before this one. */
function optionsBefore(url: string): DataSourceOptions {
  const options = dataSourceOptions({ url, poolMax: 2, waitMs: 5_000 });
  const all = Array.isArray(options.migrations) ? options.migrations : [];
  const isEarlier = (migration: unknown) => typeof migration === 'function' && migration.name.slice(-13) < TIMESTAMP;
  return { ...options, migrations: all.filter(isEarlier) };
}

describe('HistoryNumbers', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  const migration = new HistoryNumbers1795400000100();

  beforeEach(async () => {
    database = await createTestDatabase();
    await database.sql('DROP SCHEMA public CASCADE');
    await database.sql('CREATE SCHEMA public');
    dataSource = await new DataSource(optionsBefore(database.url)).initialize();
    await dataSource.runMigrations();
  });

  afterEach(async () => {
    await dataSource?.destroy();
    await database?.drop();
  });

  async function run(direction: 'up' | 'down'): Promise<void> {
    const runner = dataSource.createQueryRunner();
    await runner.startTransaction();
    await migration[direction](runner);
    await runner.commitTransaction();
    await runner.release();
  }

  /** Two accounts whose rows lie mixed, one of them with a clock that went back. */
  async function fill(): Promise<void> {
    await database.sql(
      `INSERT INTO accounts (id, email, sign_in_type) VALUES ($1, 'one@example.com', 'google'), ($2, 'two@example.com', 'google')`,
      [one, two],
    );
    await database.sql(
      `INSERT INTO credit_accounts (account_id, balance, purchased, used, updated_at)
       VALUES ($1, 8, 10, 2, '2026-01-01T00:00:01Z'), ($2, 3, 3, 0, '2026-01-09T00:00:00Z')`,
      [one, two],
    );
    await database.sql(
      `INSERT INTO ledger_entries (account_id, amount, balance_after, kind, source_id, created_at) VALUES
         ($1, 10, 10, 'signup', 'a', '2026-01-01T00:00:00Z'), ($2, 3, 3, 'signup', 'b', '2026-01-01T00:00:00Z'),
         ($1, -1, 9, 'message', 'c', '2026-01-01T00:00:02Z'), ($1, -1, 8, 'message', 'd', '2026-01-01T00:00:01Z')`,
      [one, two],
    );
    await database.sql(
      `INSERT INTO messages (id, account_id, kind, recipient, country, sender, body, segments, credits, created_at) VALUES
         (gen_random_uuid(), $1, 'sms', '+1', 'US', '+1', 'second', 1, 1, '2026-01-01T00:00:02Z'),
         (gen_random_uuid(), $1, 'sms', '+1', 'US', '+1', 'first', 1, 1, '2026-01-01T00:00:01Z')`,
      [one],
    );
  }

  const entries = () =>
    database.sql(`SELECT source_id, number::int, created_at FROM ledger_entries ORDER BY account_id, number`);

  it('numbers existing rows in order, with a time that never goes back', async () => {
    await fill();
    await run('up');
    expect(await entries()).toEqual([
      { source_id: 'a', number: 1, created_at: new Date('2026-01-01T00:00:00Z') },
      { source_id: 'c', number: 2, created_at: new Date('2026-01-01T00:00:02Z') },
      { source_id: 'd', number: 3, created_at: new Date('2026-01-01T00:00:02Z') },
      { source_id: 'b', number: 1, created_at: new Date('2026-01-01T00:00:00Z') },
    ]);
    expect(await database.sql('SELECT body, number::int FROM messages ORDER BY number')).toEqual([
      { body: 'first', number: 1 },
      { body: 'second', number: 2 },
    ]);
    expect(
      await database.sql(
        'SELECT ledger_count::int, sent_count::int, updated_at FROM credit_accounts ORDER BY account_id',
      ),
    ).toEqual([
      { ledger_count: 3, sent_count: 2, updated_at: new Date('2026-01-01T00:00:02Z') },
      { ledger_count: 1, sent_count: 0, updated_at: new Date('2026-01-09T00:00:00Z') },
    ]);
  });

  it('migrates down and up again without a change of order', async () => {
    await fill();
    await run('up');
    const before = await entries();
    await run('down');
    await database.sql(
      `INSERT INTO ledger_entries (account_id, amount, balance_after, kind, source_id) VALUES ($1, 1, 4, 'redeem', 'e')`,
      [two],
    );
    await run('up');
    expect((await entries()).slice(0, 4)).toEqual(before);
    expect(await database.sql(`SELECT number::int FROM ledger_entries WHERE source_id = 'e'`)).toEqual([{ number: 2 }]);
  });

  it('runs on an empty database', async () => {
    await run('up');
    expect(await entries()).toEqual([]);
  });
});
