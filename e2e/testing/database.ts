import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** A database of a test's own on the server of DATABASE_URL. */
export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** Creates it empty. Throws when DATABASE_URL is not set: `npm test` sets it. */
export async function createDatabase(): Promise<TestDatabase> {
  const serverUrl = process.env.DATABASE_URL;
  if (!serverUrl)
    throw new Error('DATABASE_URL is not set: run `npm test -- --only=e2e`, or name a Postgres to test on.');
  const name = `e2e_${randomBytes(6).toString('hex')}`;
  await run(serverUrl, `CREATE DATABASE ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

function run(url: string, statement: string): Promise<void> {
  return query(url, statement, []);
}

/** Runs a statement over a connection of its own. */
export async function query(url: string, statement: string, values: readonly unknown[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement, [...values]);
  } finally {
    await client.end();
  }
}
