import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, type Page } from '@playwright/test';
import type { SendSmsAnswer } from '#contract/send-sms.js';
import { receiverTests } from './testing/receivers.js';
import {
  canRun,
  filledSample,
  interpreters,
  languages,
  runSample,
  writeSample,
  type Language,
} from './testing/samples.js';
import { Stack, type TestAccount } from './testing/stack.js';

const HOST = 'https://pennytext.example';
const API_KEY = 'YOUR_API_KEY';
const MESSAGE_ID = 'YOUR_MESSAGE_ID';

const present = languages.filter(canRun);
const absent = languages.filter((language) => !present.includes(language));

let stack: Stack;
let account: TestAccount;

test.beforeAll(async () => {
  stack = await Stack.start({ servers: 1, receiptDelayMs: 0, logFolder: test.info().outputPath('logs') });
  account = await stack.account(100);
});

test.afterAll(() => stack.stop());

test(`samples whose language is not on this machine, and which are not run: ${absent.join(', ') || 'none'}`, () => {
  expect([...present, ...absent].sort()).toEqual([...languages].sort());
  expect(present).toEqual(expect.arrayContaining(['curl', 'nodejs']));
});

for (const language of present) {
  test(`the ${language} sample sends a message`, async () => {
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

receiverTests();

async function expectSent(printed: string): Promise<void> {
  const [messageId = `no id in ${printed}`] = /SM[0-9a-f]{32}/.exec(printed) ?? [];
  const { to, message } = await stack.api.message(account.apiKey, messageId);
  expect({ to, message }).toEqual({ to: '+12025550142', message: 'Hello from Pennytext' });
}

type Values = readonly (readonly [string, string])[];

async function run(call: string, language: Language, more: Values = []): Promise<string> {
  const { file } = interpreters[language];
  const text = filledSample(call, file, [[HOST, stack.serverUrl], [API_KEY, account.apiKey], ...more]);
  return runSample(language, writeSample(test.info().outputPath('samples', call), file, text));
}

/** Answers what the sample wrote to the console. */
async function runInPage(page: Page, call: string): Promise<string> {
  const text = filledSample(call, 'javascript.js', [
    [HOST, stack.serverUrl],
    [API_KEY, account.apiKey],
  ]);
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
