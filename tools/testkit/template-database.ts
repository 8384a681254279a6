import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onConnection } from './postgres.js';

interface Template {
  /** The repository or its build, with the migrations that run. */
  readonly root: string;
  /** Migrates an empty database. */
  readonly migrate: (url: string) => Promise<unknown>;
  /** Runs before the database `unfinished` gets its final name. */
  readonly finish?: (unfinished: string, template: string) => Promise<void>;
}

/**
 * The name of a migrated database that databases are copied from, created unless it is there:
 * copying takes a quarter of the time of migrating. Each state of the migrations and each month has
 * its own, as migrating creates the partitions of the current month.
 */
export async function templateDatabase(serverUrl: string, { root, migrate, finish }: Template): Promise<string> {
  const template = `pennytext_template_${migrationsHash(root)}`;
  return onConnection(databaseUrl(serverUrl, 'postgres'), async (server) => {
    const exists = async () =>
      (await server.query('SELECT 1 FROM pg_database WHERE datname = $1', [template])).rows.length > 0;
    if (await exists()) return template;
    // Other test processes wait here for the first process. The lock ends with the connection.
    await server.query(`SELECT pg_advisory_lock(hashtext('pennytext test template'))`);
    if (await exists()) return template;
    // The final name is given at the end, so a template that exists is complete.
    const unfinished = `${template}_unfinished`;
    await server.query(`DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`);
    await server.query(`CREATE DATABASE ${unfinished}`);
    await migrate(databaseUrl(serverUrl, unfinished));
    await finish?.(unfinished, template);
    await server.query(`ALTER DATABASE ${unfinished} RENAME TO ${template}`);
    return template;
  });
}

/**
 * Statement that spares the commits of a test's database the wait for the disk: what the product writes survives the
 * death of its own processes all the same. It is not for tests that end Postgres.
 */
export const quickCommits = (database: string) => `ALTER DATABASE ${database} SET synchronous_commit = off`;

/** The URL of another database of the same server. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

function migrationsHash(root: string): string {
  const folder = join(root, 'core/platform');
  const hash = createHash('sha256').update(new Date().toISOString().slice(0, 7));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  for (const file of files.filter((name) =>
    /^(citus\/.*|database\/(data-source|migrations\/(\d.*|partitions)))\.[jt]s$/.test(name),
  )) {
    hash.update(file).update(readFileSync(join(folder, file)));
  }
  return hash.digest('hex').slice(0, 12);
}
