import { chownSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { query, type Cluster } from '../../tools/testkit/postgres.js';
import { until } from '../../tools/testkit/until.js';
import { CodeBlocks } from '../testing/code-blocks.js';
import { differentMessages, flood } from '../testing/flood.js';
import { expectLedgerClean, settled } from '../testing/invariants.js';
import { installedPostgres, OwnPostgres } from '../testing/own-postgres.js';
import { repository } from '../testing/repository.js';
import { runBlock } from '../testing/shell-blocks.js';
import { Stack, type TestAccount } from '../testing/stack.js';

/** Runs the section "Continuous archiving" of docs/backup.md as it stands there. */
const SENDS = 40;
const SETTLED_WITHIN_MS = 100_000;
const ARCHIVED_WITHIN_MS = 30_000;
const PAGE = 'docs/backup.md';
const ARCHIVE = '/archive';
const BASE = '/backups/base';
const MOMENT = '2026-11-21 08:54:00+00';

let server: OwnPostgres | undefined;
let stack: Stack | undefined;

test.afterEach(async () => {
  await stack?.stop();
  await server?.stop();
  [stack, server] = [undefined, undefined];
});

test('a lost database is restored to a moment: what was sent before is there, what came later is not', async () => {
  const installed = installedPostgres();
  test.skip(installed === undefined, 'pg_basebackup is not installed');
  const [settings = ''] =
    /```ini\n(archive_mode[\s\S]*?)```/.exec(readFileSync(join(repository, PAGE), 'utf8'))?.slice(1) ?? [];
  const lines = settings.trim().split('\n');
  expect(lines).toHaveLength(3);
  let archive = '';
  const postgres = await OwnPostgres.start({
    installed,
    logFile: test.info().outputPath('logs', 'postgres.log'),
    settingsOf: (cluster) => {
      archive = ownFolder(cluster, 'archive');
      return lines.map((line) => {
        const [, name = '', value = ''] = /^(\w+) = '?(.*?)'?$/.exec(line) ?? [];
        return `${name}=${value.replaceAll(ARCHIVE, archive)}`;
      });
    },
  });
  server = postgres;
  const base = join(ownFolder(postgres.cluster, 'backups'), 'base');
  const { uid, gid } = postgres.cluster;
  const commands = new CodeBlocks(repository, PAGE);
  const here = (block: string) => block.replaceAll(ARCHIVE, archive).replaceAll(BASE, base);
  const asPostgres = (block: string, env: Readonly<Record<string, string>>) =>
    runBlock(here(block), env, postgres.cluster.cwd, uid === undefined || gid === undefined ? {} : { uid, gid });

  await query(postgres.urlOf('postgres'), 'CREATE DATABASE pennytext');
  const url = postgres.urlOf('pennytext');
  const product = await Stack.start({
    servers: 1,
    receiptDelayMs: 200,
    logFolder: test.info().outputPath('logs'),
    database: { url, drop: () => Promise.resolve() },
  });
  stack = product;
  await product.startWorker();
  const account = await product.account(10 * SENDS);
  const send = (about: string) => sendAll(product, account, about);

  await send('before the base backup');
  await asPostgres(commands.blockWith('pg_basebackup'), { ADMIN_URL: postgres.urlOf('postgres') });
  expect(await send('before the moment')).toBe(2 * SENDS);
  const [moment] = await query<{ at: string }>(url, 'SELECT clock_timestamp()::text AS at');
  expect(await send('after the moment')).toBe(3 * SENDS);
  // Switches the log file, as archive_timeout does within a minute.
  const [switched] = await query<{ file: string }>(url, 'SELECT pg_walfile_name(pg_switch_wal()) AS file');
  await until(
    'the log is archived',
    async () => {
      const [row] = await query<{ done: boolean }>(
        url,
        `SELECT last_archived_wal >= '${switched?.file}' AS done FROM pg_stat_archiver`,
      );
      return row?.done === true;
    },
    { timeoutMs: ARCHIVED_WITHIN_MS },
  );
  const carriedBefore = await product.carrier.count();

  await product.program('server-0').stop();
  await product.program('worker').stop();
  await postgres.halt('SIGQUIT');
  const restoring = commands.blockWith('recovery_target_time').replace(MOMENT, moment?.at ?? '');
  expect(restoring).toContain(moment?.at);
  // Postgres' user owns the folder above its data, as on Debian.
  if (uid !== undefined && gid !== undefined) chownSync(postgres.cluster.cwd, uid, gid);
  await asPostgres(restoring, { PGDATA: postgres.data });
  await postgres.resume();
  const checked = await runBlock(commands.blockWith('npm run -s migrate'), product.environment, repository);
  expect(checked).toContain('"mismatches": 0');
  const settling = commands.blockWith('backup settle').replace(/--since \S+/, `--since '${moment?.at}'`);
  expect(settling).toContain(moment?.at);
  await runBlock(settling, product.environment, repository);

  await product.startServer(0);
  await product.startWorker();
  const restored = await settled(product, account, SETTLED_WITHIN_MS);
  expect(restored).toHaveLength(2 * SENDS);
  expect(await product.carrier.count()).toBe(carriedBefore);
  expect(await product.api.balance(account.apiKey)).toMatchObject({ used: 2 * SENDS, balance: 8 * SENDS });
  expect(await send('after the restore')).toBe(3 * SENDS);
  await expectLedgerClean(product);
});

/** Sends messages and returns how many the account has, when all are delivered. */
async function sendAll(product: Stack, account: TestAccount, about: string): Promise<number> {
  const sent = await flood(product.api, differentMessages(SENDS, account.apiKey, about)).done;
  expect(sent.filter(({ outcome }) => outcome.kind !== 'accepted')).toEqual([]);
  const all = await settled(product, account, SETTLED_WITHIN_MS);
  expect(all.filter(({ status }) => status !== 'delivered')).toEqual([]);
  return all.length;
}

/** A folder of Postgres' user next to its data. */
function ownFolder({ cwd, uid, gid }: Cluster, name: string): string {
  const folder = join(cwd, name);
  mkdirSync(folder);
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  return folder;
}
