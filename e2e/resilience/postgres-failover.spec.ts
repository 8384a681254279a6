import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { differentMessages, flood, keyed, persistentFlood } from '../testing/flood.js';
import { Pgbouncer } from '../testing/pgbouncer.js';
import { PostgresPair } from '../testing/postgres-pair.js';
import { expectEven, settled, stopWithCleanLedger } from '../testing/invariants.js';
import { query } from '../../tools/testkit/postgres.js';
import { Stack } from '../testing/stack.js';
import { until } from '../../tools/testkit/until.js';

const SENDS = 1_200;
const DATABASE = 'pennytext';
const POOL_SIZE = 20;
const BACK_WITHIN_MS = 60_000;
const SETTLED_WITHIN_MS = 100_000;

let pair: PostgresPair;
let pgbouncer: Pgbouncer;
let stack: Stack;

test.beforeAll(async () => {
  const logFolder = test.info().outputPath('logs');
  pair = await PostgresPair.start(logFolder);
  await query(pair.primaryUrl, `CREATE DATABASE ${DATABASE}`);
  pgbouncer = await Pgbouncer.start({
    serverUrl: pair.primaryUrl,
    poolSize: POOL_SIZE,
    logFile: join(logFolder, 'pgbouncer.log'),
  });
  stack = await Stack.start({
    servers: 2,
    receiptDelayMs: 1_000,
    logFolder,
    database: { url: pgbouncer.url(DATABASE), drop: () => Promise.resolve() },
    env: { DATABASE_PREPARED_STATEMENTS: 'false' },
  });
  await stack.startWorker();
});

test.afterAll(async () => {
  await stopWithCleanLedger(stack);
  await pgbouncer?.stop();
  await pair?.stop();
});

test('when the primary dies amid 1,200 sends, the standby takes over, and accepted messages exist and are dispatched once', async () => {
  const account = await stack.account(SENDS);
  // Calls to the carrier are always in flight, so that the crash interrupts some.
  await stack.carrier.misbehave('delay', { delayMs: 50 });
  const requests = keyed(differentMessages(SENDS, account.apiKey, 'failover'));
  const [meanwhile, ...amid] = requests;
  if (!meanwhile) throw new Error('The request for the time without a primary is missing');
  const sending = flood(stack.api, amid);
  await until(
    'messages are being accepted and dispatched',
    async () => sending.answered() > SENDS / 4 && (await stack.carrier.count()) > 100,
    { timeoutMs: 60_000, everyMs: 10 },
  );
  const answeredBefore = sending.answered();
  const crashedAtMs = performance.now();
  await pair.crashPrimary();
  await until('the product reports not ready', async () => !(await stack.isReady()), {
    timeoutMs: BACK_WITHIN_MS,
  });
  const without = await stack.api.send(meanwhile);
  const promotedAtMs = performance.now();
  await pair.promoteStandby();
  await pgbouncer.pointAt(pair.standbyUrl);
  await until('the product is ready again', () => stack.isReady(), { timeoutMs: BACK_WITHIN_MS });
  const readyAtMs = performance.now();
  const sent = [...(await sending.done), { request: meanwhile, outcome: without }];
  const messages = await stack.api.messages(account.apiKey);

  const refused = sent.flatMap(({ request, outcome }) => (outcome.kind === 'refused' ? [{ request, outcome }] : []));
  const accepted = sent.flatMap(({ outcome }) => (outcome.kind === 'accepted' ? [outcome.answer.message_id] : []));
  test.info().annotations.push({
    type: 'failover',
    description: [
      `ready ${Math.round(readyAtMs - crashedAtMs)} ms after the crash`,
      `${Math.round(readyAtMs - promotedAtMs)} ms after the promotion began`,
      `${accepted.length} accepted, ${refused.length} refused`,
    ].join('; '),
  });
  expect(answeredBefore).toBeLessThan(SENDS);
  expect(sent.filter(({ outcome }) => outcome.kind === 'unanswered')).toEqual([]);
  expect(without).toMatchObject({ kind: 'refused', answer: { code: 'unavailable' } });
  expect(refused.filter(({ outcome }) => outcome.status !== 503 || !(Number(outcome.retryAfter) > 0))).toEqual([]);
  const kept = new Set(messages.map(({ reference }) => reference));
  const saidUncharged = refused.filter(({ outcome }) => outcome.answer.detail.includes('You were not charged'));
  expect(saidUncharged.filter(({ request }) => kept.has(request.reference ?? ''))).toEqual([]);
  const ids = new Set(messages.map(({ message_id }) => message_id));
  expect(accepted.filter((id) => !ids.has(id))).toEqual([]);

  // Whatever the answer was, the same request with its Idempotency-Key ends as one message.
  const again = await persistentFlood(stack.api, requests).done;
  expect(again.filter(({ outcome }) => outcome.kind !== 'accepted')).toEqual([]);
  const idsAgain = new Set(
    again.flatMap(({ outcome }) => (outcome.kind === 'accepted' ? [outcome.answer.message_id] : [])),
  );
  expect(accepted.filter((id) => !idsAgain.has(id))).toEqual([]);
  const all = await settled(stack, account, SETTLED_WITHIN_MS);
  expect(all).toHaveLength(SENDS);
  await expectEven(stack, account, again, all);
  // Statements that waited for the old primary have released their connections.
  await until('no connection is kept', async () => (await stack.busyConnections()) === 0, {
    timeoutMs: BACK_WITHIN_MS,
    everyMs: 500,
  });
});
