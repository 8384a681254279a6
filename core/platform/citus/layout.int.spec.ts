import { readFileSync } from 'node:fs';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.js';
import {
  accountTables,
  coordinatorTables,
  directoryKeys,
  groupForeignKeys,
  groupTables,
  referenceTables,
} from './layout.js';

describe('the layout of tables on Citus', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });

  afterAll(() => database?.drop());

  it('has a place for every table', async () => {
    const rows = await database.sql<{ name: string }>(
      `SELECT relname AS name FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
         AND relname NOT IN ('migrations', 'directory') ORDER BY relname`,
    );
    const placed = [...Object.keys(accountTables), ...referenceTables, ...coordinatorTables].toSorted();
    expect(placed).toEqual(rows.map(({ name }) => name));
  });

  it('has a word in docs/data.md on what bounds every table', () => {
    const [, section = ''] = readFileSync('docs/data.md', 'utf8').split('## What free calls can grow\n');
    const [told = ''] = section.split('\n## ', 1);
    const named = new Set([...told.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name));
    const tables = [...Object.keys(accountTables), ...referenceTables, ...coordinatorTables];
    expect(tables.filter((name) => !named.has(name))).toEqual([]);
  });

  it('splits each table by a column that it has', async () => {
    const rows = await database.sql<{ name: string; column: string }>(
      `SELECT table_name AS name, column_name AS column FROM information_schema.columns WHERE table_schema = 'public'`,
    );
    const has = new Set(rows.map(({ name, column }) => `${name}.${column}`));
    for (const [name, column] of Object.entries(accountTables)) expect(has).toContain(`${name}.${column}`);
    for (const name of [...groupTables, ...directoryKeys.map(({ table }) => table)])
      expect(accountTables).toHaveProperty(name);
  });

  it('knows the foreign keys between tables of accounts that leave the account out', async () => {
    const rows = await database.sql<{ table: string; name: string; definition: string }>(
      `SELECT conrelid::regclass::text AS table, conname AS name, pg_get_constraintdef(oid) AS definition
       FROM pg_constraint WHERE contype = 'f' AND conparentid = 0 ORDER BY 1, 2`,
    );
    const between = rows.filter(({ table, definition }) => {
      const target = /REFERENCES (\w+)/.exec(definition)?.[1] ?? '';
      return table in accountTables && target in accountTables && !definition.startsWith('FOREIGN KEY (account_id)');
    });
    const known = groupForeignKeys.map(([table, name, definition]) => ({
      table,
      name,
      definition: definition.replaceAll(/[{}]/g, ''),
    }));
    expect(between).toEqual(known.toSorted((a, b) => (`${a.table} ${a.name}` < `${b.table} ${b.name}` ? -1 : 1)));
  });
});
