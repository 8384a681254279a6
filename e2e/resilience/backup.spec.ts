import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { messageIdOf } from '../../tools/testkit/carrier.js';
import { acceptsQueries, createDatabase, prepareCluster, query, removeCluster } from '../../tools/testkit/postgres.js';
import { Program, run } from '../../tools/testkit/program.js';
import { until } from '../../tools/testkit/until.js';
import { CodeBlocks } from '../testing/code-blocks.js';
import { differentMessages, flood } from '../testing/flood.js';
import { expectLedgerClean, settled } from '../testing/invariants.js';
import { repository } from '../testing/repository.js';
import { databaseServer, Stack } from '../testing/stack.js';

/** Runs the commands of docs/backup.md for an own Postgres, as they stand there. */
const SENDS = 300;
const LATER = 20;
const COMMAND_WITHIN_MS = 60_000;
const SETTLED_WITHIN_MS = 100_000;
const RESTORED = 'pennytext_restored';

const folder = join(tmpdir(), `pennytext-backup-${process.pid}`);
let server: Program | undefined;
let stack: Stack | undefined;
let dropRestored: (() => Promise<unknown>) | undefined;

test.setTimeout(420_000);

test.afterEach(async () => {
  await stack?.stop();
  await dropRestored?.();
  await server?.stop('SIGINT');
  removeCluster(folder);
  rmSync(folder, { recursive: true, force: true });
});

test('a dump under load is restored: what it holds is delivered once, what came later is unknown and uncharged', async () => {
  mkdirSync(folder);
  const serverUrl = await serverForDumps();
  test.skip(serverUrl === undefined, 'pg_dump, or a Postgres server that is not newer than it, is not installed');
  const database = await createDatabase(serverUrl ?? '', 'e2e');
  const logFolder = test.info().outputPath('logs');
  const product = await Stack.start({ servers: 1, receiptDelayMs: 2_000, logFolder, database });
  stack = product;
  await product.startWorker();
  const commands = new CodeBlocks(repository, 'docs/backup.md');
  const account = await product.account(SENDS + LATER);
  await product.carrier.misbehave('delay', { delayMs: 50 });

  const sending = flood(product.api, differentMessages(SENDS, account.apiKey, 'backup'), 10);
  await until('messages are accepted and dispatched', async () => sending.answered() > SENDS / 3, {
    timeoutMs: 60_000,
  });
  await runs(commands.blockWith('pg_dump --format=custom --file'), { DATABASE_URL: database.url }, folder);
  const sent = await sending.done;
  const later = await flood(product.api, differentMessages(LATER, account.apiKey, 'later')).done;
  const before = await settled(product, account, SETTLED_WITHIN_MS);
  expect(before).toHaveLength(SENDS + LATER);
  expect([...sent, ...later].filter(({ outcome }) => outcome.kind !== 'accepted')).toEqual([]);
  const carriedBefore = await product.carrier.count();

  await product.program('server-0').stop();
  await product.program('worker').stop();
  const restored = new URL(database.url);
  restored.pathname = `/${RESTORED}`;
  await query(serverUrl ?? '', `DROP DATABASE IF EXISTS ${RESTORED} WITH (FORCE)`);
  dropRestored = () => query(serverUrl ?? '', `DROP DATABASE IF EXISTS ${RESTORED} WITH (FORCE)`);
  const urls = { DATABASE_URL: database.url, RESTORED_URL: restored.href };
  await runs(
    commands.blockWith('pg_restore --no-owner --exit-on-error --single-transaction --dbname="$'),
    urls,
    folder,
  );
  await runs(commands.blockWith('psql "$RESTORED_URL"'), urls, folder);
  product.useDatabase(restored.href);
  const checked = await runs(commands.blockWith('npm run -s migrate'), product.environment, repository);
  expect(checked).toContain('"mismatches": 0');
  await product.startServer(0);
  await product.startWorker();

  const after = await settled(product, account, SETTLED_WITHIN_MS);
  test.info().annotations.push({ type: 'restored', description: `${after.length} of ${before.length} messages` });
  expect(after.length).toBeGreaterThan(SENDS / 3);
  expect(after.length).toBeLessThan(before.length);
  expect(after.filter(({ status }) => status !== 'delivered')).toEqual([]);
  // All were dispatched before the restore: a message in progress is found at the carrier, not
  // sent again.
  expect(await product.carrier.count()).toBe(carriedBefore);
  const carried = (await product.carrier.messages()).map(messageIdOf);
  expect(new Set(carried).size).toBe(carried.length);
  const balance = await product.api.balance(account.apiKey);
  expect(balance).toMatchObject({ used: after.length, balance: SENDS + LATER - after.length });
  await expectLedgerClean(product);
});

/** Runs a block of commands and returns what it printed. */
async function runs(block: string, env: Readonly<Record<string, string>>, cwd: string): Promise<string> {
  const { code, output, errors } = await run('bash', ['-euo', 'pipefail', '-c', block], {
    env,
    cwd,
    timeoutMs: COMMAND_WITHIN_MS,
  });
  if (code !== 0) throw new Error(`${block}\nended with ${code}: ${errors}${output}`);
  return output;
}

/**
 * The server of DATABASE_URL; a new one of the installed version if that is newer than pg_dump,
 * which then refuses.
 */
async function serverForDumps(): Promise<string | undefined> {
  const version = /(\d+)\./.exec(spawnSync('pg_dump', ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1];
  if (version === undefined) return undefined;
  const [row] = await query<{ number: string }>(
    databaseServer(),
    `SELECT current_setting('server_version_num') AS number`,
  );
  if (Math.floor(Number(row?.number) / 10_000) <= Number(version)) return databaseServer();
  const installed = `/usr/lib/postgresql/${version}/bin`;
  if (!existsSync(join(installed, 'initdb'))) return undefined;
  // The user that Postgres runs as needs access.
  chmodSync(folder, 0o755);
  const { serverUrl, ...how } = await prepareCluster(folder, ['fsync=off'], undefined, installed);
  server = new Program({ ...how, name: 'postgres', logFile: test.info().outputPath('logs', 'postgres.log') });
  await server.ready(() => acceptsQueries(`${serverUrl}/postgres`));
  return `${serverUrl}/postgres`;
}
