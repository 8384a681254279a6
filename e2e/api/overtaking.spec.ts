import { expect, test } from '@playwright/test';
import { messageIdOf } from '../../tools/testkit/carrier.js';
import { differentMessages, flood } from '../testing/flood.js';
import { Stack } from '../testing/stack.js';
import { until } from '../../tools/testkit/until.js';

const BACKLOG = 2_000;
/** Most of the messages that one more message waits for. A limit of time would depend on the machine. */
const OVERTAKING_MAX = BACKLOG / 4;
const WITHIN = { timeoutMs: 60_000, everyMs: 20 };

let stack: Stack;
let many: string;

// The tests use one backlog, in this order.
test.describe.configure({ mode: 'serial' });

test.beforeAll(async () => {
  // No receipts come during these tests, which do not measure them. At most 100 messages a second leave.
  stack = await Stack.start({
    servers: 1,
    receiptDelayMs: 600_000,
    logFolder: test.info().outputPath('logs'),
    env: { WORKER_CONCURRENCY: '20' },
  });
  many = (await stack.account(BACKLOG + 10)).apiKey;
  const backlog = await flood(stack.api, differentMessages(BACKLOG, many, 'backlog')).done;
  expect(backlog.filter(({ outcome }) => outcome.kind !== 'accepted')).toEqual([]);
  await stack.carrier.misbehave('delay', { delayMs: 200 });
  await stack.startWorker();
  await until('the backlog is on its way', async () => (await stack.carrier.count()) > 50, WITHIN);
});

test.afterAll(() => stack?.stop());

test("a message reaches the carrier before most of another account's 2,000, which were accepted earlier", async () => {
  const { apiKey: apikey } = await stack.account(10);
  const overtaking: number[] = [];
  for (const to of ['+14153000001', '+14153000002', '+14153000003']) {
    const sentBefore = await stack.carrier.count();
    const outcome = await stack.api.send({ to, message: 'Not behind them', apikey });
    expect(outcome.kind).toBe('accepted');
    await until('it is at the carrier', async () => (await stack.carrier.messages(to)).length > 0, WITHIN);
    overtaking.push((await stack.carrier.count()) - sentBefore);
  }
  const waiting = BACKLOG - (await stack.carrier.count());
  const description = `${overtaking.join(', ')}; ${waiting} still waited`;
  test.info().annotations.push({ type: 'sent before', description });
  expect(Math.max(...overtaking)).toBeLessThan(OVERTAKING_MAX);
  expect(waiting).toBeGreaterThan(BACKLOG / 2);
});

test('a one-time password overtakes the messages of the same account, and counts once', async () => {
  const to = '+14153000009';
  const waitingBefore = BACKLOG - (await stack.carrier.count());
  const answer = await stack.api.sendOtp({ to, apikey: many, org: 'Pennytext' });
  if (answer.success !== 'true') throw new Error(`The code was refused: ${answer.detail}`);
  const arrived = await until('the code is at the carrier', async () => (await stack.carrier.messages(to))[0], WITHIN);
  const waiting = BACKLOG - (await stack.carrier.count());
  test.info().annotations.push({ type: 'still waited', description: `${waiting} of ${BACKLOG}` });
  expect(messageIdOf(arrived)).toBe(answer.message_id);
  expect(waitingBefore - waiting).toBeLessThan(OVERTAKING_MAX);
  expect(waiting).toBeGreaterThan(BACKLOG / 4);

  const [, otp = ''] =
    /^Message from Pennytext\. Your one-time verification code is (\d{6})\.$/.exec(arrived.body) ?? [];
  const shown = await stack.api.message(many, answer.message_id);
  expect(shown.message).toBe('Message from Pennytext. Your one-time verification code is ******.');
  expect(await stack.api.verifyOtp({ otp, apikey: many, to })).toBe('OTP verified');
  expect(await stack.api.verifyOtp({ otp, apikey: many, to })).toBe('OTP already used');
});
