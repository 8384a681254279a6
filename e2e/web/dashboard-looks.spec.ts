import { expect, type Locator, type Page } from '@playwright/test';
import { takeScreenshots } from '../testing/screenshots.js';
import { hydrated, signIn } from '../testing/signed-in.js';
import { test } from '../testing/product.js';
import type { Stack } from '../testing/stack.js';
import { expectAccessibleInBothSchemes, expectGoodView, popupOf } from '../testing/view-checks.js';
import { Visitor } from '../testing/visitor.js';
import { WebhookReceiver } from '../testing/webhook-receiver.js';

const OURS = '+15005550006';
const LONG = 'Your parcel arrives today between 2 and 4 pm. Reply STOP to opt out.';
const RTL = 'שלום עולם, זו הודעה ארוכה מאוד באמת';
const GOOD_CARD = '4242 4242 4242 4242';

let stack: Stack;
let receiver: WebhookReceiver;
let page: Page;
let messageId: string;
let pendingSessionId: string;

test.beforeAll(async ({ browser, product }) => {
  stack = product;
  receiver = await WebhookReceiver.start({ failures: 0, answerAfterMs: 0 });
  const person = await signIn(browser, stack, { name: 'Wilhelmina Featherstonehaugh-Montgomery' });
  page = person.page;
  const visitor = Visitor.of(stack, page.request);
  const apikey = await visitor.apiKey();
  await visitor.call('PUT', '/api/dashboard/webhook-url', { webhookUrl: receiver.url });
  await visitor.call('PUT', '/api/dashboard/webhook/events', { events: ['message.delivered'], lowCredits: 100 });
  for (const pack of ['starter', 'enterprise']) {
    const { sessionId, page: checkout } = await visitor.checkout(pack);
    await visitor.pay(checkout, GOOD_CARD, person.email);
    await visitor.cameBack(sessionId);
  }
  for (const plug of ['supabase', 'zitadel', 'otp'])
    await visitor.call('POST', '/api/dashboard/plugs', {
      name: `Login of ${person.name}`,
      product: plug,
      org: person.name,
    });
  pendingSessionId = (await visitor.checkout('pro')).sessionId;
  await stack.carrier.misbehave('undelivered', { count: 2 });
  const texts = [LONG, RTL, 'Hello', `${LONG} ${LONG} ${LONG}`];
  const ids: string[] = [];
  for (let n = 0; n < 14; n += 1) {
    const message = texts[n % texts.length] ?? LONG;
    const sent = await stack.api.send({ to: n === 3 ? '+4915123456789' : `+1415555013${n % 10}`, message, apikey });
    if (sent.kind !== 'accepted') throw new Error(`A message was not taken in: ${JSON.stringify(sent)}`);
    ids.push(sent.answer.message_id);
  }
  messageId = ids[4] ?? '';
  const isOver = async () =>
    (await (await visitor.call('GET', `/api/dashboard/messages/sent/${messageId}`)).text()).includes('"delivered"');
  await expect.poll(isOver).toBe(true);
  await stack.carrier.reply('+14155550130', OURS, LONG);
  await stack.carrier.reply('+14155550130', OURS, 'Thanks');
  await expect.poll(() => receiver.ids.length).toBeGreaterThan(2);
});

test.afterAll(async () => {
  await page?.context().close();
  await receiver?.stop();
});

/** Opens a view, unless it is shown. */
const go = async (path: string) => {
  if (page.url() !== `${stack.url}${path}`) await page.goto(`${stack.url}${path}`);
};
const button = (name: string) => page.getByRole('main').getByRole('button', { name, exact: true });

test.describe('filled, a view is whole in light and in dark and on the narrowest phone', () => {
  for (const [name, path, shown] of [
    ['home', () => '/dashboard', 'Messages by day'],
    ['send', () => '/dashboard/send', 'Send with'],
    ['messages', () => '/dashboard/messages', '14 messages'],
    ['received', () => '/dashboard/messages?tab=received', '2 messages'],
    ['conversations', () => '/dashboard/conversations?tab=all', '11 conversations.'],
    ['conversation', () => '/dashboard/conversations/+14155550130', 'Thanks'],
    ['message', () => `/dashboard/message?id=${messageId}`, 'Ledger entries'],
    ['billing', () => '/dashboard/billing', 'Stripe Payment'],
    ['ledger', () => '/dashboard/billing', 'Stripe Payment'],
    ['purchase', () => '/dashboard/purchase', 'Supported Regions'],
    ['redeem', () => '/dashboard/redeem', 'Redeem'],
    ['webhook', () => '/dashboard/webhook', 'Deliveries'],
    ['webhook-settings', () => '/dashboard/webhook?tab=settings', 'Signing secret'],
    ['key', () => '/dashboard/key', 'Your test key'],
    ['connect', () => '/dashboard/connect', 'Waiting for the first call'],
    ['account', () => '/dashboard/account', 'This device'],
  ] as const)
    test(name, async () => {
      await go(path());
      await expect(page.getByRole('main').getByText(shown).first()).toBeVisible();
      if (name === 'ledger') await page.getByRole('tab', { name: 'Credit ledger' }).click();
      if (name === 'send') {
        await page.getByLabel('To', { exact: true }).fill('+14155552671');
        await page.getByRole('textbox', { name: 'Message' }).fill(`${LONG} ✓`);
        await expect(page.getByText('Unicode because of')).toBeVisible();
      }
      await expect(page.getByText('Loading...')).toHaveCount(0);
      await takeScreenshots(page, `dashboard-${name}`);
      await expectGoodView(page);
    });
});

interface Popup {
  readonly name: string;
  readonly path: () => string;
  readonly width?: number;
  /** Control that opens the popup and has the focus afterwards; absent: the page opens it. */
  readonly opener?: () => Locator;
}

const popups: readonly Popup[] = [
  { name: 'another key', path: () => '/dashboard/key', opener: () => button('Replace key…') },
  { name: 'a named key', path: () => '/dashboard/key', opener: () => button('Create key') },
  { name: 'a product', path: () => '/dashboard/connect', opener: () => button('Connect a product') },
  { name: 'another secret', path: () => '/dashboard/webhook?tab=settings', opener: () => button('Rotate secret') },
  { name: 'resending webhooks', path: () => '/dashboard/webhook', opener: () => button('Resend…') },
  {
    name: 'a delivery',
    path: () => '/dashboard/webhook',
    opener: () => button('message.received').first(),
  },
  {
    name: 'a delivery about a message',
    path: () => `/dashboard/message?id=${messageId}`,
    opener: () => button('message.delivered').first(),
  },
  {
    name: 'a long text that was sent',
    path: () => '/dashboard/messages',
    opener: () => button('+ whole message').first(),
  },
  {
    name: 'a reply',
    path: () => '/dashboard/messages?tab=received',
    opener: () => button('+ whole message').first(),
  },
  {
    name: 'the menu of a phone',
    path: () => '/dashboard',
    width: 390,
    opener: () => page.getByRole('button', { name: 'Menu', exact: true }),
  },
  {
    name: 'the commands',
    path: () => '/dashboard',
    opener: () => page.getByRole('button', { name: 'Search', exact: true }),
  },
  { name: 'a purchase that failed', path: () => '/dashboard?transaction=failed' },
  {
    name: 'a purchase on its way',
    path: () => `/dashboard?transaction=success&credits=1000&session_id=${pendingSessionId}`,
  },
];

test.describe('a popup takes the focus, is whole in light and in dark, and gives the focus back on Escape', () => {
  for (const { name, path, width = 1280, opener } of popups)
    test(name, async () => {
      await page.setViewportSize({ width, height: 844 });
      await go(path());
      if (opener) {
        // A pressed key does not wait for its target.
        await hydrated(page);
        await expect(opener()).toBeEnabled();
        await opener().press('Enter');
      }
      const popup = popupOf(page);
      await expect(popup).toBeVisible();
      await expect(popup.getByText('Loading...')).toHaveCount(0);
      await expect.poll(() => popup.evaluate((element) => element.contains(document.activeElement))).toBe(true);
      // The phone's menu closes at a desk's width.
      const widths = width === 1280 ? undefined : ([width, width] as const);
      await expectAccessibleInBothSchemes(page, '[role=dialog], [role=alertdialog]', widths);
      // A desk's width has no phone menu.
      if (width === 1280) await takeScreenshots(page, `dashboard-popup-${name.replaceAll(' ', '-')}`);
      await page.keyboard.press('Escape');
      await expect(popup).toHaveCount(0);
      if (opener) await expect(opener()).toBeFocused();
    });
});

test.describe('on a phone', () => {
  test.beforeAll(() => page.setViewportSize({ width: 390, height: 844 }));
  test.afterAll(() => page.setViewportSize({ width: 1280, height: 844 }));

  for (const [table, path] of [
    ['Deliveries', () => '/dashboard/webhook'],
    ['Credit ledger', () => '/dashboard/billing'],
    ['Ledger entries', () => `/dashboard/message?id=${messageId}`],
    ['States', () => `/dashboard/messages/${messageId}/record`],
    ['SMS Sent', () => '/dashboard/messages'],
  ] as const)
    test(`a row of the table ${table} has lines, not a list of names and values`, async () => {
      await go(path());
      if (table === 'Credit ledger') await page.getByRole('tab', { name: table }).click();
      const rows = page.getByRole('table', { name: table }).locator('tbody tr');
      await expect(rows.first().locator('time').first()).toBeVisible();
      const places = await rows
        .first()
        .evaluate((row) =>
          [...row.children].filter((cell) => cell.checkVisibility()).map((cell) => cell.getAttribute('data-phone')),
        );
      expect(places).toContain('title');
      expect(places).not.toContain(null);
    });
});

test.describe('a message about an action', () => {
  for (const block of ['start', 'end'] as const)
    test(`stands at the foot of the window, clear of the control that caused it at the ${block}`, async () => {
      // A reload ends the message of another test.
      await page.goto(`${stack.url}/dashboard`);
      await hydrated(page);
      const update = button('Update');
      await update.evaluate((element, place) => element.scrollIntoView({ block: place }), block);
      await update.click();
      const toast = page.getByRole('alert').filter({ hasText: 'Webhook URL updated successfully!' });
      await expect(toast).toBeVisible();
      const [shown, cause] = await Promise.all([toast.boundingBox(), update.boundingBox()]);
      if (!shown || !cause) throw new Error('one of them is not shown');
      expect(shown.y > cause.y + cause.height || shown.y + shown.height < cause.y).toBe(true);
      // Notices have one place: the foot of the window.
      expect(shown.y).toBeGreaterThan((page.viewportSize()?.height ?? 0) / 2);
    });
});
