import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { expect, test } from '@playwright/test';
import {
  type Certificates,
  makeCertificates,
  postgresTls,
  redisTls,
  verifiedUrl,
} from '../../tools/testkit/certificates.js';
import { freePort } from '../../tools/testkit/ports.js';
import { query } from '../../tools/testkit/postgres.js';
import { type Program, runNode } from '../../tools/testkit/program.js';
import { findCommand, redisProgram } from '../../tools/testkit/redis.js';
import { differentMessages, flood } from '../testing/flood.js';
import { expectLedgerClean, settled } from '../testing/invariants.js';
import { OwnPostgres } from '../testing/own-postgres.js';
import { repository } from '../testing/repository.js';
import { Stack } from '../testing/stack.js';

/** TLS to Postgres and Redis, as docs/security.md describes it. The certificates are for localhost. */
const SENDS = 30;
const SETTLED_WITHIN_MS = 60_000;
const COMMAND_WITHIN_MS = 60_000;

let folder: string;
let certificates: Certificates;
let postgres: OwnPostgres | undefined;
let redis: Program | undefined;
let stack: Stack | undefined;

test.beforeEach(async () => {
  test.skip(findCommand('openssl') === undefined, 'openssl is not installed');
  folder = mkdtempSync(join(tmpdir(), 'pennytext-tls-'));
  chmodSync(folder, 0o755);
  certificates = await makeCertificates(folder);
});

test.afterEach(async () => {
  await stack?.stop();
  await redis?.stop();
  await postgres?.stop();
  [stack, redis, postgres] = [undefined, undefined, undefined];
  if (folder) rmSync(folder, { recursive: true, force: true });
});

test('the product works over TLS, and refuses another authority and another host name', async () => {
  const logFile = (name: string) => test.info().outputPath('logs', `${name}.log`);
  postgres = await OwnPostgres.start({
    logFile: logFile('postgres'),
    settingsOf: (cluster) => postgresTls(certificates, cluster),
  });
  await query(postgres.urlOf('postgres'), 'CREATE DATABASE pennytext');
  const port = await freePort();
  redis = await redisProgram(port, {
    logFile: logFile('redis'),
    settings: { port: '0', ...redisTls(certificates, port) },
  }).ready(() => answersOverTls(port));

  const { authority, otherAuthority } = certificates;
  const missing = join(folder, 'none.pem');
  const databaseUrl = (file: string) => verifiedUrl(postgres?.urlOf('pennytext') ?? '', file);
  const atOtherName = new URL(databaseUrl(authority));
  atOtherName.hostname = '127.0.0.1';
  const product = await Stack.start({
    servers: 1,
    receiptDelayMs: 200,
    logFolder: test.info().outputPath('logs'),
    database: { url: databaseUrl(authority), drop: () => Promise.resolve() },
    env: { REDIS_URL: `rediss://localhost:${port}`, REDIS_CA_FILE: authority },
  });
  stack = product;
  await product.startWorker();
  const account = await product.account(SENDS);
  const sent = await flood(product.api, differentMessages(SENDS, account.apiKey, 'encrypted')).done;
  expect(sent.filter(({ outcome }) => outcome.kind !== 'accepted')).toEqual([]);
  const done = await settled(product, account, SETTLED_WITHIN_MS);
  expect(done.filter(({ status }) => status === 'delivered')).toHaveLength(SENDS);
  await expectLedgerClean(product);
  const connections = await query<{ ssl: boolean }>(
    postgres.urlOf('pennytext'),
    `SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'pennytext'`,
  );
  expect(connections.length).toBeGreaterThan(1);
  expect(connections.filter(({ ssl }) => !ssl)).toEqual([]);

  const starts = (program: string, env: Readonly<Record<string, string>>, ...args: string[]) =>
    runNode(join(repository, 'dist', program), args, { ...product.environment, ...env }, COMMAND_WITHIN_MS);
  // All programs read their certificates in one place: the first fault is tried with each program,
  // the others with one program.
  const [server, worker, migrate] = ['server/main.js', 'worker/main.js', 'core/platform/database/migrate.js'];
  for (const [url, reason, programs] of [
    [
      databaseUrl(otherAuthority),
      /"msg":"A server's certificate is refused \(.*certificate.*\)\. .*sslrootcert/,
      [server, worker, migrate],
    ],
    [atOtherName.href, /"msg":"A server's certificate is refused \(Hostname\/IP does not match.*host name/, [migrate]],
    [databaseUrl(missing), /"msg":"A file that a setting names is missing \(.*none\.pem/, [migrate]],
  ] as const)
    for (const program of programs)
      expect(await starts(program, { DATABASE_URL: url }), program).toMatchObject({
        code: 1,
        errors: expect.stringMatching(reason),
      });

  for (const [env, reason] of [
    [{ REDIS_CA_FILE: otherAuthority }, /Redis at localhost:\d+: .*certificate/],
    [{ REDIS_URL: `rediss://127.0.0.1:${port}` }, /Redis at 127\.0\.0\.1:\d+: Hostname\/IP does not match/],
    [{ REDIS_CA_FILE: missing }, /^REDIS_CA_FILE cannot be read: .*none\.pem/],
  ] as const)
    expect(await starts('admin/main.js', env, 'queue', 'status')).toMatchObject({
      code: 1,
      errors: expect.stringMatching(reason),
    });
});

/** Whether a Redis with the test's certificate answers on this port of loopback. */
function answersOverTls(port: number): Promise<boolean> {
  const ca = readFileSync(certificates.authority);
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, ca, servername: 'localhost' }, () => socket.write('PING\r\n'));
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('data', (data) => end(data.toString().startsWith('+PONG')));
    socket.once('error', () => end(false));
  });
}
