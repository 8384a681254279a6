import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, type Page } from '@playwright/test';
import { Complaints } from '../testing/complaints.js';
import { leave, signIn } from '../testing/signed-in.js';
import { test } from '../testing/product.js';
import type { Stack } from '../testing/stack.js';
import { expectAccessibleInBothSchemes, expectGoodView, popupOf } from '../testing/view-checks.js';
import { Visitor } from '../testing/visitor.js';
import { WebhookReceiver } from '../testing/webhook-receiver.js';

const OURS = '+15005550006';

let stack: Stack;
let receiver: WebhookReceiver;

test.beforeAll(async ({ product }) => {
  stack = product;
  receiver = await WebhookReceiver.start({ failures: 0, answerAfterMs: 0 });
});

test.afterAll(() => receiver?.stop());

/** A port on which nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const bell = (page: Page) => page.getByRole('banner').getByRole('button', { name: /^Notifications/ });
const entry = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name, exact: true });
const setUrl = async (page: Page, url: string) => {
  await page.getByLabel('Webhook URL to Receive SMS').fill(url);
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page.getByText('Webhook URL updated successfully!')).toBeVisible();
};

test('a failing webhook shows behind the bell, at its entry and on Home, until it works', async ({ browser }) => {
  const { page } = await signIn(browser, stack);
  const complaints = new Complaints(page);
  await expect(bell(page)).toHaveAccessibleName('Notifications');
  await bell(page).press('Enter');
  await expect(popupOf(page)).toContainText('Nothing needs your attention.');
  await page.keyboard.press('Escape');
  await expect(bell(page)).toBeFocused();

  await page.goto(`${stack.url}/dashboard/webhook?tab=settings`);
  await setUrl(page, `http://127.0.0.1:${await closedPort()}/hook`);
  await page.getByRole('button', { name: 'Send test' }).click();
  await expect(popupOf(page).getByText('Failed · connection refused')).toBeVisible();
  await page.keyboard.press('Escape');
  // A failed test is reported where it was sent and raises no alarm.
  await expect(bell(page)).toHaveAccessibleName('Notifications');
  await page.getByRole('tab', { name: 'Deliveries' }).click();
  const row = page.getByRole('table', { name: 'Deliveries' }).getByRole('row').nth(1);
  await expect(row).toContainText('Failed · connection refused');
  await page.goto(`${stack.url}/dashboard`);
  const step = page.getByRole('region', { name: 'First steps' }).getByRole('listitem');
  await expect(step.filter({ hasText: 'Set a webhook URL' })).not.toContainText('Done');

  // A reply is an event that waits.
  const apikey = await Visitor.of(stack, page.request).apiKey();
  const number = '+16285561280';
  expect(await stack.api.send({ to: number, message: 'Hello', apikey })).toMatchObject({ kind: 'accepted' });
  await expect.poll(async () => (await stack.api.messages(apikey)).map(({ status }) => status)).toEqual(['delivered']);
  await stack.carrier.reply(number, OURS, 'Hello');
  await expect(bell(page)).toHaveAccessibleName('Notifications: 1');
  await bell(page).click();
  const item = popupOf(page).getByRole('list', { name: 'Needs your attention' }).getByRole('listitem');
  await expect(item).toContainText('Your webhook is failing: connection refused. 1 webhook waits.');
  await expect(item).toContainText(/Since [A-Z][a-z]{2} \d+, \d+:\d\d [AP]M/);
  await expectAccessibleInBothSchemes(page, '[role=dialog]');
  await item.getByRole('button', { name: /^Dismiss/ }).click();
  await page.keyboard.press('Escape');
  await expect(bell(page)).toHaveAccessibleName('Notifications');
  await page.reload();
  await expect(bell(page)).toHaveAccessibleName('Notifications');
  await bell(page).click();
  await popupOf(page)
    .getByRole('button', { name: /^Show again/ })
    .click();
  await page.keyboard.press('Escape');
  await expect(bell(page)).toHaveAccessibleName('Notifications: 1');

  await page.goto(`${stack.url}/dashboard`);
  await expect(page.getByRole('status').filter({ hasText: 'Your webhook is failing' })).toBeVisible();
  await expect(page.getByText('Receiving is on')).toHaveCount(0);
  await expect(entry(page, 'Webhook')).toHaveAccessibleDescription('Needs attention');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await expect(entry(page, 'Webhook')).toHaveAccessibleDescription('Needs attention');
  await page.keyboard.press('Escape');
  await expectGoodView(page);

  await setUrl(page, receiver.url);
  await expect(bell(page)).toHaveAccessibleName('Notifications');
  await expect(page.getByText('Receiving is on')).toBeVisible();
  expect(complaints.take()).toEqual([]);
  await leave(page);
});

test('at 0 credits Home leads with buying, and a gift ends it while the page is open', async ({ browser }) => {
  const { page, email } = await signIn(browser, stack);
  await stack.admin('credits', 'adjust', email, '-3', '--why', 'e2e');
  const balance = page.locator('dl > div', { hasText: 'Total Credits Balance' });
  await expect(balance.getByRole('link', { name: 'Purchase Credits' })).toBeVisible();
  const lines = page.getByRole('main').getByRole('list', { name: 'Needs your attention' });
  await expect(lines.getByRole('link', { name: 'You have 0 credits: messages are refused' })).toHaveAttribute(
    'href',
    '/dashboard/purchase',
  );
  await expect(entry(page, 'Purchase Credits')).toHaveAccessibleDescription('Needs attention');
  await expectGoodView(page);
  await stack.admin('credits', 'adjust', email, '3', '--why', 'e2e');
  await expect(lines).toHaveCount(0);
  await expect(balance).toHaveAttribute('data-empty', 'false');
  await leave(page);
});

test('notifications that cannot be loaded explain why, and are read again when asked', async ({ browser }) => {
  const { page } = await signIn(browser, stack);
  await page.route('**/api/dashboard/notifications', (route) => route.fulfill({ status: 500, json: {} }));
  await page.reload();
  await bell(page).click();
  await expect(popupOf(page)).toContainText('Your notifications could not be loaded.');
  await page.unroute('**/api/dashboard/notifications');
  await popupOf(page).getByRole('button', { name: 'Try again' }).click();
  await expect(popupOf(page)).toContainText('Nothing needs your attention.');
  await leave(page);
});

test('a button that is pressed before the page’s code has loaded opens its popup then', async ({ browser }) => {
  const { page } = await signIn(browser, stack);
  let load: () => void = () => undefined;
  const isWanted = new Promise<void>((resolve) => (load = resolve));
  await page.route('**/*.js', async (route) => {
    await isWanted;
    await route.continue();
  });
  await page.reload({ waitUntil: 'commit' });
  await bell(page).click();
  await expect(popupOf(page)).toHaveCount(0);
  load();
  await expect(popupOf(page)).toContainText('Nothing needs your attention.');
  await popupOf(page).getByRole('button', { name: 'Close' }).click();
  await expect(popupOf(page)).toHaveCount(0);
  await leave(page);
});
