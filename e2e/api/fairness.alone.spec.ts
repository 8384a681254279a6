import { expect, test } from '@playwright/test';
import { differentMessages, flood } from '../testing/flood.js';
import { Stack } from '../testing/stack.js';
import { until } from '../../tools/testkit/until.js';

const BACKLOG = 8_000;
/**
 * Maximum of messages begun before the account's own, most just after the worker's start: 600 to
 * 900 were seen. A limit of time would depend on the machine.
 */
const OVERTAKING_MAX = 2_000;

let stack: Stack;

test.beforeAll(async () => {
  // No receipts come during this test, which does not measure them.
  stack = await Stack.start({ servers: 1, receiptDelayMs: 600_000, logFolder: test.info().outputPath('logs') });
});

test.afterAll(() => stack?.stop());

test("a message reaches the carrier before most of another account's 8,000, which were accepted earlier", async () => {
  const [many, one] = await Promise.all([stack.account(BACKLOG), stack.account(10)]);
  const backlog = await flood(stack.api, differentMessages(BACKLOG, many.apiKey, 'backlog')).done;
  expect(backlog.filter(({ outcome }) => outcome.kind !== 'accepted')).toEqual([]);
  await stack.carrier.misbehave('delay', { delayMs: 100 });
  await stack.startWorker();
  await until('the backlog is on its way', async () => (await stack.carrier.count()) > 200, { timeoutMs: 60_000 });

  const overtaking: number[] = [];
  for (const to of ['+14153000001', '+14153000002', '+14153000003', '+14153000004', '+14153000005']) {
    const sentBefore = await stack.carrier.count();
    const outcome = await stack.api.send({ to, message: 'Not behind them', apikey: one.apiKey });
    expect(outcome.kind).toBe('accepted');
    await until('the message is at the carrier', async () => (await stack.carrier.messages(to)).length > 0, {
      timeoutMs: 60_000,
      everyMs: 20,
    });
    overtaking.push((await stack.carrier.count()) - sentBefore);
  }
  const waiting = BACKLOG - (await stack.carrier.count());

  test
    .info()
    .annotations.push({ type: 'sent before', description: `${overtaking.join(', ')}; ${waiting} still waited` });
  expect(Math.max(...overtaking)).toBeLessThan(OVERTAKING_MAX);
  expect(waiting).toBeGreaterThan(BACKLOG / 2);
});
