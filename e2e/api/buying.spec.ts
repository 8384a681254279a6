import { randomBytes } from 'node:crypto';
import { expect } from '@playwright/test';
import type { BillingAnswer } from '#contract/billing.js';
import type { RedeemCodeAnswer } from '#contract/credits.js';
import { expectLedgerClean } from '../testing/invariants.js';
import { test } from '../testing/product.js';
import type { Stack } from '../testing/stack.js';
import { Visitor, type VisitedPage } from '../testing/visitor.js';

const GOOD_CARD = '4242 4242 4242 4242';
const DECLINED_CARD = '4000 0000 0000 0002';
const SECURE_CARD = '4000 0027 6000 3184';
const BANK_THAT_PAYS = '000123456789';
const BANK_THAT_FAILS = '000111111113';

let stack: Stack;
let buyer: Visitor;
let email: string;

test.beforeAll(({ product }) => {
  stack = product;
});

test.beforeEach(async () => {
  buyer = await Visitor.to(stack);
  email = `bob-${randomBytes(6).toString('hex')}@example.com`;
  await buyer.signIn({ name: 'Bob', email });
});

test.afterEach(async () => {
  await stack.vendors.misbehave({ service: 'stripe', mode: 'none' });
  await buyer.leave();
  await expectLedgerClean(stack);
});

const balanceBecomes = (credits: number) => expect.poll(() => buyer.balance()).toBe(credits);
const pay = (page: VisitedPage, card: string) => buyer.pay(page, card, email);
const history = async () =>
  ((await (await buyer.call('GET', '/api/dashboard/billing')).json()) as BillingAnswer).records;
const completed = async (sessionId: string) => {
  const [event] = (await stack.vendors.eventsOf(sessionId)).filter(({ type }) => type === 'checkout.session.completed');
  if (event === undefined) throw new Error(`Stripe has no completed event of ${sessionId}`);
  return event;
};

test('the event comes before the browser does: credited once, with a receipt and a line in the history', async () => {
  const { sessionId, page } = await buyer.checkout('basic');
  expect(page.html).toContain('$10.00');
  expect(page.html).toContain(`value="${email}"`);
  const { url } = await pay(page, GOOD_CARD);
  expect(`${url.pathname}${url.search}`).toBe(`/dashboard?transaction=success&credits=250&session_id=${sessionId}`);
  await balanceBecomes(253);
  expect(await buyer.cameBack(sessionId)).toEqual({ status: 'paid', credits: 250 });
  expect(await buyer.balance()).toBe(253);
  expect(await history()).toMatchObject([
    {
      amount: '$10',
      credits: 250,
      method: 'Stripe Payment',
      refunded: null,
      receiptUrl: expect.stringContaining('/checkout/receipts/'),
    },
  ]);
  const subjects = async () => (await stack.vendors.mails(email)).map(({ subject }) => subject).sort();
  await expect.poll(subjects).toEqual(['Welcome to Pennytext', 'Your receipt: 250 credits for $10']);
});

test('the browser comes back before the event: credited at once, and the event changes nothing', async () => {
  await stack.vendors.misbehave({ service: 'stripe', mode: 'no-webhook', count: 1 });
  const { sessionId, page } = await buyer.checkout('starter');
  await pay(page, GOOD_CARD);
  expect(await buyer.balance()).toBe(3);
  expect(await buyer.cameBack(sessionId)).toEqual({ status: 'paid', credits: 50 });
  expect(await buyer.balance()).toBe(53);
  expect(await stack.vendors.resend(await completed(sessionId))).toBe(204);
  expect(await buyer.balance()).toBe(53);
});

test('the event comes twice at the same moment, with the browser, and again later: credited once', async () => {
  await stack.vendors.misbehave({ service: 'stripe', mode: 'duplicate-webhook', count: 1 });
  const { sessionId, page } = await buyer.checkout('pro');
  await pay(page, GOOD_CARD);
  await Promise.all(Array.from({ length: 5 }, () => buyer.cameBack(sessionId)));
  await balanceBecomes(1_003);
  const event = await completed(sessionId);
  for (const status of await Promise.all(Array.from({ length: 5 }, () => stack.vendors.resend(event)))) {
    expect(status).toBe(204);
  }
  expect(await buyer.balance()).toBe(1_003);
  expect(await history()).toHaveLength(1);
});

test('a card that is declined charges and credits nothing; another one then pays', async () => {
  const { sessionId, page } = await buyer.checkout('starter');
  const declined = await pay(page, DECLINED_CARD);
  expect(declined.status).toBe(402);
  expect(declined.html).toContain('Your card was declined. You were not charged.');
  expect(await buyer.cameBack(sessionId)).toEqual({ status: 'pending', credits: 50 });
  expect(await buyer.balance()).toBe(3);
  await pay(declined, GOOD_CARD);
  await balanceBecomes(53);
});

test('3-D Secure: failing it credits nothing, confirming it pays', async () => {
  const { sessionId, page } = await buyer.checkout('enterprise');
  const asked = await pay(page, SECURE_CARD);
  expect(asked.html).toContain('Is this you?');
  expect((await buyer.submit(asked, { act: 'deny' })).html).toContain('We are unable to authenticate');
  expect(await buyer.cameBack(sessionId)).toEqual({ status: 'pending', credits: 2_500 });
  await buyer.submit(await pay(page, SECURE_CARD), { act: 'confirm' });
  await balanceBecomes(2_503);
});

test('a buyer who leaves has bought nothing, and the session ends', async () => {
  const { sessionId, page } = await buyer.checkout('starter');
  const back = /class="back" href="([^"]+)"/.exec(page.html)?.[1];
  expect(back).toBe(`${stack.url}/dashboard?transaction=canceled`);
  expect(await buyer.cameBack(sessionId)).toEqual({ status: 'pending', credits: 50 });
  await stack.vendors.expire(sessionId);
  expect(await buyer.cameBack(sessionId)).toEqual({ status: 'failed', credits: 50 });
  expect(await buyer.balance()).toBe(3);
  expect(await history()).toEqual([]);
});

test('a bank account credits when the bank has paid, and not before', async () => {
  const { sessionId, page } = await buyer.checkout('starter');
  await pay(page, BANK_THAT_PAYS);
  expect(await buyer.cameBack(sessionId)).toEqual({ status: 'pending', credits: 50 });
  expect(await buyer.balance()).toBe(3);
  await balanceBecomes(53);
  expect(await buyer.cameBack(sessionId)).toEqual({ status: 'paid', credits: 50 });
});

test('a bank that does not pay credits nothing', async () => {
  const { sessionId, page } = await buyer.checkout('starter');
  await pay(page, BANK_THAT_FAILS);
  await expect.poll(async () => (await buyer.cameBack(sessionId)).status).toBe('failed');
  expect(await buyer.balance()).toBe(3);
});

test('a refund takes its share of the credits back, however often its event comes', async () => {
  const { sessionId, page } = await buyer.checkout('basic');
  await pay(page, GOOD_CARD);
  await balanceBecomes(253);
  const charge = await stack.vendors.chargeOf(sessionId);
  await stack.vendors.refund(charge, 400);
  await balanceBecomes(153);
  await stack.vendors.refund(charge);
  await balanceBecomes(3);
  const events = await stack.vendors.eventsOf(charge);
  expect(events.map(({ type }) => type)).toEqual(['charge.refunded', 'charge.refunded', 'charge.succeeded']);
  for (const event of events) expect(await stack.vendors.resend(event)).toBe(204);
  expect(await buyer.balance()).toBe(3);
  expect(await history()).toMatchObject([{ amount: '$10', refunded: '$10' }]);
});

test('a dispute flags the account for the operator', async () => {
  const { sessionId, page } = await buyer.checkout('starter');
  await pay(page, GOOD_CARD);
  await balanceBecomes(53);
  await stack.vendors.dispute(await stack.vendors.chargeOf(sessionId), 'fraudulent');
  const flag = async () =>
    ((await stack.admin('account', 'show', email)) as { flaggedReason: string | null }).flaggedReason;
  await expect.poll(flag).toBe(`Payment ${sessionId} is disputed: fraudulent.`);
});

test('Stripe fails while a checkout is opened: tried again, and bought once', async () => {
  await stack.vendors.misbehave({ service: 'stripe', mode: 'lost-answer', count: 1 });
  const { page } = await buyer.checkout('starter');
  await pay(page, GOOD_CARD);
  await balanceBecomes(53);
});

test('an operator’s code gives its credits once to one account', async () => {
  const { code } = (await stack.admin('code', 'create', '--credits', '25')) as { code: string };
  const redeem = async () => {
    const answer = await buyer.call('POST', '/api/redeemcode', { code });
    return [answer.status(), ((await answer.json()) as RedeemCodeAnswer).message];
  };
  expect(await redeem()).toEqual([200, '25 credits were added to your account.']);
  expect(await redeem()).toEqual([409, 'You have already redeemed this code.']);
  expect(await buyer.balance()).toBe(28);
});
