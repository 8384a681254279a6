import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { query } from '../../tools/testkit/postgres.js';
import { runNode } from '../../tools/testkit/program.js';
import { findCommand } from '../../tools/testkit/redis.js';
import { until } from '../../tools/testkit/until.js';
import { CodeBlocks } from '../testing/code-blocks.js';
import { differentMessages, flood } from '../testing/flood.js';
import { expectLedgerClean, settled } from '../testing/invariants.js';
import { OwnPostgres } from '../testing/own-postgres.js';
import { repository } from '../testing/repository.js';
import { runBlock } from '../testing/shell-blocks.js';
import { Stack } from '../testing/stack.js';

/** Runs the product with the roles of ops/postgres/roles.sql, which docs/operating.md describes. */
const SENDS = 60;
const SETTLED_WITHIN_MS = 100_000;
const RETAINED_WITHIN_MS = 30_000;
const COMMAND_WITHIN_MS = 60_000;
const MANUAL = 'docs/operating.md';
const REFUSED = { code: '42501' };

let server: OwnPostgres | undefined;
let stack: Stack | undefined;

test.afterEach(async () => {
  await stack?.stop();
  await server?.stop();
  [stack, server] = [undefined, undefined];
});

test('server and worker work as a role that cannot change the schema, and readers see no secrets', async () => {
  test.skip(findCommand('psql') === undefined, 'psql is not installed');
  const compose = readFileSync(join(repository, 'docker-compose.yml'), 'utf8');
  const { services } = parse(compose, { merge: true, maxAliasCount: 1_000 }) as {
    services: { postgres: { command: string[] } };
  };
  server = await OwnPostgres.start({
    logFile: test.info().outputPath('logs', 'postgres.log'),
    // Settings in docker-compose.yml.
    settingsOf: () => services.postgres.command.filter((word) => word.includes('=')),
  });
  await query(server.urlOf('postgres'), 'CREATE DATABASE pennytext');
  const passwords = {
    MIGRATOR_PASSWORD: randomBytes(12).toString('hex'),
    APP_PASSWORD: randomBytes(12).toString('hex'),
    READER_PASSWORD: randomBytes(12).toString('hex'),
    BACKUP_PASSWORD: randomBytes(12).toString('hex'),
  };
  const urlAs = (role: 'migrator' | 'app' | 'reader' | 'backup') => {
    const url = new URL(server?.urlOf('pennytext') ?? '');
    url.username = `pennytext_${role}`;
    url.password = passwords[`${role.toUpperCase()}_PASSWORD` as keyof typeof passwords];
    return url.href;
  };
  const block = new CodeBlocks(repository, MANUAL).blockWith('--file=ops/postgres/roles.sql');
  const makeRoles = () => runBlock(block, { ADMIN_URL: server?.urlOf('pennytext') ?? '', ...passwords }, repository);
  await makeRoles();

  const product = await Stack.start({
    servers: 1,
    receiptDelayMs: 200,
    logFolder: test.info().outputPath('logs'),
    database: { url: urlAs('app'), drop: () => Promise.resolve() },
    env: { MIGRATION_DATABASE_URL: urlAs('migrator'), REQUEST_LOG_DAYS: '7' },
  });
  stack = product;

  // Work for the hourly tasks: months and days without a partition, and partitions that have ended.
  const asOwner = (text: string) => query<{ found: boolean }>(urlAs('migrator'), text);
  const coming = { messages: nextMonth(), inbound_messages: nextMonth(), webhook_attempts: nextMonth() };
  for (const [table, month] of Object.entries(coming)) await asOwner(`DROP TABLE ${table}_${month}`);
  await asOwner(`SELECT ensure_webhook_partitions('2020-01-01', 1)`);
  await asOwner(`SELECT ensure_request_partitions('2020-01-01', 1)`);
  await product.startWorker();

  const account = await product.account(SENDS);
  const sent = await flood(product.api, differentMessages(SENDS, account.apiKey, 'roles')).done;
  expect(sent.filter(({ outcome }) => outcome.kind !== 'accepted')).toEqual([]);
  const done = await settled(product, account, SETTLED_WITHIN_MS);
  expect(done.filter(({ status }) => status === 'delivered')).toHaveLength(SENDS);
  await expectLedgerClean(product);

  const exists = async (name: string) => {
    const [row] = await asOwner(`SELECT to_regclass('${name}') IS NOT NULL AS found`);
    return row?.found === true;
  };
  await until(
    'the hourly tasks have made and dropped partitions',
    async () => {
      const made = await Promise.all(Object.entries(coming).map(([table, month]) => exists(`${table}_${month}`)));
      const left = await Promise.all(['webhook_attempts_2020_01', 'api_requests_2020_01_01'].map(exists));
      return made.every(Boolean) && !left.some(Boolean);
    },
    { timeoutMs: RETAINED_WITHIN_MS },
  );
  for (const url of [product.serverUrl, ...product.workerUrls]) {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).not.toMatch(/pennytext_scheduled_task_runs_total\{[^}]*result="failed"[^}]*\} [1-9]/);
  }

  const asApp = (text: string) => query(urlAs('app'), text);
  for (const change of [
    'CREATE TABLE mine (id integer)',
    'CREATE FUNCTION mine() RETURNS integer LANGUAGE sql AS $$ SELECT 1 $$',
    'CREATE SCHEMA mine',
    'ALTER TABLE accounts ADD COLUMN mine integer',
    'ALTER TABLE audit_entries DISABLE TRIGGER ALL',
    'DROP TABLE messages',
    'TRUNCATE messages',
    'DROP FUNCTION drop_webhook_partitions',
    'ALTER FUNCTION drop_webhook_partitions SECURITY INVOKER',
    'CREATE ROLE mine',
  ])
    await expect(asApp(change), change).rejects.toMatchObject(REFUSED);
  await expect(asApp(`SELECT ensure_message_partitions('2030-01-01', 25)`)).rejects.toThrow('At most 24 months');

  // A later migration makes a table.
  await asOwner('CREATE TABLE later (id bigint GENERATED ALWAYS AS IDENTITY, name text, secret bytea)');
  await asApp(`INSERT INTO later (name) VALUES ('first')`);
  expect(await query(urlAs('backup'), 'SELECT name FROM later')).toEqual([{ name: 'first' }]);
  const asReader = (text: string) => query(urlAs('reader'), text);
  await expect(asReader('SELECT name FROM later')).rejects.toMatchObject(REFUSED);
  expect(await product.migrate()).toEqual([]);
  expect(await asReader('SELECT name FROM later')).toEqual([{ name: 'first' }]);

  expect(await asReader(`SELECT count(*)::int AS count FROM messages WHERE status = 'delivered'`)).toEqual([
    { count: SENDS },
  ]);
  expect(await asReader(`SELECT email FROM accounts WHERE email = '${account.email}'`)).toHaveLength(1);
  for (const secret of [
    'password_hash FROM accounts',
    'hash FROM key_secrets',
    'encrypted FROM key_secrets',
    'token_hash FROM sessions',
    'private_key FROM ledger_keys',
    'secret FROM webhook_endpoints',
    'code FROM redeem_codes',
    'body FROM messages',
    'secret FROM later',
  ])
    await expect(asReader(`SELECT ${secret}`), secret).rejects.toMatchObject(REFUSED);
  const shown = await asReader(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.column_privileges
     WHERE grantee = 'pennytext_reader' AND (column_name ~ '(secret|hash|token|password|private|sealed|encrypted)$')`,
  );
  expect(shown).toEqual([]);
  for (const change of [
    `UPDATE accounts SET daily_limit = 1`,
    'DELETE FROM messages',
    `SELECT drop_webhook_partitions(now())`,
  ])
    await expect(asReader(change), change).rejects.toMatchObject(REFUSED);

  // Queues in Postgres need a schema of their own, which takes one more right.
  const [, grant = ''] =
    /`(GRANT CREATE [^`]+)`/.exec(readFileSync(join(repository, 'docs/very-large.md'), 'utf8')) ?? [];
  await query(server.urlOf('pennytext'), grant);
  const inPostgres = { ...product.environment, QUEUE_BACKEND: 'postgres' };
  const main = join(repository, 'dist/admin/main.js');
  const status = await runNode(main, ['queue', 'status'], inPostgres, COMMAND_WITHIN_MS);
  expect(status).toMatchObject({ code: 0, output: expect.stringContaining('"dispatch"') });
  expect(await asApp(`SELECT nspowner::regrole::text AS owner FROM pg_namespace WHERE nspname = 'bullmq'`)).toEqual([
    { owner: 'pennytext_app' },
  ]);
  await expect(asApp('CREATE TABLE public.mine (id integer)')).rejects.toMatchObject(REFUSED);

  // The script runs again over the filled database: it changes passwords that are given, and
  // nothing else. An empty password would clear a role's password.
  const readers = passwords.READER_PASSWORD;
  passwords.APP_PASSWORD = randomBytes(12).toString('hex');
  passwords.READER_PASSWORD = '';
  await makeRoles();
  passwords.READER_PASSWORD = readers;
  expect(await asReader('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect(await asApp('SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

/** The name of next month's partition, after the table's: `YYYY_MM`. */
function nextMonth(): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString().slice(0, 7).replace('-', '_');
}
