import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { freePort } from '../../tools/testkit/ports.js';
import { acceptsQueries, createDatabase, prepareCluster, query, removeCluster } from '../../tools/testkit/postgres.js';
import { Program, run, runNode } from '../../tools/testkit/program.js';
import { until } from '../../tools/testkit/until.js';
import { CodeBlocks } from '../testing/code-blocks.js';
import { differentMessages, flood } from '../testing/flood.js';
import { expectLedgerClean, settled } from '../testing/invariants.js';
import { runBlock } from '../testing/shell-blocks.js';
import { repository } from '../testing/repository.js';
import { databaseServer, Stack } from '../testing/stack.js';

/** Runs the commands of docs/backup.md for an own Postgres, as they stand there. */
const SENDS = 300;
const LATER = 20;
const COMMAND_WITHIN_MS = 60_000;
const SETTLED_WITHIN_MS = 100_000;
/** A time before any dump that is kept. */
const LONG_AGO = new Date('2026-01-02T03:00:00Z');
const RESTORED = 'pennytext_restored';
const TELNYX_SENDER = '+15005550100';
const SMSC_SENDER = '+15005550200';
/** The public key of the sandbox's Telnyx. */
const TELNYX_PUBLIC_KEY = 'xcoq0gutByTpfJ9DoIAR4//RmsxxklziM0uJ6yIlPYw=';

const folder = join(tmpdir(), `pennytext-backup-${process.pid}`);
let server: Program | undefined;
let stack: Stack | undefined;
let dropRestored: (() => Promise<unknown>) | undefined;

test.afterEach(async () => {
  await stack?.stop();
  await dropRestored?.();
  await server?.stop('SIGINT');
  [stack, dropRestored, server] = [undefined, undefined, undefined];
  removeCluster(folder);
  rmSync(folder, { recursive: true, force: true });
});

test('a dump under load is restored with three carriers: nothing is sent twice, what came later is unknown and uncharged', async () => {
  mkdirSync(folder);
  const serverUrl = await serverForDumps();
  test.skip(serverUrl === undefined, 'pg_dump, or a Postgres server that is not newer than it, is not installed');
  const database = await createDatabase(serverUrl ?? '', 'e2e');
  const logFolder = test.info().outputPath('logs');
  const smppPort = String(await freePort());
  const env = { SANDBOX_SMPP_PORT: smppPort };
  const product = await Stack.start({ servers: 1, receiptDelayMs: 2_000, logFolder, database, env });
  stack = product;
  await useThreeCarriers(product, smppPort);
  await product.startWorker();
  const commands = new CodeBlocks(repository, 'docs/backup.md');
  const account = await product.account(SENDS + LATER);
  await product.carrier.misbehave('delay', { delayMs: 50 });

  const early = flood(product.api, differentMessages(SENDS / 3, account.apiKey, 'early'), 10);
  await until('messages are accepted and dispatched', async () => early.answered() > SENDS / 6, {
    timeoutMs: 60_000,
  });
  // The dump has messages that wait, whatever the machine's speed.
  await product.admin('queue', 'pause', 'dispatch');
  const sending = flood(product.api, differentMessages((2 * SENDS) / 3, account.apiKey, 'backup'), 10);
  await until('more messages are accepted', async () => sending.answered() > SENDS / 3, { timeoutMs: 60_000 });
  const dumps = join(folder, 'dumps');
  mkdirSync(dumps);
  const environment = { ...product.environment, ...libpqOf(database.url), BACKUP_FOLDER: dumps, BACKUP_KEEP_DAYS: '3' };
  const worker = async () => (await fetch(`${product.workerUrls[0]}/metrics`)).text();
  expect(await worker()).not.toMatch(/^pennytext_backup_verified_timestamp_seconds/m);
  const old = ['pennytext-2026-01-01T023000Z.dump', 'pennytext-2026-01-02T023000Z.dump.partial', 'mine.dump'];
  for (const name of old) {
    writeFileSync(join(dumps, name), 'old');
    utimesSync(join(dumps, name), LONG_AGO, LONG_AGO);
  }
  const begunAt = Math.floor(Date.now() / 1_000);
  const printed = await runBlock(commands.block('ops/postgres/backup.sh'), environment, repository);
  expect(JSON.parse(printed)).toMatchObject({ verified: true, mismatches: 0, rows: { accounts: expect.any(Number) } });
  const [dump = '', ...others] = readdirSync(dumps).sort().reverse();
  expect(dump).toMatch(/^pennytext-\d{4}-\d\d-\d\dT\d{6}Z\.dump$/);
  expect(others).toEqual(['mine.dump']);
  expect(statSync(join(dumps, dump)).mode & 0o077).toBe(0);
  await expect
    .poll(async () => Number(/^pennytext_backup_verified_timestamp_seconds\{.*\} (\S+)$/m.exec(await worker())?.[1]), {
      timeout: 30_000,
    })
    .toBeGreaterThanOrEqual(begunAt);
  copyFileSync(join(dumps, dump), join(folder, 'pennytext.dump'));
  await product.admin('queue', 'resume', 'dispatch');
  const sent = [...(await early.done), ...(await sending.done)];
  const later = await flood(product.api, differentMessages(LATER, account.apiKey, 'later')).done;
  const before = await settled(product, account, SETTLED_WITHIN_MS);
  expect(before).toHaveLength(SENDS + LATER);
  expect([...sent, ...later].filter(({ outcome }) => outcome.kind !== 'accepted')).toEqual([]);
  const carriedBefore = await product.carrier.count();
  expect(new Set((await product.carrier.messages()).map(({ carrier }) => carrier))).toEqual(
    new Set(['twilio', 'telnyx', 'smsc']),
  );

  await product.program('server-0').stop();
  await product.program('worker').stop();
  const restored = new URL(database.url);
  restored.pathname = `/${RESTORED}`;
  await query(serverUrl ?? '', `DROP DATABASE IF EXISTS ${RESTORED} WITH (FORCE)`);
  dropRestored = () => query(serverUrl ?? '', `DROP DATABASE IF EXISTS ${RESTORED} WITH (FORCE)`);
  const urls = { MAINTENANCE_URL: serverUrl ?? '', RESTORED_URL: restored.href };
  await runBlock(commands.blockWith('--single-transaction --dbname="$RESTORED_URL"'), urls, folder);
  product.useDatabase(restored.href);
  const checked = await runBlock(commands.blockWith('npm run -s migrate'), product.environment, repository);
  expect(checked).toContain('"mismatches": 0');
  const dumpTime = dump.slice('pennytext-'.length, -'.dump'.length);
  const settling = commands.blockWith('backup settle').replace(/--since \S+/, `--since ${dumpTime}`);
  expect(settling).toContain(dumpTime);
  const decided = await runBlock(settling, product.environment, repository);
  const { carriers } = JSON.parse(decided) as {
    carriers: Record<string, { askCarrier: number; awaitReceipt: number }>;
  };
  expect(carriers).toMatchObject({
    twilio: { askCarrier: expect.any(Number), awaitReceipt: 0, sendAgain: 0 },
    telnyx: { askCarrier: expect.any(Number), awaitReceipt: 0, sendAgain: 0 },
    smsc: { askCarrier: 0, awaitReceipt: expect.any(Number), sendAgain: 0 },
  });
  const inDoubt = carriers['smsc']?.awaitReceipt ?? 0;
  await product.startServer(0);
  await product.startWorker();

  // Other messages are found at their carrier, or their receipts were on their way at the dump.
  await until(
    'the carriers that can be asked are asked',
    async () => {
      const messages = await product.api.messages(account.apiKey);
      const open = messages.filter(({ status, from }) => status !== 'delivered' && from !== SMSC_SENDER);
      return open.length === inDoubt && open.every(({ status }) => status === 'sending');
    },
    { timeoutMs: SETTLED_WITHIN_MS, everyMs: 1_000 },
  );
  // A day passes without a receipt.
  await query(restored.href, `UPDATE messages SET claimed_at = now() - interval '25 hours' WHERE status = 'sending'`);
  await query(restored.href, 'UPDATE message_checks SET due_at = now()');
  const ended = async () => {
    const messages = await product.api.messages(account.apiKey);
    return messages.some(({ status }) => ['queued', 'sending'].includes(status)) ? false : messages;
  };
  const after = await until('nothing waits', ended, { timeoutMs: SETTLED_WITHIN_MS, everyMs: 1_000 });
  test.info().annotations.push({ type: 'restored', description: `${after.length} of ${before.length} messages` });
  expect(after.length).toBeGreaterThan(SENDS / 3);
  expect(after.length).toBeLessThan(before.length);
  const failed = after.filter(({ status }) => status === 'failed');
  expect(failed).toHaveLength(inDoubt);
  expect(failed.filter(({ refunded }) => refunded !== 1)).toEqual([]);
  // A receipt of a peer that cannot be asked, for a message that the dump has as sent, was lost with the
  // old database.
  const rest = after.filter(({ status, from }) => status !== 'failed' && from !== SMSC_SENDER);
  expect(rest.filter(({ status }) => status !== 'delivered')).toEqual([]);
  // All were dispatched before the restore: a message in progress is found at its carrier, or waits
  // for its receipt, and is not sent again.
  expect(await product.carrier.count()).toBe(carriedBefore);
  const carried = (await product.carrier.messages()).map(({ body }) => body);
  expect(new Set(carried).size).toBe(carried.length);
  const used = after.length - inDoubt;
  expect(await product.api.balance(account.apiKey)).toMatchObject({ used, balance: SENDS + LATER - used });
  await expectLedgerClean(product);
});

test('a dump that is cut off, lacks rows or cannot be read is not in order, and the reason is printed', async () => {
  mkdirSync(folder);
  const serverUrl = await serverForDumps();
  test.skip(serverUrl === undefined, 'pg_dump, or a Postgres server that is not newer than it, is not installed');
  const database = await createDatabase(serverUrl ?? '', 'e2e');
  const product = await Stack.start({
    servers: 1,
    receiptDelayMs: 200,
    logFolder: test.info().outputPath('logs'),
    database,
  });
  stack = product;
  const dumps = join(folder, 'dumps');
  mkdirSync(dumps);
  const verification = new CodeBlocks(repository, 'docs/backup.md').blockWith('admin -- backup verify');
  const verify = async () => {
    const { code, output } = await run('bash', ['-c', verification], {
      env: { ...product.environment, BACKUP_FOLDER: dumps },
      cwd: repository,
      timeoutMs: COMMAND_WITHIN_MS,
    });
    return { code, ...(JSON.parse(output) as { verified: boolean; reason?: string }) };
  };
  const dumped = (name: string) =>
    runBlock(`pg_dump --format=custom --file=${join(dumps, name)}`, libpqOf(database.url), dumps);

  expect(await verify()).toMatchObject({ code: 1, verified: false, reason: `there is no *.dump in ${dumps}` });
  await dumped('1.dump');
  expect(await verify()).toMatchObject({ code: 0, verified: true });

  const account = await product.account(5);
  await product.sql(`UPDATE accounts SET created_at = now() - interval '2 hours' WHERE email = $1`, [account.email]);
  await product.sql(`UPDATE ledger_entries SET created_at = now() - interval '2 hours'`, []);
  expect(await verify()).toMatchObject({
    code: 1,
    reason: 'rows are missing: accounts has 0 rows instead of 1, ledger_entries has 0 rows instead of 1',
  });
  await product.sql('UPDATE ledger_entries SET amount = amount + 1, balance_after = balance_after + 1', []);
  await dumped('2.dump');
  expect(await verify()).toMatchObject({
    code: 1,
    reason: expect.stringMatching(/^ledger check finds \d+ mismatches/),
  });

  const whole = readFileSync(join(dumps, '2.dump'));
  writeFileSync(join(dumps, '3.dump'), whole.subarray(0, whole.length / 2));
  expect(await verify()).toMatchObject({ code: 1, reason: expect.stringContaining('pg_restore: error') });
  const main = join(repository, 'dist/admin/main.js');
  const bare = { ...product.environment, PATH: '/nowhere' };
  const { code, output } = await runNode(main, ['backup', 'verify', dumps], bare, COMMAND_WITHIN_MS);
  expect({ code, ...(JSON.parse(output) as object) }).toMatchObject({
    code: 1,
    reason: expect.stringContaining('pg_restore is not on the PATH'),
  });
  expect(await query(serverUrl ?? '', `SELECT datname FROM pg_database WHERE datname ~ '^pennytext_verify_'`)).toEqual(
    [],
  );
});

/** Gives the product the sandbox's Telnyx and SMSC, beside Twilio, with equal weights. */
async function useThreeCarriers(product: Stack, smppPort: string): Promise<void> {
  const bind = { name: 'smsc', url: `smpp://127.0.0.1:${smppPort}`, senders: [SMSC_SENDER] };
  product.useSettings({
    TELNYX_API_KEY: 'KEY_sandbox',
    TELNYX_PUBLIC_KEY,
    TELNYX_SENDERS: TELNYX_SENDER,
    TELNYX_API_URL: product.carrier.url,
    SMPP_BINDS: JSON.stringify([{ ...bind, system_id: 'sandbox', password: 'sandbox' }]),
  });
  await product.admin('region', 'enable', 'USA', '--routes', 'twilio:50', 'telnyx:50', 'smsc:50');
  await product.program('server-0').stop();
  await product.startServer(0);
}

/** The variables by which Postgres' own programs find a database. */
function libpqOf(url: string): Record<string, string> {
  const { hostname, port, username, password, pathname } = new URL(url);
  return {
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: pathname.slice(1),
  };
}

/**
 * The server of DATABASE_URL, or a new server of the installed version where pg_dump is older than
 * the former and refuses it.
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
