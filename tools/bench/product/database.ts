import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import type { Bench } from '../bench.js';
import { environmentOf, type Place } from '../processes/environment.js';
import { freePorts } from '../../testkit/ports.js';
import { insertAccounts } from './accounts.js';
import { dropKeys } from './redis-keys.js';

/** A migrated database with accounts in it, and the names and ports that go with it. */
export interface Prepared {
  readonly place: Place;
  readonly env: Record<string, string>;
  readonly client: Client;
  readonly apiKeys: readonly string[];
}

interface Wanted {
  readonly accounts: number;
  readonly rateLimitPerSecond?: number;
}

/**
 * Creates a database and a key prefix, and drops both after `work`. Each measurement
 * gets its own, so that none is slowed down by, or works on, what an earlier one left.
 */
export async function withDatabase<T>(
  bench: Bench,
  wanted: Wanted,
  work: (prepared: Prepared) => Promise<T>,
): Promise<T> {
  bench.signal.throwIfAborted();
  const name = `pennytext_bench_${randomBytes(4).toString('hex')}`;
  const place = await placeFor(bench, name, wanted.rateLimitPerSecond ?? 0);
  const server = await connect(bench.services.databaseUrl);
  try {
    await server.query(`CREATE DATABASE ${name}`);
    try {
      return await prepareAndWork(bench, wanted, place, work);
    } finally {
      await server.query(`DROP DATABASE ${name} WITH (FORCE)`);
    }
  } finally {
    await server.end();
    await dropKeys(place.redisUrl, `{${place.queuePrefix}}`);
  }
}

async function prepareAndWork<T>(
  { children, secrets }: Bench,
  { accounts }: Wanted,
  place: Place,
  work: (prepared: Prepared) => Promise<T>,
): Promise<T> {
  const env = environmentOf(place, secrets);
  await children.run({ name: 'migrate', file: 'core/platform/database/migrate.js', env });
  const client = await connect(place.databaseUrl);
  try {
    const apiKeys = await insertAccounts(client, accounts, secrets.apiKeyHashSecret);
    await settleDisk(client);
    return await work({ place, env, client, apiKeys });
  } finally {
    await client.end();
  }
}

// What earlier measurements left to be written is written now, if we may say so, and not in the middle of this one.
async function settleDisk(client: Client): Promise<void> {
  const { rows } = await client.query<{ may: boolean }>(
    'SELECT rolsuper AS may FROM pg_roles WHERE rolname = current_user',
  );
  if (rows[0]?.may) await client.query('CHECKPOINT');
}

async function placeFor({ services }: Bench, name: string, rateLimitPerSecond: number): Promise<Place> {
  const [serverPort = 0, workerPort = 0, sandboxPort = 0] = await freePorts(3);
  const databaseUrl = new URL(services.databaseUrl);
  databaseUrl.pathname = `/${name}`;
  return {
    databaseUrl: databaseUrl.href,
    redisUrl: services.redisUrl,
    queuePrefix: name,
    serverPort,
    workerPort,
    sandboxPort,
    rateLimitPerSecond,
  };
}

/** Connects to the database of the URL; the caller ends the connection. */
export async function connect(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 5_000 });
  // A broken connection also fails the query under way, which reports it.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
