import { createHash } from 'node:crypto';
import { expect, test } from '@playwright/test';
import type { ReceivedMessagePayload } from '#contract/webhooks.js';
import { until } from '../../tools/testkit/until.js';
import { ask } from '../../tools/testkit/ask.js';
import { Customer } from '../testing/customer.js';
import { stopWithCleanLedger } from '../testing/invariants.js';
import { Stack } from '../testing/stack.js';
import { WebhookReceiver } from '../testing/webhook-receiver.js';

const OURS = '+15005550006';
const PEOPLE = 12;
const FILES_EACH = 3;
/** Each file has its own bytes, enough for the worker to die in the middle of them. */
const FILE_BYTES = 2_000_000;

let stack: Stack;
let receiver: WebhookReceiver;

test.describe.configure({ timeout: 300_000 });

test.beforeAll(async () => {
  receiver = await WebhookReceiver.start({ failures: 0, answerAfterMs: 0 });
  const env = { ALLOW_PRIVATE_WEBHOOKS: 'true', CUSTOM_SIGN_IN_ENABLED: 'true', WEBHOOK_RETRY_SECONDS: '1' };
  stack = await Stack.start({ servers: 1, receiptDelayMs: 100, logFolder: test.info().outputPath('logs'), env });
  await stack.startWorker();
});

test.afterAll(async () => {
  await stopWithCleanLedger(stack);
  await receiver?.stop();
});

test('kill -9 of the worker amid copies loses no file, and serves no half one', async () => {
  const customer = await Customer.signUp(stack.url);
  await stack.admin('credits', 'adjust', customer.email, '100', '--why', 'e2e');
  await customer.call('PUT', '/api/dashboard/webhook-url', { webhookUrl: receiver.url });
  const apikey = await customer.apiKey();
  const people = Array.from({ length: PEOPLE }, (_, n) => `+1628557${String(1_000 + n)}`);
  for (const to of people) await stack.api.send({ to, message: 'Hello', apikey });
  await until('all have it', async () => (await stack.carrier.count()) === PEOPLE, { timeoutMs: 30_000 });
  await stack.vendors.misbehave({ service: 'media', mode: 'delay', delayMs: 300 });
  const digests = new Map<string, string[]>();
  for (const [n, person] of people.entries()) {
    const files = Array.from({ length: FILES_EACH }, (_, m) => Buffer.alloc(FILE_BYTES, `${n} ${m} `));
    digests.set(
      person,
      files.map((bytes) => createHash('sha256').update(bytes).digest('hex')),
    );
    const media = files.map((bytes) => ({ type: 'application/pdf', data: bytes.toString('base64') }));
    expect(await stack.carrier.reply(person, OURS, '', media)).toMatchObject({ status: 200 });
  }
  await stack.program('worker').crash();
  expect(new Set(receiver.ids).size).toBeLessThan(PEOPLE);
  await stack.startWorker();
  await until('all replies have come', () => Promise.resolve(receiver.ids.length === PEOPLE), { timeoutMs: 120_000 });

  const digestOf = async (answer: Response) =>
    createHash('sha256')
      .update(Buffer.from(await answer.arrayBuffer()))
      .digest('hex');
  for (const { body } of receiver.calls) {
    const { Sender: person, Media: media = [] } = JSON.parse(body) as ReceivedMessagePayload;
    const found: string[] = [];
    for (const { Id: id, Url: url, Sha256: sha256 } of media) {
      // On a slow machine a reply goes on after a minute, and some of its files are stored later.
      const file = await until(
        'the file is stored',
        async () => {
          const answer = await fetch(`${stack.url}/api/media/${id}`, {
            headers: { authorization: `Bearer ${apikey}` },
          });
          return answer.ok && answer;
        },
        { timeoutMs: 60_000 },
      );
      found.push(await digestOf(file));
      if (url !== null) expect(await digestOf(await fetch(url))).toBe(sha256);
    }
    expect(found).toEqual(digests.get(person));
  }
  await until(
    'the carrier has deleted its copies',
    async () => {
      const { kept, deleted } = await ask<{ kept: number; deleted: number }>(`${stack.carrier.url}/_control/media`);
      return kept === 0 && deleted === PEOPLE * FILES_EACH;
    },
    { timeoutMs: 60_000 },
  );
});
