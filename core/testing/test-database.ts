import { randomBytes } from 'node:crypto';
import { Client, Pool, type QueryResultRow } from 'pg';
import { migrate } from '../platform/database/data-source.js';
import { testServices } from './test-environment.js';

/** A migrated database of one suite's own. */
export interface TestDatabase {
  readonly url: string;
  /** Looks into the tables, or plants what no use case would write. */
  sql<Row extends QueryResultRow = QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /** A connection of its own, for locks and transactions; the caller ends it. */
  connect(): Promise<Client>;
  drop(): Promise<void>;
}

/** Makes and migrates `pennytext_test_<random>`; whoever makes it calls `drop` in `afterAll`. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { databaseUrl } = testServices();
  const name = `pennytext_test_${randomBytes(6).toString('hex')}`;
  await onServer(databaseUrl, `CREATE DATABASE ${name}`);
  const drop = () => onServer(databaseUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  const url = withDatabase(databaseUrl, name);
  try {
    await migrate({ url, waitMs: 5_000 });
  } catch (error) {
    await drop();
    throw error;
  }
  const pool = new Pool({ connectionString: url, max: 2 });
  return {
    url,
    sql: async <Row extends QueryResultRow>(text: string, values: unknown[] = []) =>
      (await pool.query<Row>(text, values)).rows,
    connect: async () => {
      const client = new Client({ connectionString: url });
      await client.connect();
      return client;
    },
    drop: async () => {
      // `end` does not wait until the server has let go of its connections; dropping the database then breaks them.
      pool.on('error', () => undefined);
      await pool.end();
      await drop();
    },
  };
}

async function onServer(databaseUrl: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: withDatabase(databaseUrl, 'postgres') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function withDatabase(databaseUrl: string, name: string): string {
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  return url.href;
}
