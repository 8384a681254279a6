import { expect, test } from '@playwright/test';
import type { MessageView } from '#contract/messages.js';
import { differentMessages, flood } from '../testing/flood.js';
import { expectEven, settled, stopWithCleanLedger } from '../testing/invariants.js';
import { Stack, type TestAccount } from '../testing/stack.js';

const SETTLED_WITHIN_MS = 100_000;
/** Time after which the carrier is asked for a missing receipt or the outcome of a lost answer. */
const LOOKUP_SECONDS = 3;
const POLLED_WITHIN_MS = 60_000;

let stack: Stack;
let withoutReceipts: TestAccount;

test.describe.configure({ timeout: 240_000 });

test.beforeAll(async () => {
  const env = { CARRIER_LOOKUP_SECONDS: String(LOOKUP_SECONDS) };
  stack = await Stack.start({ servers: 1, receiptDelayMs: 200, logFolder: test.info().outputPath('logs'), env });
  await stack.startWorker();
  // These messages are sent first and read last: their time passes during the other faults.
  withoutReceipts = await stack.account(5);
  await stack.carrier.misbehave('no-callback', { count: 5 });
  const sent = await flood(stack.api, differentMessages(5, withoutReceipts.apiKey, 'no-callback')).done;
  expect(sent.map(({ outcome }) => outcome.kind)).toEqual(Array.from({ length: 5 }, () => 'accepted'));
  await expect.poll(() => stack.carrier.count()).toBe(5);
});

test.afterAll(() => stopWithCleanLedger(stack));

/**
 * Sends ten messages, the first five of which meet a fault at the carrier, and returns their
 * outcomes.
 */
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
  { mode: 'accepted-then-5xx', title: 'that is accepted by the carrier but answered with an error by a gateway' },
  { mode: 'timeout', title: 'that gets no answer' },
  { mode: '429', title: 'that is rate-limited by the carrier' },
  { mode: '500', title: 'that meets a failure of the carrier' },
  { mode: 'duplicate-callback', title: 'whose receipt arrives twice' },
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

/** A code goes by call while text messages wait. */
async function expectCall({ apiKey: apikey }: TestAccount): Promise<void> {
  await stack.admin('region', 'set', 'USA', '--voice', 'on');
  const body = { apikey, to: '+12125550147', channels: [{ channel: 'voice' as const }] };
  await expect(async () => expect(await stack.api.sendOtp(body)).toMatchObject({ success: 'true' })).toPass();
  const called = async () => (await stack.api.messages(apikey)).map(({ status }) => status);
  await expect.poll(called, { timeout: SETTLED_WITHIN_MS }).toEqual(['delivered']);
}

test('messages wait while the carrier refuses our account, and are delivered once it accepts it', async () => {
  const account = await stack.account(10);
  await stack.carrier.misbehave('suspended');
  const sent = await flood(stack.api, differentMessages(10, account.apiKey, 'suspended')).done;
  const pause = async () => ((await stack.admin('queue', 'status', 'dispatch')) as { dispatch: object }).dispatch;
  const carrierPause = { httpStatus: 401, carrierError: 20_003 };
  // Each look starts a program, which takes seconds on a busy machine, and ends with an error when
  // Postgres does not answer it in time.
  await expect(async () => expect(await pause()).toMatchObject({ isPaused: false, carrierPause })).toPass({
    timeout: SETTLED_WITHIN_MS,
  });
  // Now and then one message is handed over to see whether the carrier accepts the account again:
  // it is `sending` for a moment.
  const statuses = async () => (await stack.api.messages(account.apiKey)).map(({ status }) => status);
  await expect.poll(statuses).toEqual(Array.from({ length: 10 }, () => 'queued'));
  await expectCall(await stack.account(10));
  await stack.carrier.misbehave('none');
  const messages = await settled(stack, account, SETTLED_WITHIN_MS);
  expect(messages.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 'delivered'));
  await expectEven(stack, account, sent, messages);
  await expect(async () => expect(await pause()).toMatchObject({ carrierPause: null })).toPass({
    timeout: SETTLED_WITHIN_MS,
  });
});

test('the carrier is asked for a receipt that never arrives', async () => {
  const messages = await settled(stack, withoutReceipts, POLLED_WITHIN_MS);
  expect(messages.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'delivered'));
});

// This test is last, because the sandbox loses its earlier messages.
test('messages wait while the carrier is unavailable and are delivered once when it recovers', async () => {
  const account = await stack.account(10);
  await stack.program('sandbox').stop();
  const sent = await flood(stack.api, differentMessages(10, account.apiKey, 'unavailable')).done;
  await stack.startSandbox();
  const messages = await settled(stack, account, SETTLED_WITHIN_MS);
  expect(messages.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 'delivered'));
  await expectEven(stack, account, sent, messages);
});
