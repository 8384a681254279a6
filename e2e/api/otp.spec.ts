import { expect, test } from '@playwright/test';
import { messageIdOf } from '../../tools/testkit/carrier.js';
import { differentMessages, flood } from '../testing/flood.js';
import { Stack } from '../testing/stack.js';
import { until } from '../../tools/testkit/until.js';

const BACKLOG = 3_000;
const TO = '+14153000009';

let stack: Stack;

test.beforeAll(async () => {
  // No receipts come during this test, which does not measure them.
  stack = await Stack.start({ servers: 1, receiptDelayMs: 600_000, logFolder: test.info().outputPath('logs') });
});

test.afterAll(() => stack?.stop());

test('a one-time password overtakes 3,000 messages of the same account, and counts once', async () => {
  const { apiKey: apikey } = await stack.account(BACKLOG + 10);
  const backlog = await flood(stack.api, differentMessages(BACKLOG, apikey, 'backlog')).done;
  expect(backlog.filter(({ outcome }) => outcome.kind !== 'accepted')).toEqual([]);
  await stack.carrier.misbehave('delay', { delayMs: 200 });
  await stack.startWorker();
  await until('the backlog is on its way', async () => (await stack.carrier.count()) > 200, { timeoutMs: 60_000 });

  const answer = await stack.api.sendOtp({ to: TO, apikey, org: 'Pennytext' });
  if (answer.success !== 'true') throw new Error(`The code was refused: ${answer.detail}`);
  const arrived = await until('the code is at the carrier', async () => (await stack.carrier.messages(TO))[0], {
    timeoutMs: 60_000,
    everyMs: 20,
  });
  const waiting = BACKLOG - (await stack.carrier.count());
  test.info().annotations.push({ type: 'still waited', description: `${waiting} of ${BACKLOG}` });
  expect(messageIdOf(arrived)).toBe(answer.message_id);
  expect(waiting).toBeGreaterThan(BACKLOG / 2);

  const [, otp = ''] =
    /^Message from Pennytext\. Your one-time verification code is (\d{6})\.$/.exec(arrived.body) ?? [];
  const shown = await stack.api.message(apikey, answer.message_id);
  expect(shown.message).toBe('Message from Pennytext. Your one-time verification code is ******.');
  expect(await stack.api.verifyOtp({ otp, apikey, to: TO })).toBe('OTP verified');
  expect(await stack.api.verifyOtp({ otp, apikey, to: TO })).toBe('OTP already used');
});
