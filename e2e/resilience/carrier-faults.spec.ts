import { expect, test } from '@playwright/test';
import type { MessageView } from '#contract/messages.js';
import { differentMessages, flood } from '../testing/flood.js';
import { expectEven, settled } from '../testing/invariants.js';
import { Stack, type TestAccount } from '../testing/stack.js';

const SETTLED_WITHIN_MS = 45_000;
/** A receipt that does not come is asked for after ten seconds. */
const POLLED_WITHIN_MS = 30_000;

let stack: Stack;
let withoutReceipts: TestAccount;

test.beforeAll(async () => {
  stack = await Stack.start({ servers: 1, receiptDelayMs: 200, logFolder: test.info().outputPath('logs') });
  await stack.startWorker();
  // Sent first and looked at last, as their time passes while the other faults are tried.
  withoutReceipts = await stack.account(5);
  await stack.carrier.misbehave('no-callback', { count: 5 });
  const sent = await flood(stack.api, differentMessages(5, withoutReceipts.apiKey, 'no-callback')).done;
  expect(sent.map(({ outcome }) => outcome.kind)).toEqual(Array.from({ length: 5 }, () => 'accepted'));
  await expect.poll(() => stack.carrier.count()).toBe(5);
});

test.afterAll(() => stack?.stop());

/** What becomes of ten messages of which the carrier meets the first five with a fault. */
async function fate(mode: Parameters<typeof stack.carrier.misbehave>[0]): Promise<MessageView[]> {
  const account = await stack.account(10);
  await stack.carrier.misbehave(mode, { count: 5 });
  const sent = await flood(stack.api, differentMessages(10, account.apiKey, mode)).done;
  const messages = await settled(stack, account, SETTLED_WITHIN_MS);
  await expectEven(stack, account, sent, messages);
  return messages;
}

const faultsThatPass = [
  { mode: 'lost-answer', title: 'whose answer is lost' },
  { mode: 'accepted-then-5xx', title: 'that a gateway answers with an error after the carrier took it' },
  { mode: 'timeout', title: 'that gets no answer' },
  { mode: '429', title: 'that comes too fast for the carrier' },
  { mode: '500', title: 'that meets a failure of the carrier' },
  { mode: 'duplicate-callback', title: 'whose receipt comes twice' },
] as const;

for (const { mode, title } of faultsThatPass) {
  test(`a message ${title} is delivered once and charged once`, async () => {
    const messages = await fate(mode);
    expect(messages.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 'delivered'));
  });
}

test("a message that the carrier refuses fails at once, keeps Twilio's code and is refunded", async () => {
  const failed = (await fate('refuse')).filter(({ status }) => status === 'failed');
  expect(failed).toHaveLength(5);
  // 21612: https://www.twilio.com/docs/api/errors/21612
  for (const message of failed) {
    expect(message).toMatchObject({ error_code: 'carrier_refused', carrier_error: 21_612, refunded: 1 });
  }
});

test("a message that does not reach its phone ends undelivered, keeps Twilio's code and is refunded", async () => {
  const undelivered = (await fate('undelivered')).filter(({ status }) => status === 'undelivered');
  expect(undelivered).toHaveLength(5);
  for (const message of undelivered) {
    expect(message).toMatchObject({ error_code: 'not_delivered', refunded: 1 });
    expect(message.carrier_error).toBeGreaterThan(30_000);
  }
});

test('messages wait while the carrier refuses our account and are delivered once when it accepts it again', async () => {
  const account = await stack.account(10);
  await stack.carrier.misbehave('suspended');
  const sent = await flood(stack.api, differentMessages(10, account.apiKey, 'suspended')).done;
  const pause = async () => ((await stack.admin('queue', 'status', 'dispatch')) as { dispatch: object }).dispatch;
  await expect.poll(pause).toMatchObject({ isPaused: false, carrierPause: { httpStatus: 401, carrierError: 20_003 } });
  const waiting = await stack.api.messages(account.apiKey);
  expect(waiting.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 'queued'));
  await stack.carrier.misbehave('none');
  const messages = await settled(stack, account, SETTLED_WITHIN_MS);
  expect(messages.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 'delivered'));
  await expectEven(stack, account, sent, messages);
  expect(await pause()).toMatchObject({ carrierPause: null });
});

test('a message whose receipt never comes is asked for', async () => {
  const messages = await settled(stack, withoutReceipts, POLLED_WITHIN_MS);
  expect(messages.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'delivered'));
});

// Last, as the sandbox forgets what it carried before.
test('messages wait while the carrier is unavailable and are delivered once when it is back', async () => {
  const account = await stack.account(10);
  await stack.program('sandbox').stop();
  const sent = await flood(stack.api, differentMessages(10, account.apiKey, 'unavailable')).done;
  await stack.startSandbox();
  const messages = await settled(stack, account, SETTLED_WITHIN_MS);
  expect(messages.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 'delivered'));
  await expectEven(stack, account, sent, messages);
});
