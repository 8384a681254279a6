import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, Pool, type QueryResultRow } from 'pg';
import { migrate } from '../platform/database/data-source.js';
import { testServices } from './test-environment.js';

/** A migrated database for one suite. */
export interface TestDatabase {
  readonly url: string;
  /** Reads the tables, or inserts rows that no use case would write. */
  sql<Row extends QueryResultRow = QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Opens a separate connection, for locks and transactions; the caller ends it. */
  connect(): Promise<Client>;
  drop(): Promise<void>;
}

/** Creates a migrated database `pennytext_test_<random>`; the caller drops it in `afterAll`. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { databaseUrl } = testServices();
  const name = `pennytext_test_${randomBytes(6).toString('hex')}`;
  await onServer(databaseUrl, async (server) => {
    await server.query(`CREATE DATABASE ${name} TEMPLATE ${await migratedTemplate(server, databaseUrl)}`);
  });
  const drop = () => onServer(databaseUrl, (server) => server.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  const url = withDatabase(databaseUrl, name);
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
      // `end` does not wait until the server has closed the connections; dropping the database then breaks them.
      pool.on('error', () => undefined);
      await pool.end();
      await drop();
    },
  };
}

/**
 * The name of a migrated database that others are copied from: copying takes a quarter of the time of migrating. There is one
 * for each state of the migrations and each month, as migrating creates the partitions of the current month.
 */
async function migratedTemplate(server: Client, databaseUrl: string): Promise<string> {
  const template = `pennytext_template_${migrationsHash()}`;
  const exists = async () =>
    (await server.query('SELECT 1 FROM pg_database WHERE datname = $1', [template])).rows.length > 0;
  if (await exists()) return template;
  // Other Jest workers wait here for the first one. The lock ends with the connection.
  await server.query(`SELECT pg_advisory_lock(hashtext('pennytext test template'))`);
  if (await exists()) return template;
  // The final name is given at the end, so a template that exists is complete.
  const unfinished = `${template}_unfinished`;
  await server.query(`DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`);
  await server.query(`CREATE DATABASE ${unfinished}`);
  await migrate({ url: withDatabase(databaseUrl, unfinished), waitMs: 5_000 });
  await server.query(`ALTER DATABASE ${unfinished} RENAME TO ${template}`);
  return template;
}

function migrationsHash(): string {
  const folder = join(__dirname, '../platform/database');
  const hash = createHash('sha256').update(new Date().toISOString().slice(0, 7));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  for (const file of files.filter((name) => /^(data-source|migrations\/\d.*)\.ts$/.test(name))) {
    hash.update(file).update(readFileSync(join(folder, file)));
  }
  return hash.digest('hex').slice(0, 12);
}

/** Runs `work` on a connection to the server's maintenance database. */
async function onServer(databaseUrl: string, work: (server: Client) => Promise<unknown>): Promise<void> {
  const server = new Client({ connectionString: withDatabase(databaseUrl, 'postgres') });
  await server.connect();
  try {
    await work(server);
  } finally {
    await server.end();
  }
}

function withDatabase(databaseUrl: string, name: string): string {
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  return url.href;
}
