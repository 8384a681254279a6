import { expect, test } from '@playwright/test';
import { differentMessages, flood } from '../testing/flood.js';
import { Stack } from '../testing/stack.js';
import { until } from '../../tools/testkit/until.js';

const BACKLOG = 8_000;
const WITHIN_MS = 1_000;

let stack: Stack;

test.beforeAll(async () => {
  // No receipts in this test's time: they are not what it measures.
  stack = await Stack.start({ servers: 1, receiptDelayMs: 600_000, logFolder: test.info().outputPath('logs') });
});

test.afterAll(() => stack?.stop());

test("a message reaches the carrier within a second while 8,000 of another account's wait", async () => {
  const [many, one] = await Promise.all([stack.account(BACKLOG), stack.account(10)]);
  const backlog = await flood(stack.api, differentMessages(BACKLOG, many.apiKey, 'backlog')).done;
  expect(backlog.filter(({ outcome }) => outcome.kind !== 'accepted')).toEqual([]);
  await stack.carrier.misbehave('delay', { delayMs: 100 });
  await stack.startWorker();
  await until('the backlog is on its way', async () => (await stack.carrier.count()) > 200, { timeoutMs: 30_000 });

  const tookMs: number[] = [];
  for (const to of ['+14153000001', '+14153000002', '+14153000003', '+14153000004', '+14153000005']) {
    const outcome = await stack.api.send({ to, message: 'Not behind them', apikey: one.apiKey });
    const acceptedAtMs = Date.now();
    expect(outcome.kind).toBe('accepted');
    const arrived = await until('the message is at the carrier', async () => (await stack.carrier.messages(to))[0], {
      timeoutMs: 30_000,
      everyMs: 20,
    });
    tookMs.push(Date.parse(arrived.at) - acceptedAtMs);
  }
  const waiting = BACKLOG - (await stack.carrier.count());

  test
    .info()
    .annotations.push({ type: 'took', description: `${tookMs.join(', ')} ms; ${waiting} were waiting at the end` });
  expect(Math.max(...tookMs)).toBeLessThan(WITHIN_MS);
  expect(waiting).toBeGreaterThan(BACKLOG / 2);
});
