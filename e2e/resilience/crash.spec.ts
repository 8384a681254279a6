import { expect, test } from '@playwright/test';
import { differentMessages, flood } from '../testing/flood.js';
import { expectEven, settled, stopWithCleanLedger } from '../testing/invariants.js';
import { Stack } from '../testing/stack.js';
import { until } from '../../tools/testkit/until.js';

const SENDS = 1_000;
/** Few sends at once, so that the carrier has some before the last is accepted. */
const AT_ONCE = 25;
/** A killed worker's jobs count as lost after 15 s; their messages settle afterwards. */
const SETTLED_WITHIN_MS = 100_000;

let stack: Stack;

test.describe.configure({ timeout: 300_000 });

test.beforeAll(async () => {
  // Receipts come after the end of a lease, so that messages left open by a crash are settled by
  // asking the carrier.
  stack = await Stack.start({ servers: 2, receiptDelayMs: 7_000, logFolder: test.info().outputPath('logs') });
  await stack.startWorker();
});

test.afterAll(() => stopWithCleanLedger(stack));

test.beforeEach(() => stack.carrier.reset());

const crashes = [
  {
    title: 'the worker',
    crash: async () => {
      await stack.program('worker').crash();
      await stack.startWorker();
    },
  },
  {
    title: 'a server',
    crash: async () => {
      await stack.program('server-1').crash();
      await stack.startServer(1);
    },
  },
  {
    title: 'Redis, with all its data',
    crash: async () => {
      await stack.program('redis').crash();
      await stack.startRedis();
    },
  },
];

for (const { title, crash } of crashes) {
  test(`kill -9 of ${title} amid 1,000 sends loses, doubles and wrongly charges nothing`, async () => {
    const account = await stack.account(SENDS);
    // Calls to the carrier are always in flight, so that the crash interrupts some.
    await stack.carrier.misbehave('delay', { delayMs: 50 });
    const sending = flood(stack.api, differentMessages(SENDS, account.apiKey, title), AT_ONCE);
    await until(
      'messages are being accepted and dispatched',
      async () => sending.answered() > SENDS / 4 && (await stack.carrier.count()) > 50,
      { timeoutMs: 60_000, everyMs: 10 },
    );
    const answeredBefore = sending.answered();
    await crash();
    const sent = await sending.done;

    expect(answeredBefore).toBeLessThan(SENDS);
    expect(sent.filter(({ outcome }) => outcome.kind === 'accepted').length).toBeGreaterThan(SENDS / 2);
    const messages = await settled(stack, account, SETTLED_WITHIN_MS);
    await expectEven(stack, account, sent, messages);
  });
}

test('after SIGTERM a worker finishes the messages that it has handed to the carrier', async () => {
  const account = await stack.account(50);
  // A worker that gets little processor time still has the answers within its time limit of a second.
  await stack.carrier.misbehave('delay', { delayMs: 400 });
  const sent = await flood(stack.api, differentMessages(50, account.apiKey, 'sigterm')).done;
  await until('the carrier has all of them and has answered none', async () => (await stack.carrier.count()) === 50, {
    timeoutMs: 60_000,
    everyMs: 10,
  });
  const ended = await stack.program('worker').stop('SIGTERM');

  // The worker ended by itself or by the signal, not by force or an error.
  expect(ended.code === 0 || ended.signal === 'SIGTERM').toBe(true);
  // Only the worker could have recorded these states: none runs now, and receipts are still to
  // come. On a slow machine the first receipts may have come before the signal.
  const statuses = (await stack.api.messages(account.apiKey)).map(({ status }) => status);
  expect(statuses).toHaveLength(50);
  expect(statuses.filter((status) => status !== 'sent' && status !== 'delivered')).toEqual([]);
  await stack.startWorker();
  await expectEven(stack, account, sent, await settled(stack, account, SETTLED_WITHIN_MS));
});

test('messages whose answers are lost are found at the carrier, not sent again', async () => {
  const account = await stack.account(30);
  await stack.carrier.misbehave('lost-answer', { count: 20 });
  const sent = await flood(stack.api, differentMessages(30, account.apiKey, 'lost')).done;

  await expectEven(stack, account, sent, await settled(stack, account, SETTLED_WITHIN_MS));
});

test('equal messages whose answers are lost are each sent once', async () => {
  const account = await stack.account(8);
  await stack.carrier.misbehave('lost-answer', { count: 4 });
  const same = { to: '+14154000001', message: 'The same to the same', apikey: account.apiKey };
  const sent = await flood(
    stack.api,
    Array.from({ length: 8 }, () => same),
  ).done;

  expect(sent.map(({ outcome }) => outcome.kind)).toEqual(Array.from({ length: 8 }, () => 'accepted'));
  await settled(stack, account, SETTLED_WITHIN_MS);
  expect(await stack.carrier.count()).toBe(8);
});

// BullMQ considers the jobs of a killed worker lost when their lock expires.
test('in the end the queue holds nothing', async () => {
  await until('the queue is empty', async () => (await stack.queued()) === 0, { timeoutMs: 75_000, everyMs: 500 });
});
