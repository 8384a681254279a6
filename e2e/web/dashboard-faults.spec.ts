import { expect, type Locator, type Page, type Request } from '@playwright/test';
import { failingActionTests } from '../testing/failing-actions.js';
import { expectLoginBackTo, Faulty, faults, sessionEnded, type Fault } from '../testing/faults.js';
import { signIn } from '../testing/signed-in.js';
import { test } from '../testing/product.js';
import type { Stack } from '../testing/stack.js';
import { Visitor } from '../testing/visitor.js';
import { WebhookReceiver } from '../testing/webhook-receiver.js';

/** A call is tried again after 1 and 2 s when it may have been a passing fault: the page's clock runs ahead over that. */
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
  const sent = await stack.api.send({ to: '+14155552671', message: 'Hello', apikey: await person.apiKey() });
  if (sent.kind !== 'accepted') throw new Error(`The message was not taken in: ${JSON.stringify(sent)}`);
  messageId = sent.answer.message_id;
  await expect.poll(() => receiver.calls.length).toBe(1);
  await page.clock.install();
});

test.afterAll(async () => {
  await page?.context().close();
  await receiver?.stop();
});

const main = () => page.getByRole('main');
const press = (within: Locator, name: string) => within.getByRole('button', { name, exact: true }).click();
const isRead = (part: string) => (request: Request) => request.method() === 'GET' && request.url().includes(part);

interface Reading {
  readonly view: string;
  readonly path: () => string;
  /** What is read. */
  readonly call: string;
  /** The notice in its place, before the reason. */
  readonly notice: string;
  readonly open?: () => Promise<void>;
}

const dashboard = () => '/dashboard';
const readings: readonly Reading[] = [
  { view: 'Home: totals', path: dashboard, call: '/credits', notice: 'Your credits could not be loaded.' },
  { view: 'Home: chart', path: dashboard, call: '/activity', notice: 'Your messages could not be counted.' },
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
    view: 'Payments',
    path: () => '/dashboard/billing',
    call: '/billing?',
    notice: 'Your billing history could not be loaded.',
  },
  {
    view: 'Credit ledger',
    path: () => '/dashboard/billing',
    call: '/ledger?',
    notice: 'Your credit ledger could not be loaded.',
    open: () => page.getByRole('tab', { name: 'Credit ledger' }).click(),
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
      const told = main().getByRole('alert').filter({ hasText: notice });
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
    const faulty = await Faulty.on(page, (request) => request.url().endsWith('/api/dashboard/quote'));
    const told = main().getByRole('alert');
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
    const isMeant = ({ url }: { url: string }) => /\/api\/dashboard\/(credits|key)$/.test(url);
    const faulty = await Faulty.on(page, (request) => isMeant({ url: request.url() }));
    const header = page.getByRole('banner');
    for (const fault of faults) {
      faulty.now = fault;
      await page.goto(`${stack.url}/dashboard/redeem`);
      for (const what of ['Balance', 'API key'])
        await expectAhead(() =>
          expect(header.getByRole('button', { name: `${what} not loaded. Try again` })).toBeVisible({ timeout: 50 }),
        );
    }
    faulty.now = undefined;
    for (const what of ['Balance', 'API key']) await press(header, `${what} not loaded. Try again`);
    await expect(header.getByText(/^Balance: \d+ credits$/)).toBeVisible();
    await expect(header.getByRole('group', { name: 'API Key' })).toBeVisible();
    await faulty.end();
  });
});

test.describe('what cannot be done shows why, and can be done again', () =>
  failingActionTests({ pageOf: () => page, urlOf: () => stack.url }));

test.describe('what a first sign-in could not do', () => {
  const arrive = (error: string) => page.goto(`${stack.url}/dashboard?${new URLSearchParams({ error }).toString()}`);

  test('is shown for the credits until they exist', async () => {
    const said = 'Failed to create credits record: Your free credits will be added at your next visit.';
    const faulty = await Faulty.on(page, isRead('/api/dashboard/credits'));
    faulty.now = faults.at(-1);
    await arrive(said);
    const alert = main().getByRole('alert').filter({ hasText: said });
    const again = page.getByRole('banner').getByRole('button', { name: 'Balance not loaded. Try again' });
    await expectAhead(() => expect(again).toBeVisible({ timeout: 50 }));
    await expect(alert).toBeVisible();
    faulty.now = undefined;
    await again.click();
    await expect(alert).toHaveCount(0);
    await expect(main().getByRole('status').filter({ hasText: 'Your free credits were added.' })).toBeVisible();
    await press(main(), 'Close');
    await expect(page).toHaveURL(`${stack.url}/dashboard`);
    await expect(main().getByText('free credits were added')).toHaveCount(0);
    await faulty.end();
  });

  test('is shown for the welcome e-mail until it is queued', async () => {
    await arrive('There was an error sending the email. Please try again.');
    const alert = main().getByRole('alert');
    await expect(alert).toContainText('There was an error sending the email. Please try again.');
    await press(alert, 'Try again');
    await expect(main().getByRole('status').filter({ hasText: 'The welcome e-mail is on its way.' })).toBeVisible();
    await expect(alert).toHaveCount(0);
  });

  test('is no other text of the address', async () => {
    await page.goto(`${stack.url}/dashboard?error=Call+us+at+555`);
    await expect(page.getByText(/^Welcome, /)).toBeVisible();
    await expect(page.getByText('Call us')).toHaveCount(0);
  });
});

/** Waits for what comes when the page has tried again. */
async function expectAhead(expectation: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await page.clock.fastForward(TRIED_AGAIN_MS);
    await expectation();
  }).toPass({ timeout: 30_000, intervals: [50] });
}
