import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, Pool, type QueryResultRow } from 'pg';
import { distribute } from '../platform/database/citus/distribute.js';
import { migrate } from '../platform/database/data-source.js';
import { isUnsupportedByCitus, joinNodes, sqlOnGroups } from '../../tools/testkit/citus.js';
import { createDatabase, type RunDatabase } from '../../tools/testkit/postgres.js';
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
  const { databaseUrl, citusNodes } = testServices();
  const name = `pennytext_test_${randomBytes(6).toString('hex')}`;
  let template = '';
  await onServer(databaseUrl, async (server) => {
    template = await migratedTemplate(server, databaseUrl);
  });
  const nodes = [databaseUrl, ...citusNodes];
  const onNodes = (text: string) => Promise.all(nodes.map((node) => onServer(node, (server) => server.query(text))));
  await onNodes(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  const drop = () => onNodes(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  const url = withDatabase(databaseUrl, name);
  const pool = new Pool({ connectionString: url, max: 2 });
  return {
    url,
    sql: async <Row extends QueryResultRow>(text: string, values: unknown[] = []) => {
      try {
        return (await pool.query<Row>(text, values)).rows;
      } catch (error) {
        if (citusNodes.length === 0 || !isUnsupportedByCitus(error)) throw error;
        return sqlOnGroups<Row>(url, text, values);
      }
    },
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

/** Creates a database without tables, on one server; the caller drops it in `afterAll`. */
export function createEmptyDatabase(): Promise<RunDatabase> {
  return createDatabase(testServices().databaseUrl, 'pennytext_test');
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
  await distributeTemplate(databaseUrl, unfinished, template);
  await server.query(`ALTER DATABASE ${unfinished} RENAME TO ${template}`);
  return template;
}

const TEST_SHARDS = 4;

/** Distributes the template over the other nodes of the cluster, if there are any, and keeps Citus's daemons out of it. */
async function distributeTemplate(databaseUrl: string, unfinished: string, template: string) {
  const { citusNodes } = testServices();
  if (citusNodes.length === 0) return;
  const url = withDatabase(databaseUrl, unfinished);
  for (const node of citusNodes)
    await onServer(node, async (other) => {
      for (const name of [unfinished, template]) await other.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    });
  await joinNodes(url, citusNodes, unfinished);
  await distribute({ url, shards: TEST_SHARDS });
  for (const node of [databaseUrl, ...citusNodes])
    await onServer(node, async (other) => {
      await other.query(`ALTER DATABASE ${unfinished} ALLOW_CONNECTIONS false`);
      await other.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [unfinished]);
      if (node !== databaseUrl) await other.query(`ALTER DATABASE ${unfinished} RENAME TO ${template}`);
    });
}

function migrationsHash(): string {
  const folder = join(__dirname, '../platform/database');
  const hash = createHash('sha256').update(new Date().toISOString().slice(0, 7));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  for (const file of files.filter((name) => /^(data-source|citus\/.*|migrations\/\d.*)\.ts$/.test(name))) {
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
