import { expect, type Locator, type Page } from '@playwright/test';
import { signInNotice } from '#contract/sign-in.js';
import { failingActionTests } from '../testing/failing-actions.js';
import { expectLoginBackTo, Faulty, faults, sessionEnded, type Fault, type PageCall } from '../testing/faults.js';
import { leave, signIn } from '../testing/signed-in.js';
import { test } from '../testing/product.js';
import type { Stack } from '../testing/stack.js';
import { Visitor } from '../testing/visitor.js';
import { WebhookReceiver } from '../testing/webhook-receiver.js';

/**
 * A call is tried again after 1 and 2 s when its fault may pass: the page's clock runs ahead over
 * this time.
 */
const TRIED_AGAIN_MS = 2_000;

let stack: Stack;
let receiver: WebhookReceiver;
let page: Page;
let messageId: string;

test.beforeAll(async ({ browser, product }) => {
  stack = product;
  receiver = await WebhookReceiver.start({ failures: 0, answerAfterMs: 0 });
  ({ page } = await signIn(browser, stack));
  const person = Visitor.of(stack, page.request);
  await person.call('PUT', '/api/dashboard/webhook-url', { webhookUrl: receiver.url });
  await person.call('POST', '/api/dashboard/webhook/test', { type: 'message.received' });
  const apikey = await person.apiKey();
  const sent = await stack.api.send({ to: '+14155552671', message: 'Hello', apikey });
  if (sent.kind !== 'accepted') throw new Error(`The message was not taken in: ${JSON.stringify(sent)}`);
  messageId = sent.answer.message_id;
  await expect.poll(() => receiver.calls.length).toBe(1);
  await expect.poll(async () => (await stack.api.messages(apikey))[0]?.status).toBe('delivered');
  await page.clock.install();
});

test.afterAll(async () => {
  await page?.context().close();
  await receiver?.stop();
});

const main = () => page.getByRole('main');
const press = (within: Locator, name: string) => within.getByRole('button', { name, exact: true }).click();
/** Reads of this path, or of paths below it when it ends with `/`, `?` or `=`. */
const isRead =
  (part: string) =>
  ({ method, url }: PageCall) =>
    method === 'GET' && (/[/?=]$/.test(part) ? url.includes(part) : url.endsWith(part));

interface Reading {
  readonly view: string;
  readonly path: () => string;
  /** Part of the address from which the view reads. */
  readonly call: string;
  /** The notice in place of the data, before the reason. */
  readonly notice: string;
  readonly open?: () => Promise<void>;
}

const dashboard = () => '/dashboard';
const readings: readonly Reading[] = [
  { view: 'Home: totals', path: dashboard, call: '/credits', notice: 'Your credits could not be loaded.' },
  { view: 'Home: chart', path: dashboard, call: '/activity?', notice: 'Your messages could not be counted.' },
  { view: 'Home: figures', path: dashboard, call: '/summary', notice: 'Your figures could not be loaded.' },
  { view: 'Home: replies', path: dashboard, call: '/webhook-url', notice: 'Your webhook URL could not be loaded.' },
  {
    view: 'SMS Sent',
    path: () => '/dashboard/messages',
    call: '/messages/sent?',
    notice: 'Your messages could not be loaded.',
  },
  {
    view: 'SMS Received',
    path: () => '/dashboard/messages?tab=received',
    call: '/messages/received?',
    notice: 'Your messages could not be loaded.',
  },
  {
    view: 'Deliverability',
    path: () => '/dashboard/deliverability',
    call: '/deliverability?',
    notice: 'The figures could not be loaded.',
  },
  {
    view: 'Message',
    path: () => `/dashboard/message?id=${messageId}`,
    call: '/messages/sent/',
    notice: 'The message could not be loaded.',
  },
  {
    view: 'Message: webhooks',
    path: () => `/dashboard/message?id=${messageId}`,
    call: '/webhook/deliveries?message=',
    notice: 'The webhooks could not be loaded.',
  },
  {
    view: 'Conversations',
    path: () => '/dashboard/conversations',
    call: '/conversations?',
    notice: 'Your conversations could not be loaded.',
  },
  {
    view: 'Opt-outs',
    path: () => '/dashboard/opt-outs',
    call: '/optouts?',
    notice: 'The opt-outs could not be loaded.',
  },
  {
    view: 'Conversation',
    path: () => '/dashboard/conversations/+14155552671',
    call: '/conversations/',
    notice: 'The conversation could not be loaded.',
  },
  {
    view: 'Payments',
    path: () => '/dashboard/billing',
    call: '/billing?',
    notice: 'Your billing history could not be loaded.',
  },
  {
    view: 'Credit ledger',
    path: () => '/dashboard/billing?tab=ledger',
    call: '/ledger?',
    notice: 'Your credit ledger could not be loaded.',
  },
  {
    view: 'Spend',
    path: () => '/dashboard/billing?tab=spend',
    call: '/spend?',
    notice: 'Your spend could not be loaded.',
  },
  {
    view: 'API Keys: exposure',
    path: () => '/dashboard/key',
    call: '/exposure',
    notice: 'The figure could not be computed.',
  },
  {
    view: 'Webhook',
    path: () => '/dashboard/webhook',
    call: '/webhook',
    notice: 'Your webhook could not be loaded.',
  },
  {
    view: 'Webhook: deliveries',
    path: () => '/dashboard/webhook',
    call: '/webhook/deliveries?',
    notice: 'Your deliveries could not be loaded.',
  },
  {
    view: 'Webhook: one delivery',
    path: () => '/dashboard/webhook',
    call: '/webhook/deliveries/',
    notice: 'The webhook could not be loaded.',
    open: () => press(main(), 'message.received'),
  },
  {
    view: 'One-time Passwords',
    path: () => '/dashboard/otp',
    call: '/otps?',
    notice: 'Your codes could not be loaded.',
  },
  {
    view: 'One-time Passwords: one code',
    path: () => '/dashboard/otp?code=OT0199d0d07c5a7b1f8e0a4f6f2f9c1b3d',
    call: '/otps/',
    notice: 'The code could not be loaded.',
  },
  {
    view: 'One-time Passwords: conversion',
    path: () => '/dashboard/otp?tab=conversion',
    call: '/otp/conversion?',
    notice: 'The figures could not be loaded.',
  },
  {
    view: 'One-time Passwords: send a code',
    path: () => '/dashboard/otp?tab=send',
    call: '/otp',
    notice: 'The channels could not be loaded.',
  },
  {
    view: 'One-time Passwords: settings',
    path: () => '/dashboard/otp?tab=settings',
    call: '/otp',
    notice: 'Your settings could not be loaded.',
  },
  {
    view: 'API Keys: with limits',
    path: () => '/dashboard/key',
    call: '/keys',
    notice: 'Your keys could not be loaded.',
  },
  { view: 'API Keys', path: () => '/dashboard/key', call: '/key', notice: 'Your API key could not be loaded.' },
  { view: 'Connect', path: () => '/dashboard/connect', call: '/plugs', notice: 'Your plugs could not be loaded.' },
  {
    view: 'Requests',
    path: () => '/dashboard/requests',
    call: '/requests?',
    notice: 'Your requests could not be loaded.',
  },
  { view: 'Account', path: () => '/dashboard/account', call: '/account', notice: 'Your account could not be loaded.' },
  {
    view: 'Account: sessions',
    path: () => '/dashboard/account',
    call: '/sessions',
    notice: 'Your devices could not be loaded.',
  },
];

test.describe('what cannot be read shows why, and is read on another try', () => {
  for (const { view, path, call, notice, open } of readings)
    test(view, async () => {
      const faulty = await Faulty.on(page, isRead(`/api/dashboard${call}`));
      const told = page.getByRole('alert').filter({ hasText: notice });
      const start = async (fault: Fault) => {
        faulty.now = fault;
        await page.goto(`${stack.url}${path()}`);
        await open?.();
      };
      for (const [index, fault] of faults.entries()) {
        if (index === 0) await start(fault);
        else {
          faulty.now = fault;
          await press(told, 'Try again');
        }
        await expectAhead(() => expect(told).toContainText(`${notice} ${fault.words}`, { timeout: 50 }));
      }
      faulty.now = undefined;
      await press(told, 'Try again');
      await expect(told).toHaveCount(0);
      await start(sessionEnded);
      await expectLoginBackTo(page, path());
      await faulty.end();
    });

  test('Send SMS: the price', async () => {
    const faulty = await Faulty.on(page, ({ url }) => url.endsWith('/api/dashboard/quote'));
    const told = main().getByRole('alert').filter({ hasText: 'Couldn’t calculate the price' });
    for (const fault of faults) {
      faulty.now = fault;
      await page.goto(`${stack.url}/dashboard/send`);
      await expectAhead(() =>
        expect(told).toContainText(`Couldn’t calculate the price. ${fault.words}`, { timeout: 50 }),
      );
    }
    faulty.now = undefined;
    await press(told, 'Try again');
    await expect(told).toHaveCount(0);
    faulty.now = sessionEnded;
    await page.getByRole('textbox', { name: 'Message' }).fill('Hello');
    await expectLoginBackTo(page, '/dashboard/send');
    await faulty.end();
  });

  test('the balance and the key above every view', async () => {
    const faulty = await Faulty.on(page, ({ url }) => /\/api\/dashboard\/(credits|key)$/.test(url));
    const header = page.getByRole('banner');
    const told = main().getByRole('alert');
    for (const fault of faults) {
      faulty.now = fault;
      await page.goto(`${stack.url}/dashboard/redeem`);
      await expectAhead(() =>
        expect(told).toContainText(`Parts of this page could not be loaded. ${fault.words}`, { timeout: 50 }),
      );
      for (const what of ['Balance', 'API key']) await expect(header.getByText(`${what} not loaded.`)).toBeVisible();
    }
    faulty.now = undefined;
    await press(told, 'Try again');
    await expect(header.getByText(/^Balance: \d+ credits$/)).toBeVisible();
    await expect(header.getByRole('group', { name: 'API Key' })).toBeVisible();
    await faulty.end();
  });
});

test.describe('while the connection or the server is lost', () => {
  test('each view explains a fault of the server once, with the request id', async () => {
    const isMeant = ({ url }: PageCall) => url.includes('/api/dashboard/') && !url.endsWith('/session');
    const faulty = await Faulty.on(page, isMeant);
    const [, , fault] = faults;
    faulty.now = fault;
    await page.goto(`${stack.url}/dashboard`);
    const links = page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link');
    await expect(links.first()).toBeVisible();
    for (const link of await links.all()) {
      await link.click();
      await expect(link).toHaveAttribute('aria-current', 'page');
      await expectAhead(async () => {
        await expect(main().getByText('Loading...')).toHaveCount(0, { timeout: 50 });
        const told = main().getByRole('alert').filter({ hasText: /./ });
        await expect(told).toContainText('Request id: 4f0c', { timeout: 50 });
      });
    }
    await faulty.end();
  });

  test('Live is off within 5 s, the views open, and a view whose code is missing shows an error', async ({
    browser,
  }) => {
    const { page: own } = await signIn(browser, stack);
    const isLive = own.getByRole('status').filter({ hasText: /^Live/ });
    const title = own.getByRole('heading', { level: 1 });
    const menu = own.getByRole('navigation', { name: 'Dashboard' });
    const open = (name: string) => menu.getByRole('link', { name, exact: true }).click();
    const loadedAhead = Promise.all(
      ['account-page', 'bulk-page', 'toast-view'].map((name) => own.waitForResponse(new RegExp(`/${name}-.*\\.js`))),
    );
    await own.reload();
    await expect(isLive).toBeVisible();
    await (await loadedAhead)[0]?.finished();
    await own.context().setOffline(true);
    await expect(isLive).toHaveCount(0, { timeout: 5_000 });
    for (const name of ['Account', 'Redeem Code', 'Send in Bulk']) {
      await open(name);
      await expect(title).toHaveText(name);
    }
    // A view without data reports the failure after one try, and loads when the connection is back.
    const tries: string[] = [];
    own.on('requestfailed', (request) => tries.push(new URL(request.url()).pathname));
    await open('Billing History');
    await expect(own.getByText(/Your billing history could not be loaded|could not be reached/).first()).toBeVisible();
    await expect(own.getByRole('table')).toHaveCount(0);
    expect(tries.filter((path) => path === '/api/dashboard/billing')).toHaveLength(1);
    await own.context().setOffline(false);
    await expect(isLive).toBeVisible();
    await expect(own.getByText('No billing history available.')).toBeVisible();

    // Nothing is loaded ahead.
    await own.addInitScript(() => Object.assign(window, { requestIdleCallback: () => 0 }));
    await own.goto(`${stack.url}/dashboard`);
    await expect(isLive).toBeVisible();
    await own.route('**/assets/redeem-page-*.js', (route) => route.abort(), { times: 1 });
    await own.context().setOffline(true);
    await open('Redeem Code');
    await expect(title).toHaveText('This page could not be loaded.');
    await own.getByRole('button', { name: 'Try again' }).click();
    await expect(own.getByText('Pennytext could not be reached.')).toBeVisible();
    await own.context().setOffline(false);
    await expect(title).toHaveText('Redeem Code');

    // The page reloads once by itself, as after a deployment.
    await own.evaluate(() => sessionStorage.clear());
    await own.route('**/assets/otp-page-*.js', (route) => route.abort(), { times: 1 });
    await open('One-time Passwords');
    await expect(title).toHaveText('One-time Passwords');
    await own.route('**/assets/account-page-*.js', (route) => route.abort(), { times: 1 });
    await open('Account');
    await expect(title).toHaveText('This page could not be loaded.');
    await own.getByRole('button', { name: 'Try again' }).click();
    await expect(title).toHaveText('Account');
    await leave(own);
  });
});

test.describe('what cannot be done shows why, and can be done again', () =>
  failingActionTests({ pageOf: () => page, urlOf: () => stack.url }));

test.describe('what a first sign-in could not do', () => {
  test('is shown for the credits until they exist', async () => {
    const said = 'Failed to create credits record: Your free credits will be added at your next visit.';
    const faulty = await Faulty.on(page, isRead('/api/dashboard/credits'));
    faulty.now = faults.at(-1);
    const { cookie: name, path, value } = signInNotice;
    await page.context().addCookies([{ name, value, path, domain: new URL(stack.url).hostname }]);
    await page.goto(`${stack.url}/dashboard`);
    const alert = main().getByRole('alert').filter({ hasText: said });
    const again = page.getByRole('banner').getByRole('button', { name: 'Balance not loaded. Try again' });
    await expectAhead(() => expect(again).toBeVisible({ timeout: 50 }));
    await expect(alert).toBeVisible();
    faulty.now = undefined;
    await again.click();
    await expect(alert).toHaveCount(0);
    await expect(main().getByRole('status').filter({ hasText: 'Your free credits were added.' })).toBeVisible();
    await press(main(), 'Close');
    await expect(main().getByText('free credits were added')).toHaveCount(0);
    await faulty.end();
    await page.reload();
    await expect(page.getByText(/^Welcome, /)).toBeVisible();
    await expect(main().getByText('free credits')).toHaveCount(0);
  });

  test('is shown for a welcome email that could not be sent, until it is queued again', async () => {
    let isFailed = true;
    await page.route('**/api/dashboard/welcome', (route) =>
      route.fulfill({ json: { emailFailed: isFailed, hadFreeCredits: false } }),
    );
    await page.goto(`${stack.url}/dashboard`);
    const alert = main().getByRole('alert').filter({ hasText: 'There was an error sending the email.' });
    await expect(alert).toContainText('There was an error sending the email. Please try again.');
    // A read in the meantime, such as by a stream that opens again, still sees the failure.
    await page.route('**/api/welcomeemail', async (route) => {
      isFailed = false;
      await route.continue();
    });
    await press(alert, 'Try again');
    await expect(main().getByRole('status').filter({ hasText: 'The welcome email is on its way.' })).toBeVisible();
    await expect(alert).toHaveCount(0);
    await page.unroute('**/api/dashboard/welcome');
    await page.unroute('**/api/welcomeemail');
  });

  for (const text of [
    'Call us at 555',
    'There was an error sending the email. Please try again.',
    'Failed to create credits record: Your free credits will be added at your next visit.',
  ])
    test(`is no text of the address: ${text}`, async () => {
      await page.goto(`${stack.url}/dashboard?${new URLSearchParams({ error: text }).toString()}`);
      await expect(page.getByText(/^Welcome, /)).toBeVisible();
      await expect(main().getByRole('alert')).toHaveCount(0);
      await expect(page.getByText(text)).toHaveCount(0);
    });
});

/** Checks the page after it has tried again. */
async function expectAhead(expectation: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await page.clock.fastForward(TRIED_AGAIN_MS);
    await expectation();
  }).toPass({ timeout: 30_000, intervals: [50] });
}
