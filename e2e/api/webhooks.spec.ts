import { expect, test } from '@playwright/test';
import type { WebhookAnswer, WebhookDeliveriesAnswer } from '#contract/webhooks.js';
import { Customer } from '../testing/customer.js';
import { Stack } from '../testing/stack.js';
import { until } from '../../tools/testkit/until.js';
import { WebhookReceiver } from '../testing/webhook-receiver.js';

const MESSAGES = 5;
const FAILURES = 9;
/**
 * A killed worker's claims are taken over when their lease of 30 s is over, and there are two
 * kills.
 */
const SETTLED_WITHIN_MS = 150_000;

let stack: Stack;
let receiver: WebhookReceiver;

test.describe.configure({ timeout: 420_000 });

test.beforeAll(async () => {
  stack = await Stack.start({
    servers: 1,
    receiptDelayMs: 500,
    logFolder: test.info().outputPath('logs'),
    env: {
      ALLOW_PRIVATE_WEBHOOKS: 'true',
      CUSTOM_SIGN_IN_ENABLED: 'true',
      WEBHOOK_RETRY_SECONDS: Array.from({ length: FAILURES }, () => 1).join(','),
    },
  });
  receiver = await WebhookReceiver.start({ failures: FAILURES, answerAfterMs: 150 });
  await stack.startWorker();
});

test.afterAll(async () => {
  await stack.stop();
  await receiver.stop();
});

test('nine failures, a worker and a Redis killed between them: each webhook arrives, with one id', async () => {
  const customer = await Customer.signUp(stack.url);
  await stack.admin('credits', 'adjust', customer.email, '100', '--why', 'e2e');
  await customer.call('PUT', '/api/dashboard/webhook-url', { webhookUrl: receiver.url });
  const { secret } = await customer.call<WebhookAnswer>('PUT', '/api/dashboard/webhook/events', {
    events: ['message.delivered'],
  });
  const apikey = await customer.apiKey();
  // A subscription is known everywhere within two seconds: the first messages may come before.
  await until(
    'the first webhook comes',
    async () => {
      await stack.api.send({ to: '+14155550100', message: 'first', apikey });
      return receiver.calls.length > 0;
    },
    { timeoutMs: 60_000, everyMs: 500 },
  );
  const attempts = (count: number) => () => receiver.ids.some((id) => receiver.callsOf(id).length >= count);
  for (let n = 0; n < MESSAGES; n += 1)
    await stack.api.send({ to: `+1415555010${n}`, message: `webhook ${n}`, apikey });

  await until('attempts are made', attempts(2), { timeoutMs: 60_000 });
  await stack.program('worker').crash();
  await stack.startWorker();
  await until('attempts go on', attempts(4), { timeoutMs: 60_000 });
  await stack.program('redis').crash();
  await stack.startRedis();
  await until('attempts go on', attempts(6), { timeoutMs: 60_000 });
  await Promise.all([stack.program('worker').crash(), stack.program('redis').crash()]);
  await stack.startRedis();
  await stack.startWorker();

  const deliveries = await until(
    'every webhook has arrived',
    async () => {
      const answer = await customer.call<WebhookDeliveriesAnswer>('GET', '/api/dashboard/webhook/deliveries');
      const isDone = answer.deliveries.every(({ status }) => status === 'delivered');
      return isDone && answer.deliveries.length >= MESSAGES && answer.deliveries;
    },
    { timeoutMs: SETTLED_WITHIN_MS, everyMs: 500 },
  );
  expect(deliveries.map(({ id }) => id).toSorted()).toEqual(receiver.ids.toSorted());
  const messages = new Set<string>();
  for (const id of receiver.ids) {
    const calls = receiver.callsOf(id);
    expect(calls.filter(({ status }) => status === 500)).toHaveLength(FAILURES);
    expect(calls.at(-1)?.status).toBe(200);
    expect(new Set(calls.map(({ body }) => body)).size).toBe(1);
    messages.add((JSON.parse(calls[0]?.body ?? '') as { data: { message_id: string } }).data.message_id);
  }
  expect(messages.size).toBe(receiver.ids.length);
  receiver.verifyAll(secret);
});
