import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { totalsInvariant, totalsStatement, type Totals } from '../../testkit/invariants.js';
import { createServiceDatabase, migrateArguments } from '../../testkit/citus.js';
import { smppSettings, telnyxSettings } from '../../testkit/carrier-settings.js';
import { freePorts } from '../../testkit/ports.js';
import { environmentOf, type Bench, type Place } from '../bench.js';

/** No run can spend more. */
const creditsEach = 1_000_000_000;
const dailyLimitEach = 2_000_000_000;

const sessionCookie = 'pennytext_session';

/** A migrated database with accounts, and the names and addresses that belong to it. */
export interface Prepared {
  readonly place: Place;
  readonly env: Record<string, string>;
  readonly client: Client;
  readonly apiKeys: readonly string[];
}

export interface Wanted {
  readonly accounts: number;
  /** Limit by key and by address; none by default. */
  readonly rateLimitPerSecond?: number;
  /** Whether Telnyx and an SMSC take messages too, as with `npm start`; otherwise Twilio takes all. */
  readonly hasThreeCarriers?: boolean;
  /** Settings beside the usual ones. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Nodes of a Citus cluster that hold the database, and its number of groups of shards. */
  readonly citus?: { readonly nodes: readonly string[]; readonly groups: number };
}

/**
 * Runs `work` with its own database and key prefix and drops both afterwards, so that measurements
 * do not affect each other.
 */
export async function withDatabase(
  bench: Bench,
  { accounts, rateLimitPerSecond = 0, hasThreeCarriers = false, settings, citus }: Wanted,
  work: (prepared: Prepared) => Promise<void>,
): Promise<void> {
  bench.signal.throwIfAborted();
  const { redisUrl, databaseUrl } = bench.services;
  const database = await createServiceDatabase(databaseUrl, 'pennytext_bench', citus?.nodes);
  const queuePrefix = new URL(database.url).pathname.slice(1);
  try {
    const [server = 0, sandbox = 0, smsc = 0] = await freePorts(3);
    const [serverUrl, sandboxUrl] = [`http://127.0.0.1:${server}`, `http://127.0.0.1:${sandbox}`];
    const place = { databaseUrl: database.url, redisUrl, queuePrefix, serverUrl, sandboxUrl };
    const env = {
      ...environmentOf(place, bench.secrets, rateLimitPerSecond),
      ...(hasThreeCarriers && { ...telnyxSettings(sandbox), ...smppSettings(smsc), SANDBOX_SMPP_PORT: String(smsc) }),
      ...settings,
    };
    await bench.children.run({ name: 'migrate', file: 'core/platform/database/migrate.js', env });
    const client = await connect(database.url);
    try {
      const apiKeys = await insertAccounts(client, accounts, bench.secrets.apiKeyHashSecret);
      const options = migrateArguments(citus?.nodes, citus?.groups);
      if (options.length > 0) {
        const args = [...options];
        await bench.children.run({ name: 'distribute', file: 'core/platform/database/migrate.js', args, env });
      }
      // Writes the data of earlier measurements, so that the next measurement does not.
      await client.query('CHECKPOINT');
      await work({ place, env, client, apiKeys });
    } finally {
      await client.end();
    }
  } finally {
    await database.drop();
    await dropKeys(redisUrl, `{${queuePrefix}}*`);
  }
}

async function connect(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 5_000 });
  // A broken connection also fails the current query, which reports it.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Deletes every key that matches the pattern. */
async function dropKeys(redisUrl: string, pattern: string): Promise<void> {
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: 1 });
  // A broken connection also fails the current command, which reports it.
  redis.on('error', () => undefined);
  try {
    for await (const keys of redis.scanStream({ match: pattern, count: 1_000 }) as AsyncIterable<string[]>) {
      if (keys.length > 0) await redis.unlink(...keys);
    }
  } finally {
    redis.disconnect();
  }
}

/**
 * Creates accounts in SQL, as the operator's command takes a second for each. Returns their API
 * keys.
 */
export async function insertAccounts(client: Client, count: number, hashSecret: Buffer): Promise<string[]> {
  const keys = Array.from({ length: count }, () => randomUUID());
  const hashes = keys.map((key) => createHmac('sha256', hashSecret).update(key).digest());
  await client.query(
    `WITH given AS (
       SELECT gen_random_uuid() AS id, hash, n FROM unnest($1::bytea[]) WITH ORDINALITY AS r (hash, n)
     ), account AS (
       INSERT INTO accounts (id, email, sign_in_type, daily_limit)
       SELECT id, 'bench-' || n || '@pennytext.example', 'custom', $2 FROM given
     ), key AS (
       INSERT INTO api_keys (id, account_id, is_default) SELECT id, id, true FROM given
     ), secret AS (
       INSERT INTO key_secrets (hash, key_id, account_id, ending) SELECT hash, id, id, '0000' FROM given
     ), credits AS (
       INSERT INTO credit_accounts (account_id, balance, purchased, used, ledger_count) SELECT id,
         $3::bigint, $3::bigint, 0, 1 FROM given
     )
     INSERT INTO ledger_entries (account_id, number, amount, balance_after, kind, source_id)
     SELECT id, 1, $3::bigint, $3::bigint, 'signup', id::text FROM given`,
    [hashes, dailyLimitEach, creditsEach],
  );
  return keys;
}

/** Inserts a session of the first account and returns its cookie. */
export async function insertSession(client: Client): Promise<{ name: string; value: string; header: string }> {
  const token = randomBytes(32).toString('base64url');
  await client.query(
    `INSERT INTO sessions (token_hash, account_id, method, expires_at)
     SELECT $1, id, 'password', now() + interval '1 day' FROM accounts ORDER BY email LIMIT 1`,
    [createHash('sha256').update(token).digest()],
  );
  return { name: sessionCookie, value: token, header: `${sessionCookie}=${token}` };
}

/** Bytes and full pages in the write-ahead log since the server was created. */
export async function readWal(client: Client): Promise<{ bytes: number; fullPages: number }> {
  const { rows } = await client.query<{ bytes: number; fullPages: number }>(
    `SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS bytes, wal_fpi::float8 AS "fullPages"
      FROM pg_stat_wal`,
  );
  const [wal] = rows;
  if (!wal) throw new Error('pg_stat_wal is one row');
  return wal;
}

/** Reads messages, charges and balances in one snapshot. */
export async function readTotals(client: Client): Promise<Totals> {
  const { rows } = await client.query<Totals>(totalsStatement);
  const [totals] = rows;
  if (!totals) throw new Error('The totals are one row');
  return totals;
}

/** Checks that each message is charged once and every balance shows it. */
export async function checkCredits({ report }: Bench, client: Client): Promise<void> {
  const totals = await readTotals(client);
  const { title, broken } = totalsInvariant(totals);
  report.check(title, broken.length === 0, JSON.stringify(totals));
}
