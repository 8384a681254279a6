import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import type { Config } from '../config/config.js';
import { childEnvironment } from '../config/env.js';
import { migrate } from './data-source.js';

/** Rows of the main tables, by table. */
export type RowCounts = Readonly<Record<string, number>>;

export type BackupVerification =
  | {
      readonly verified: true;
      readonly file: string;
      readonly dumpedAt: Date;
      /** Rows in the restored database. */
      readonly rows: RowCounts;
      readonly mismatches: 0;
    }
  | { readonly verified: false; readonly file: string | null; readonly reason: string };

/** Fault of a dump. Its message is shown to the operator. */
class BackupFault extends Error {}

const mainTables = ['accounts', 'messages', 'ledger_entries'] as const;
const SCRATCH = 'pennytext_verify_';
const CONNECT_TIMEOUT_MS = 5_000;
const TERMINATED_WITHIN_MS = 5_000;
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;
/** Rows committed at about the moment of the dump may or may not be in it. */
const DUMP_SLACK_SECONDS = 60;

const execute = promisify(execFile);

/**
 * Restores a dump, or the newest dump of a folder, into a new database on the server of
 * `database.migrationUrl`, migrates it, compares the ledger with `mismatchesIn` its database, and
 * checks that the main tables lack no row of the product's database from before the dump. The new
 * database is dropped at the end. Throws when the product's database fails.
 */
export async function verifyBackup(
  path: string,
  database: Pick<Config['database'], 'migrationUrl' | 'waitMs'>,
  mismatchesIn: (url: string) => Promise<number>,
): Promise<BackupVerification> {
  let file: string | null = null;
  const server = new Client({
    connectionString: database.migrationUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
  try {
    file = dumpAt(path);
    const dumpedAt = await dumpTimeOf(file);
    await server.connect();
    const rows = await inScratch(server, database.migrationUrl, async (url) => {
      await restore(file ?? '', url);
      await migrate({ url, waitMs: database.waitMs });
      const mismatches = await mismatchesIn(url);
      if (mismatches > 0) throw new BackupFault(`ledger check finds ${mismatches} mismatches in what was restored`);
      const restored = await countIn(url);
      refuseLoss(restored, await countRows(server, dumpedAt));
      return restored;
    });
    return { verified: true, file, dumpedAt, rows, mismatches: 0 };
  } catch (error) {
    if (error instanceof BackupFault) return { verified: false, file, reason: error.message };
    throw error;
  } finally {
    await server.end();
  }
}

function dumpAt(path: string): string {
  const entry = statSync(path, { throwIfNoEntry: false });
  if (!entry) throw new BackupFault(`there is no file or folder ${path}`);
  if (!entry.isDirectory()) return path;
  const [newest] = readdirSync(path)
    .filter((name) => name.endsWith('.dump'))
    .map((name) => ({ name, at: statSync(join(path, name)).mtimeMs }))
    .sort((one, other) => other.at - one.at);
  if (!newest) throw new BackupFault(`there is no *.dump in ${path}`);
  return join(path, newest.name);
}

/**
 * Returns when the dump began. pg_dump notes its machine's time without an offset, which is read as
 * UTC; at most the time of the file's last write.
 */
async function dumpTimeOf(file: string): Promise<Date> {
  const contents = await pgRestore(['--list', file], { TZ: 'UTC' });
  const [, day = '', time = ''] = /^;\s+Archive created at (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)/m.exec(contents) ?? [];
  const noted = Date.parse(`${day}T${time}Z`);
  if (Number.isNaN(noted)) throw new BackupFault('the dump does not name its time; is it one of --format=custom?');
  return new Date(Math.min(noted, statSync(file).mtimeMs));
}

async function restore(file: string, url: string): Promise<void> {
  // A list of processes shows arguments, not the environment.
  const target = new URL(url);
  const password = decodeURIComponent(target.password);
  target.password = '';
  const how = ['--no-owner', '--no-privileges', '--exit-on-error', '--single-transaction'];
  await pgRestore([...how, `--dbname=${target.href}`, file], password === '' ? {} : { PGPASSWORD: password });
}

async function pgRestore(args: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  try {
    const { stdout } = await execute('pg_restore', [...args], {
      env: childEnvironment(env),
      maxBuffer: OUTPUT_BYTES_MAX,
    });
    return stdout;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    if ('code' in error && error.code === 'ENOENT')
      throw new BackupFault(
        'pg_restore is not on the PATH: install the client programs of Postgres, no older than the server',
        { cause: error },
      );
    const said = 'stderr' in error && typeof error.stderr === 'string' ? error.stderr.trim() : '';
    throw new BackupFault(said === '' ? error.message : said, { cause: error });
  }
}

/** Runs work on a new database, which is dropped afterwards, as are databases of killed runs. */
async function inScratch<T>(server: Client, serverUrl: string, work: (url: string) => Promise<T>): Promise<T> {
  const { rows: locks } = await server.query<{ free: boolean }>(
    `SELECT pg_try_advisory_lock(hashtext('pennytext backup verification')) AS free`,
  );
  if (locks[0]?.free !== true) throw new BackupFault('another verification is running');
  const left = await server.query<{ name: string }>(
    `SELECT datname AS name FROM pg_database
     WHERE datname ~ '^${SCRATCH}[0-9a-f]{12}$' AND pg_has_role(datdba, 'USAGE')`,
  );
  for (const { name } of left.rows) await drop(server, name);
  const name = `${SCRATCH}${randomBytes(6).toString('hex')}`;
  // template1 may have been changed.
  await server.query(`CREATE DATABASE ${name} TEMPLATE template0`);
  try {
    const url = new URL(serverUrl);
    url.pathname = `/${name}`;
    return await work(url.href);
  } finally {
    await drop(server, name);
  }
}

/**
 * Ends our own connections, then drops the database. WITH (FORCE) would fail for a role that is not
 * a superuser while autovacuum is at work there; without it, Postgres ends autovacuum and waits for
 * it.
 */
async function drop(server: Client, name: string): Promise<void> {
  await server.query(
    `SELECT pg_terminate_backend(pid, $2) FROM pg_stat_activity WHERE datname = $1 AND usename = current_user`,
    [name, TERMINATED_WITHIN_MS],
  );
  await server.query(`DROP DATABASE IF EXISTS ${name}`);
}

async function countIn(url: string): Promise<RowCounts> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  await client.connect();
  try {
    return await countRows(client, 'infinity');
  } finally {
    await client.end();
  }
}

/** Counts rows that certainly existed at a time. */
async function countRows(client: Client, at: Date | 'infinity'): Promise<RowCounts> {
  const counts: [string, number][] = [];
  for (const table of mainTables) {
    const { rows } = await client.query<{ count: string }>(
      `SELECT count(*) FROM ${table} WHERE created_at < $1::timestamptz - make_interval(secs => $2)`,
      [at, DUMP_SLACK_SECONDS],
    );
    counts.push([table, Number(rows[0]?.count)]);
  }
  return Object.fromEntries(counts);
}

/** Rows of the main tables are never deleted, so a dump contains all rows from before it. */
function refuseLoss(restored: RowCounts, expected: RowCounts): void {
  const lost = mainTables.filter((table) => (restored[table] ?? 0) < (expected[table] ?? 0));
  if (lost.length === 0) return;
  const each = lost.map((table) => `${table} has ${restored[table]} rows instead of ${expected[table]}`);
  throw new BackupFault(`rows are missing: ${each.join(', ')}`);
}
