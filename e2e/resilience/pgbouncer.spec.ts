import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { Customer } from '../testing/customer.js';
import { createDatabase, query, type RunDatabase } from '../../tools/testkit/postgres.js';
import { differentMessages, keyed, persistentFlood } from '../testing/flood.js';
import { Pgbouncer } from '../testing/pgbouncer.js';
import { expectEven, expectLedgerClean, settled } from '../testing/invariants.js';
import { databaseServer, Stack } from '../testing/stack.js';
import { until } from '../../tools/testkit/until.js';

const SENDS = 600;
/** Less than the pool of a single process. */
const POOL_SIZE = 4;
const HEARD_WITHIN_MS = 60_000;
const SETTLED_WITHIN_MS = 100_000;
const TO = '+14153000009';

const pgbouncersConnections = `SELECT 1 FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'pennytext'`;
const locksKept = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory'
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

let database: RunDatabase;
let pgbouncer: Pgbouncer | undefined;
let stack: Stack | undefined;

test.beforeEach(async () => {
  database = await createDatabase(databaseServer(), 'e2e');
  pgbouncer = await Pgbouncer.start({
    serverUrl: database.url,
    poolSize: POOL_SIZE,
    logFile: join(test.info().outputPath('logs'), 'pgbouncer.log'),
  });
});

test.afterEach(async () => {
  await stack?.stop();
  await pgbouncer?.stop();
  await database.drop();
});

/** Starts the whole product behind pgbouncer, the migrations too. */
async function startBehind(pooler: Pgbouncer, env: Readonly<Record<string, string>> = {}): Promise<Stack> {
  stack = await Stack.start({
    servers: 2,
    receiptDelayMs: 500,
    logFolder: test.info().outputPath('logs'),
    database: { url: pooler.url(databaseName()), drop: () => Promise.resolve() },
    env: { CUSTOM_SIGN_IN_ENABLED: 'true', DATABASE_PREPARED_STATEMENTS: 'false', ...env },
  });
  await stack.startWorker();
  return stack;
}

test('two servers and a worker share four connections of pgbouncer in transaction mode, and nothing is lost', async () => {
  if (!pgbouncer) throw new Error('pgbouncer was not started');
  const product = await startBehind(pgbouncer);
  // The migrations' lock was released with its transaction; periodic jobs hold theirs for
  // moments.
  await expect.poll(() => query(database.url, locksKept)).toEqual([]);
  // The setting is right in each of pgbouncer's sessions: docs/operating.md.
  const pruning = `SELECT (setting = 'on') = (current_setting('server_version_num')::int < 180000) AS right,
      pg_sleep(0.2)
    FROM pg_settings WHERE name = 'enable_partition_pruning'`;
  const through = pgbouncer.url(databaseName());
  const sessions = Array.from({ length: POOL_SIZE }, () => query<{ right: boolean }>(through, pruning));
  for (const { right } of (await Promise.all(sessions)).flat()) expect(right).toBe(true);
  const account = await product.account(SENDS);
  const connections: number[] = [];
  const sending = persistentFlood(product.api, keyed(differentMessages(SENDS, account.apiKey, 'pooled')));
  await until(
    'half of the sends are answered',
    async () => {
      connections.push((await query(database.url, pgbouncersConnections)).length);
      return sending.answered() > SENDS / 2;
    },
    { timeoutMs: 60_000, everyMs: 100 },
  );
  const clients = await pgbouncer.clients(databaseName());
  const sent = await sending.done;

  expect(sent.filter(({ outcome }) => outcome.kind !== 'accepted')).toEqual([]);
  expect(clients).toBeGreaterThan(POOL_SIZE);
  expect(Math.max(...connections)).toBeGreaterThan(0);
  expect(Math.max(...connections)).toBeLessThanOrEqual(POOL_SIZE);
  const customer = await Customer.signUp(product.url);
  await expectHeard(product, customer);
  await expectCodeVerified(product, customer);
  await expectEven(product, account, sent, await settled(product, account, SETTLED_WITHIN_MS));
  await expectLedgerClean(product);
});

test('without Redis, DATABASE_DIRECT_URL leads notifications past pgbouncer, to queues and open pages', async () => {
  if (!pgbouncer) throw new Error('pgbouncer was not started');
  const product = await startBehind(pgbouncer, { QUEUE_BACKEND: 'postgres', DATABASE_DIRECT_URL: database.url });
  await expectHeard(product, await Customer.signUp(product.url));
});

/** Sends one message, and waits until the customer's open page shows that it was delivered. */
async function expectHeard({ api }: Stack, customer: Customer): Promise<void> {
  const page = await customer.watch();
  try {
    await until('the page is live', () => page.lives > 0, { timeoutMs: HEARD_WITHIN_MS });
    const outcome = await api.send({ to: TO, message: 'For an open page', apikey: await customer.apiKey() });
    if (outcome.kind !== 'accepted') throw new Error(`The message was not accepted: ${JSON.stringify(outcome)}`);
    const { message_id: id } = outcome.answer;
    const isDelivered = () => page.messages.some((one) => one.message_id === id && one.status === 'delivered');
    await until('the page receives the delivery', isDelivered, { timeoutMs: HEARD_WITHIN_MS });
  } finally {
    page.close();
  }
}

async function expectCodeVerified({ api, carrier }: Stack, customer: Customer): Promise<void> {
  const apikey = await customer.apiKey();
  const answer = await api.sendOtp({ to: TO, apikey });
  if (answer.success !== 'true') throw new Error(`The code was refused: ${answer.detail}`);
  const otp = await until(
    'the code is at the carrier',
    async () => (await carrier.messages(TO)).map(({ body }) => /code is (\d{6})/.exec(body)?.[1]).find(Boolean),
    { timeoutMs: 60_000 },
  );
  const verified = await Promise.all([api.verifyOtp({ otp, apikey, to: TO }), api.verifyOtp({ otp, apikey, to: TO })]);
  expect(verified.toSorted()).toEqual(['OTP already used', 'OTP verified']);
}

function databaseName(): string {
  return new URL(database.url).pathname.slice(1);
}
