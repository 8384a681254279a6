import { expect, test } from '@playwright/test';
import { differentMessages, keyed, persistentFlood } from '../testing/flood.js';
import { expectEven, settled, stopWithCleanLedger } from '../testing/invariants.js';
import { Stack } from '../testing/stack.js';
import { unhurried, workerShares } from '../testing/worker-shares.js';
import { until } from '../../tools/testkit/until.js';

const SENDS = 900;
const SETTLED_WITHIN_MS = 120_000;

let stack: Stack;

test.describe.configure({ timeout: 300_000 });

test.beforeAll(async () => {
  const logFolder = test.info().outputPath('logs');
  stack = await Stack.start({ servers: 2, receiptDelayMs: 500, logFolder, env: unhurried });
  await Promise.all([0, 1, 2].map((index) => stack.startWorker(index)));
});

test.afterAll(() => stopWithCleanLedger(stack));

test('two servers and three workers send each of 900 messages once, each worker its share', async () => {
  const account = await stack.account(SENDS);
  await stack.carrier.misbehave('delay', { delayMs: 50 });
  const sent = await persistentFlood(stack.api, keyed(differentMessages(SENDS, account.apiKey, 'shared'))).done;

  expect(sent.filter(({ outcome }) => outcome.kind !== 'accepted')).toEqual([]);
  await expectEven(stack, account, sent, await settled(stack, account, SETTLED_WITHIN_MS));
  const shares = await workerShares(stack);
  test.info().annotations.push({ type: 'shares', description: shares.join(', ') });
  // The sum is lower if the machine stood still during calls, whose outcomes were looked up.
  expect(shares.reduce((sum, share) => sum + share)).toBeLessThanOrEqual(SENDS);
  expect(Math.min(...shares)).toBeGreaterThan(SENDS / 10);
  await until('the queue is empty', async () => (await stack.queued()) === 0, { timeoutMs: 60_000, everyMs: 500 });
});
