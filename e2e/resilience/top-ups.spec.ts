import { expect, test } from '@playwright/test';
import type { CardSetupAnswer, TopUpAnswer, TopUpsAnswer } from '#contract/billing.js';
import { until } from '../../tools/testkit/until.js';
import { Customer } from '../testing/customer.js';
import { stopWithCleanLedger } from '../testing/invariants.js';
import { Stack } from '../testing/stack.js';

const FREE_CREDITS = 3;
const PACK = { enabled: true, threshold: 50, pack: 'basic', perMonthMax: 3 };
const PACK_CREDITS = 250;
const SETTLED_WITHIN_MS = 60_000;

let stack: Stack;

test.describe.configure({ timeout: 300_000 });

test.beforeAll(async () => {
  stack = await Stack.start({
    servers: 1,
    receiptDelayMs: 500,
    logFolder: test.info().outputPath('logs'),
    env: { CUSTOM_SIGN_IN_ENABLED: 'true' },
  });
});

test.afterAll(() => stopWithCleanLedger(stack));

test('kill -9 of the worker after it has charged a saved card, before it has the answer: charged once, credited once', async () => {
  const customer = await Customer.signUp(stack.url);
  const apikey = await customer.apiKey();
  const { url } = await customer.call<CardSetupAnswer>('POST', '/api/dashboard/top-up/card');
  const session = new URL(url).pathname.split('/').at(-1) ?? '';
  expect(await stack.vendors.pay(session)).toBe(true);
  await customer.call<TopUpAnswer>('POST', `/api/dashboard/top-up/card/${session}`);
  await customer.call<TopUpAnswer>('PUT', '/api/dashboard/top-up', PACK);

  // Nothing but the worker's own look at Stripe can find the charge: its answer is lost, and its
  // event meets no server.
  await stack.program('server-0').stop();
  await stack.vendors.misbehave({ service: 'stripe', mode: 'lost-answer' });
  await stack.startWorker();
  // Calls of Stripe's API would lose their answers too.
  const paid = async () => (await stack.vendors.events()).filter(({ type }) => type === 'payment_intent.succeeded');
  const isPaid = async () => (await paid()).length > 0;
  await until('the card is charged', isPaid, { timeoutMs: SETTLED_WITHIN_MS, everyMs: 20 });
  await stack.program('worker').crash();
  await stack.vendors.misbehave({ service: 'stripe', mode: 'none' });
  // The lease of the killed worker is over.
  await stack.sql('UPDATE top_ups SET due_at = now() WHERE finished_at IS NULL', []);
  await stack.startWorker();
  await stack.startServer(0);

  const attempts = () => customer.call<TopUpsAnswer>('GET', '/api/dashboard/top-up/attempts?page=1');
  const statuses = async () => (await attempts()).topUps.map(({ status }) => status);
  await expect.poll(statuses, { timeout: SETTLED_WITHIN_MS }).toEqual(['paid']);
  const charged = await stack.vendors.cardPayments();
  expect(charged.map(({ status }) => status)).toEqual(['succeeded']);
  // The event comes late, as when Stripe tries again: nothing is credited twice.
  for (const event of await paid()) expect(await stack.vendors.resend(event)).toBe(204);
  expect((await stack.api.balance(apikey)).balance).toBe(FREE_CREDITS + PACK_CREDITS);
  expect(await statuses()).toEqual(['paid']);
});
