import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, type Page } from '@playwright/test';
import type { BatchMessagesAnswer, SendBulkAnswer } from '#contract/bulk.js';
import type { PriceQuoteAnswer, SendSmsAnswer } from '#contract/messages.js';
import { receiverTests } from '../testing/receivers.js';
import {
  canRun,
  filledSample,
  interpreters,
  languages,
  runSample,
  writeSample,
  type Language,
} from '../testing/samples.js';
import { test } from '../testing/product.js';
import type { Stack, TestAccount } from '../testing/stack.js';
import { until } from '../../tools/testkit/until.js';

const HOST = 'https://pennytext.example';
const API_KEY = 'YOUR_API_KEY';
const TO = '+12025550142';
const MESSAGE_ID = 'YOUR_MESSAGE_ID';

/** Skips the test, visibly, where the language is not installed. */
function needs(language: Language): void {
  test.skip(!canRun(language), `${language} is not on this machine`);
}

let stack: Stack;
let account: TestAccount;

test.beforeAll(async ({ product }) => {
  stack = product;
  account = await stack.account(100);
});

test('curl and Node are on this machine', () => {
  expect(languages.filter(canRun)).toEqual(expect.arrayContaining(['curl', 'nodejs']));
});

for (const language of languages) {
  test(`the ${language} sample sends a message`, async () => {
    needs(language);
    await expectSent(await run('send-sms', language));
  });
}

test('the Javascript sample sends a message from a page of another site', async ({ page }) => {
  await expectSent(await runInPage(page, 'send-sms'));
});

test('the curl samples ask for the balance and for a message', async () => {
  const sent = JSON.parse(await run('send-sms', 'curl')) as SendSmsAnswer;
  const { success, balance, purchased, used } = await stack.api.balance(account.apiKey);
  expect(JSON.parse(await run('balance', 'curl'))).toEqual({ success, balance, purchased, used });
  const message = await run('message-status', 'curl', [[MESSAGE_ID, sent.message_id]]);
  expect(JSON.parse(message)).toMatchObject({ success: 'true', message_id: sent.message_id, to: '+12025550142' });
});

// clients.spec.ts runs the programs that use a client.
for (const language of ['curl', 'nodejs', 'csharp'] as const) {
  test(`the ${language} samples send a code and verify it once`, async () => {
    needs(language);
    await expectCodeWorksOnce(language, (call, more) => run(call, language, more));
  });
}

test('the Javascript samples send a code and verify it once', async ({ page }) => {
  await expectCodeWorksOnce('javascript', (call, more) => runInPage(page, call, more));
});

test('the curl sample sends a bulk, once', async () => {
  const [batchId = 'none'] = /BA[0-9a-f]{32}/.exec(await run('send-bulk', 'curl')) ?? [];
  expect(await run('send-bulk', 'curl')).toContain(batchId);
  const answer = await fetch(`${stack.serverUrl}/api/batches/${batchId}/messages`, {
    headers: { authorization: `Bearer ${account.apiKey}` },
  });
  const { messages } = (await answer.json()) as BatchMessagesAnswer;
  expect(messages.map(({ to, message, reference }) => [to, message, reference])).toEqual([
    ['+12025550143', 'Hi Grace, your order is ready.', 'order-1043'],
    ['+12025550142', 'Hi Ada, your order is ready.', null],
  ]);
});

test('the samples read a batch and cancel it', async () => {
  const answer = await fetch(`${stack.serverUrl}/api/sendbulk`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [{ to: TO, message: 'Later' }], send_at: inAnHour() }),
  });
  const { batch_id: id } = (await answer.json()) as SendBulkAnswer;
  const values: Values = [['YOUR_BATCH_ID', id]];
  expect(JSON.parse(await run('batch-status', 'curl', values))).toMatchObject({ statuses: { scheduled: 1 } });
  expect(JSON.parse(await run('cancel-batch', 'curl', values))).toMatchObject({ canceled: 1, refunded: 1 });
  expect(JSON.parse(await run('cancel-batch', 'curl', values))).toMatchObject({ canceled: 0, refunded: 1 });
});

test('the samples schedule a message, as copied from the page, and cancel it', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${stack.serverUrl}/docs/scheduling`);
  await page.getByRole('button', { name: 'Copy: Curl: Send later' }).click();
  await expect(page.getByRole('alert')).toHaveText('Code copied to clipboard!');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const folder = test.info().outputPath('samples', 'copied');
  const text = copied.replace(API_KEY, account.apiKey);
  const sent = JSON.parse(await runSample('curl', writeSample(folder, 'curl.sh', text))) as SendSmsAnswer;
  expect(sent).toMatchObject({ success: 'true', status: 'scheduled' });
  const aheadMs = Date.parse(sent.send_at ?? '') - Date.now();
  expect(Math.abs(aheadMs - 86_400_000)).toBeLessThan(300_000);
  const canceled = await run('cancel-message', 'curl', [[MESSAGE_ID, sent.message_id]]);
  expect(JSON.parse(canceled)).toMatchObject({ status: 'canceled', refunded: 1 });
});

test('the samples ask for a price, and send for it', async () => {
  const quoted = JSON.parse(await run('quote', 'curl')) as PriceQuoteAnswer;
  expect(quoted).toMatchObject({ success: 'true', credits: 1, unsupported_characters: [] });
  const sent = await run('send-quoted', 'curl', [['YOUR_QUOTE', quoted.quote]]);
  expect(JSON.parse(sent)).toMatchObject({ success: 'true', credits: 1 });
  expect(JSON.parse(await run('send-capped', 'curl'))).toMatchObject({ code: 'price_above_max' });
  expect(JSON.parse(await run('send-smart', 'curl'))).toMatchObject({
    encoding: 'GSM-7',
    message: '"See you at 6..."',
  });
  const first = JSON.parse(await run('send-once', 'curl')) as SendSmsAnswer;
  expect(JSON.parse(await run('send-once', 'curl'))).toMatchObject({
    message_id: first.message_id,
    deduplicated: true,
  });
});

test('the curl samples upload a picture, and send one by its URL', async () => {
  const photo = await sharp({ create: { width: 90, height: 60, channels: 3, background: '#b5651d' } })
    .jpeg()
    .toBuffer();
  const folder = test.info().outputPath('photo');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'table.jpg'), photo);
  expect(await run('upload-media', 'curl', [['table.jpg', join(folder, 'table.jpg')]])).toMatch(/ME[0-9a-f]{32}/);
  const site = createServer((_request, reply) => reply.end(photo));
  await once(site.listen(0, '127.0.0.1'), 'listening');
  try {
    const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/table.jpg`;
    const sent = await run('send-media', 'curl', [['https://example.com/table.jpg', url]]);
    const [messageId = `no id in ${sent}`] = /SM[0-9a-f]{32}/.exec(sent) ?? [];
    expect(await stack.api.message(account.apiKey, messageId)).toMatchObject({
      message: 'Your table by the window',
      kind: 'mms',
      media: [{ type: 'image/jpeg', bytes: photo.length }],
    });
  } finally {
    site.close();
  }
});

test('with a named key the samples keep within its scopes and its budget', async () => {
  const created = await stack.admin('key', 'create', account.email, 'Shop', '--scopes', 'send', '--per-day', '1');
  const { secret } = created as { secret: string };
  expect(JSON.parse(await run('send-sms', 'curl', [], secret))).toMatchObject({ success: 'true' });
  expect(JSON.parse(await run('send-sms', 'curl', [], secret))).toMatchObject({ code: 'key_budget' });
  expect(JSON.parse(await run('balance', 'curl', [], secret))).toMatchObject({ code: 'key_scope' });
});

receiverTests();

function inAnHour(): string {
  return new Date(Date.now() + 3_600_000).toISOString();
}

async function expectSent(printed: string): Promise<void> {
  const [messageId = `no id in ${printed}`] = /SM[0-9a-f]{32}/.exec(printed) ?? [];
  const { to, message } = await stack.api.message(account.apiKey, messageId);
  expect({ to, message }).toEqual({ to: '+12025550142', message: 'Hello from Pennytext' });
}

/** Each language uses another number, as one number gets few codes. */
async function expectCodeWorksOnce(
  language: string,
  runCall: (call: string, more: Values) => Promise<string>,
): Promise<void> {
  const to = `+1202555${String(100 + [...languages, 'javascript'].indexOf(language)).padStart(4, '0')}`;
  expect(await runCall('send-otp', [[TO, to]])).toMatch(/SM[0-9a-f]{32}/);
  const code = await until(
    'the code has reached the carrier',
    async () => /code is (\d{6})\./.exec((await stack.carrier.messages(to))[0]?.body ?? '')?.[1],
    { timeoutMs: 60_000 },
  );
  const values: Values = [
    [TO, to],
    ['123456', code],
  ];
  expect(await runCall('verify-otp', values)).toContain('OTP verified');
  expect(await runCall('verify-otp', values)).toContain('OTP already used');
}

type Values = readonly (readonly [string, string])[];

async function run(
  call: string,
  language: Language,
  more: Values = [],
  apiKey: string = account.apiKey,
): Promise<string> {
  const { file } = interpreters[language];
  const text = filledSample(call, file, [[HOST, stack.serverUrl], [API_KEY, apiKey], ...more]);
  return runSample(language, writeSample(test.info().outputPath('samples', call), file, text));
}

/** Returns the console output of the sample. */
async function runInPage(page: Page, call: string, more: Values = []): Promise<string> {
  const text = filledSample(call, 'javascript.js', [[HOST, stack.serverUrl], [API_KEY, account.apiKey], ...more]);
  const site = createServer((_request, reply) => {
    reply.setHeader('content-type', 'text/html');
    reply.end(`<!doctype html><script>${text}</script>`);
  });
  await once(site.listen(0, '127.0.0.1'), 'listening');
  try {
    const logged = page.waitForEvent('console', (message) => message.type() === 'log');
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    const [argument] = (await logged).args();
    return JSON.stringify(await argument?.jsonValue());
  } finally {
    site.close();
  }
}
