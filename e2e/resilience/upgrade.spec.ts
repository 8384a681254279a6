import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { until } from '../../tools/testkit/until.js';
import { Customer } from '../testing/customer.js';
import { differentMessages, flood } from '../testing/flood.js';
import { expectEven, expectLedgerClean, settled } from '../testing/invariants.js';
import { repository } from '../testing/repository.js';
import { Stack } from '../testing/stack.js';

/**
 * The previous release works on the new release's schema, old and new processes run side by side,
 * and code can be rolled back (docs/upgrading.md). The previous release is the newest tag `v…`
 * before this commit; until 0.1.0 is tagged, while migrations may still be edited, the last commit
 * that edited a migration. It is built from the history, so a shallow clone skips the test.
 */
const SENDS = 400;
const AT_ONCE = 5;
const SETTLED_WITHIN_MS = 100_000;
const BUILD_MS = 120_000;
const TO = '+14153000010';

let stack: Stack | undefined;
let folder: string | undefined;

test.setTimeout(600_000);

test.afterEach(async () => {
  await stack?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

test('migrations, servers and workers are replaced under load, and rolled back, without losing anything', async () => {
  const release = previousRelease();
  test.skip(release === undefined, 'the history of this clone does not reach the previous release');
  folder = mkdtempSync(join(tmpdir(), 'pennytext-previous-'));
  const previous = buildOf(release ?? '', folder);
  const current = join(repository, 'dist');
  const logFolder = test.info().outputPath('logs');
  const env = { CUSTOM_SIGN_IN_ENABLED: 'true' };
  const product = await Stack.start({ servers: 2, receiptDelayMs: 1_000, logFolder, env, build: previous });
  stack = product;
  await product.startWorker();

  // Data of the previous release: a session, a code that is not verified yet, messages in every
  // state of progress.
  const customer = await Customer.signUp(product.url);
  const apikey = await customer.apiKey();
  const otp = await sentCode(product, apikey);
  const account = await product.account(SENDS);
  const requests = differentMessages(SENDS, account.apiKey, 'upgrade').map((request) => ({
    ...request,
    idempotencyKey: request.reference ?? '',
  }));
  const sending = flood(product.api, requests, AT_ONCE);
  await answered(sending, SENDS / 5);

  product.useBuild(current);
  const migrated = await product.migrate();
  expect(migrated).toHaveLength(migrationsSince(release ?? ''));
  const answeredByPrevious = sending.answered();
  await answered(sending, Math.min(SENDS, answeredByPrevious + 20));
  // A busy machine answers late: the previous release stays ready, or is again within seconds.
  await expect.poll(() => product.isReady(), { timeout: 30_000 }).toBe(true);

  await replace(product, 'server-1', () => product.startServer(1));
  await replace(product, 'worker', () => product.startWorker());
  await replace(product, 'server-0', () => product.startServer(0));
  expect(await product.api.verifyOtp({ otp, apikey, to: TO })).toBe('OTP verified');
  expect(await customer.apiKey()).toBe(apikey);

  product.useBuild(previous);
  await replace(product, 'server-1', () => product.startServer(1));
  await replace(product, 'worker', () => product.startWorker());
  const sent = await sending.done;
  const last = await flood(product.api, differentMessages(10, apikey, 'rolled back')).done;
  expect(last.map(({ outcome }) => outcome.kind).filter((kind) => kind === 'unanswered')).toEqual([]);

  expect(answeredByPrevious).toBeLessThan(SENDS);
  expect(sent.filter(({ outcome }) => outcome.kind === 'refused')).toEqual([]);
  // No balancer takes a server out before it stops, so a few connections broke: their callers ask
  // again with the same key.
  const broken = sent.filter(({ outcome }) => outcome.kind === 'unanswered').map(({ request }) => request);
  expect(broken.length).toBeLessThan(SENDS / 10);
  const again = await flood(product.api, broken).done;
  const all = [...sent.filter(({ outcome }) => outcome.kind === 'accepted'), ...again];
  expect(all.map(({ outcome }) => outcome.kind)).toEqual(requests.map(() => 'accepted'));
  await expectEven(product, account, all, await settled(product, account, SETTLED_WITHIN_MS));
  await expectLedgerClean(product);
});

function answered(sending: { answered: () => number }, count: number): Promise<boolean> {
  return until(`${count} sends are answered`, () => sending.answered() >= count, { timeoutMs: 60_000, everyMs: 10 });
}

async function replace(product: Stack, name: string, start: () => Promise<void>): Promise<void> {
  await product.program(name).stop();
  await start();
}

async function sentCode({ api, carrier }: Stack, apikey: string): Promise<string> {
  const answer = await api.sendOtp({ to: TO, apikey });
  if (answer.success !== 'true') throw new Error(`The code was refused: ${answer.detail}`);
  return until(
    'the code is at the carrier',
    async () => (await carrier.messages(TO)).map(({ body }) => /code is (\d{6})/.exec(body)?.[1]).find(Boolean),
    { timeoutMs: 60_000 },
  );
}

const MIGRATIONS = ':(glob)core/platform/database/migrations/[0-9]*.ts';

function previousRelease(): string | undefined {
  const tag = git('describe', '--tags', '--abbrev=0', '--match=v*', 'HEAD^');
  return tag ?? git('log', '-1', '--first-parent', '--format=%H', '--diff-filter=MDR', '--', MIGRATIONS);
}

function migrationsSince(release: string): number {
  const added = git('diff', '--name-only', '--diff-filter=A', release, '--', MIGRATIONS);
  return added?.split('\n').length ?? 0;
}

function git(...args: string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { cwd: repository, encoding: 'utf8' });
  return status === 0 && stdout.trim() !== '' ? stdout.trim() : undefined;
}

/**
 * Builds the programs of a commit in a folder, with this checkout's packages, and returns the
 * folder of the build.
 */
function buildOf(commit: string, into: string): string {
  const unpack = `git -C '${repository}' archive '${commit}' | tar -x -C '${into}'`;
  expect(spawnSync('bash', ['-o', 'pipefail', '-c', unpack]).status).toBe(0);
  symlinkSync(join(repository, 'node_modules'), join(into, 'node_modules'));
  const { dependencies } = JSON.parse(readFileSync(join(into, 'package.json'), 'utf8')) as { dependencies: object };
  const missing = Object.keys(dependencies).filter((name) => !existsSync(join(repository, 'node_modules', name)));
  test.skip(missing.length > 0, `the previous release needs packages that are not installed: ${missing.join(', ')}`);
  const tsc = [join(repository, 'node_modules/typescript-native/bin/tsc'), '-p', 'tsconfig.build.json', '--noCheck'];
  const built = spawnSync(process.execPath, tsc, { cwd: into, encoding: 'utf8', timeout: BUILD_MS });
  expect(built.stdout).toBe('');
  return join(into, 'dist');
}
