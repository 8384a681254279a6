import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Client, Pool, type QueryResultRow } from 'pg';
import { distribute } from '../platform/citus/distribute.js';
import { migrate } from '../platform/database/data-source.js';
import { isUnsupportedByCitus, joinNodes, sqlOnGroups } from '../../tools/testkit/citus.js';
import { createDatabase, onConnection, type RunDatabase } from '../../tools/testkit/postgres.js';
import { databaseUrl, quickCommits, templateDatabase } from '../../tools/testkit/template-database.js';
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
  const { databaseUrl: serverUrl, citusNodes } = testServices();
  const name = `pennytext_test_${randomBytes(6).toString('hex')}`;
  const template = await templateDatabase(serverUrl, {
    root: join(__dirname, '../..'),
    migrate: (url) => migrate({ url, waitMs: 5_000 }),
    finish: (unfinished, finished) => distributeTemplate(serverUrl, unfinished, finished),
  });
  const nodes = [serverUrl, ...citusNodes];
  const onNodes = (text: string) => Promise.all(nodes.map((node) => onServer(node, (server) => server.query(text))));
  await onNodes(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  await onNodes(quickCommits(name));
  const drop = () => onNodes(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  const url = databaseUrl(serverUrl, name);
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
      // `end` does not wait until the server has closed the connections; dropping the database then
      // breaks them.
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

const TEST_SHARDS = 4;

/**
 * Distributes the template over the cluster's other nodes, if any, and keeps Citus's daemons out of
 * it.
 */
async function distributeTemplate(serverUrl: string, unfinished: string, template: string) {
  const { citusNodes } = testServices();
  if (citusNodes.length === 0) return;
  const url = databaseUrl(serverUrl, unfinished);
  for (const node of citusNodes)
    await onServer(node, async (other) => {
      for (const name of [unfinished, template]) await other.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    });
  await joinNodes(url, citusNodes, unfinished);
  await distribute({ url, shards: TEST_SHARDS });
  for (const node of [serverUrl, ...citusNodes])
    await onServer(node, async (other) => {
      await other.query(`ALTER DATABASE ${unfinished} ALLOW_CONNECTIONS false`);
      await other.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [unfinished]);
      if (node !== serverUrl) await other.query(`ALTER DATABASE ${unfinished} RENAME TO ${template}`);
    });
}

/** Runs `work` on a connection to the server's maintenance database. */
function onServer(serverUrl: string, work: (server: Client) => Promise<unknown>): Promise<unknown> {
  return onConnection(databaseUrl(serverUrl, 'postgres'), work);
}
