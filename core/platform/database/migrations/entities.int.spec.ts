import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DataSource, type EntityTarget, getMetadataArgsStorage, type ObjectLiteral } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.js';
import { dataSourceOptions } from '../data-source.js';

/** A column, as an entity or the database has it. */
interface ColumnFacts {
  readonly name: string;
  readonly type: string;
  readonly isNullable: boolean;
  readonly isKey: boolean;
}

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
    database.sql<ColumnFacts>(
      `SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, NOT a.attnotnull AS "isNullable",
         coalesce(a.attnum = ANY (i.indkey), false) AS "isKey"
       FROM pg_attribute a LEFT JOIN pg_index i ON i.indrelid = a.attrelid AND i.indisprimary
       WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped`,
      [table],
    );

  it('have tables and columns that the migrations create, of the same types, keys and nullability', async () => {
    expect(dataSource.entityMetadatas.length).toBeGreaterThan(2);
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
      for (const column of declared) expect([tableName, found]).toEqual([tableName, expect.arrayContaining([column])]);
    }
  });
});
