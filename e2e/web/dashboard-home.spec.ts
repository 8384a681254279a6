import { gzipSync } from 'node:zlib';
import { expect, type Page } from '@playwright/test';
import { Complaints } from '../testing/complaints.js';
import { HeldCalls } from '../testing/held-calls.js';
import { shifts, watchShifts } from '../testing/layout-shifts.js';
import { plantHistory } from '../testing/planted-history.js';
import { leave, signIn } from '../testing/signed-in.js';
import { test } from '../testing/product.js';
import type { Stack } from '../testing/stack.js';
import { expectAccessible, expectGoodView } from '../testing/view-checks.js';

const PLEASE = 'Please log in to view the dashboard.';
const FIRST_LOAD_BYTES = 200_000;
const MASKED = /^•{8}-•{4}-•{4}-•{4}-•{8}[0-9a-f]{4}$/;
const KEY = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let stack: Stack;

test.beforeAll(({ product }) => {
  stack = product;
});

const apiKey = (page: Page) => page.getByRole('banner').getByRole('group', { name: 'API Key' });
const total = (page: Page, name: string) => page.locator('dl > div', { hasText: name }).locator('dd').first();
const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());
const saysLive = (page: Page) => expect(page.getByRole('status').filter({ hasText: /^Live/ })).toBeVisible();

test('a new account has its welcome and its totals on a phone, and a key that shows and copies on its page', async ({
  browser,
}) => {
  const { page, name } = await signIn(browser, stack, { width: 390 });
  const complaints = new Complaints(page);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await expect(page.getByText(`Welcome, ${name}`)).toBeVisible();
  await expect(total(page, 'Total Credits Purchased')).toHaveText('3');
  await expect(total(page, 'Total Credits Used')).toHaveText('0');
  await expect(total(page, 'Total Credits Balance')).toHaveText('3');
  await expect(page.getByText('Balance: 3 credits')).toBeVisible();

  // A phone's header has no room for the key.
  await expect(apiKey(page)).toBeHidden();
  await page.goto(`${stack.url}/dashboard/key`);
  const group = page.getByRole('main').getByRole('group', { name: 'API Key' });
  const key = group.locator('code');
  const eye = group.getByRole('button', { name: 'Show API Key' });
  await expect(key).toHaveText(MASKED);
  await group.getByRole('button', { name: 'Copy API Key' }).click();
  await expect(page.getByRole('alert')).toHaveText('API Key copied to clipboard!');
  await expect(key).toHaveText(MASKED);
  await eye.click();
  await expect(key).toHaveText(KEY);
  expect(await key.textContent()).toBe(await copied(page));
  await eye.press('Enter');
  await expect(key).toHaveText(MASKED);
  await page.goto(`${stack.url}/dashboard`);
  await page.getByRole('link', { name: 'View Full Documentation' }).click();
  await expect(page).toHaveURL(`${stack.url}/docs`);
  expect(complaints.take()).toEqual([]);
  await leave(page);
});

test('the webhook URL is set, refused with words beside it, and set back to the default', async ({ browser }) => {
  const { page } = await signIn(browser, stack, { width: 390 });
  const field = page.getByLabel('Webhook URL to Receive SMS');
  const update = page.getByRole('button', { name: 'Update' });
  await expect(field).toHaveValue(stack.url);
  await expect(page.getByText('receiving is off')).toBeVisible();

  await field.fill('ftp://example.com/sms');
  await update.click();
  await expect(field).toHaveAccessibleDescription(
    'Please enter a valid webhook URL. A webhook URL begins with https:// or http://.',
  );
  await expect(field).toHaveValue('ftp://example.com/sms');

  await field.fill('https://example.com/sms');
  await field.press('Enter');
  await expect(page.getByRole('alert')).toHaveText('Webhook URL updated successfully!');
  await expect(field).not.toHaveAttribute('aria-invalid');
  await expect(page.getByText('Receiving is on')).toBeVisible();
  await page.reload();
  await expect(field).toHaveValue('https://example.com/sms');

  await field.fill('');
  await update.click();
  await expect(page.getByRole('alert')).toHaveText('Webhook URL updated successfully!');
  await expect(field).toHaveValue(stack.url);
  await expect(page.getByText('receiving is off')).toBeVisible();
  await leave(page);
});

test('a key is replaced after a question, and the old one works as long as was said', async ({ browser }) => {
  const { page } = await signIn(browser, stack);
  await page.goto(`${stack.url}/dashboard/key`);
  const main = page.getByRole('main');
  await main.getByRole('button', { name: 'Show API Key' }).click();
  const old = (await main.getByRole('group', { name: 'API Key' }).locator('code').textContent()) ?? '';
  expect(old).toMatch(KEY);
  await expect(main.getByText('Never')).toBeVisible();
  expect((await stack.api.balance(old)).balance).toBe(3);

  const hours = main.getByLabel('Hours the old key keeps working');
  const replace = main.getByRole('button', { name: 'Replace key…' });
  const dialog = page.getByRole('alertdialog', { name: 'Replace your API key?' });
  await hours.fill('73');
  await replace.click();
  await expect(hours).toHaveAccessibleDescription('Enter whole hours from 0 to 72.');
  await hours.fill('2');
  await replace.click();
  await expect(dialog).toContainText(`The key ending in ${old.slice(-4)} works for 2 hours more`);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(replace).toBeFocused();
  await replace.click();
  await dialog.getByRole('button', { name: 'Replace key' }).click();
  await expect(dialog).toBeHidden();
  const earlier = page.getByRole('region', { name: 'Earlier keys that still work' }).getByRole('row');
  await expect(earlier.nth(1)).toContainText(old.slice(-4));
  await expect(apiKey(page).locator('code')).not.toContainText(old.slice(-4));
  expect((await stack.api.balance(old)).balance).toBe(3);

  await hours.fill('0');
  await replace.click();
  await expect(dialog).toContainText('and every earlier key stops working at once');
  await dialog.getByRole('button', { name: 'Replace key' }).click();
  await expect(page.getByText('None: only the current one works.')).toBeVisible();
  await expect(stack.api.balance(old)).rejects.toThrow('401');
  await leave(page);
});

test('totals and chart follow what happens, and the chart is read by keyboard and as a table', async ({ browser }) => {
  const { page, email } = await signIn(browser, stack);
  const complaints = new Complaints(page);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await expect(page.getByText('No messages in the last 30 days.')).toBeVisible();
  const steps = page.getByRole('region', { name: 'First steps' }).getByRole('listitem');
  await expect(steps.filter({ hasText: 'Done' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Copy: Curl' }).click();
  await expect(page.getByRole('alert')).toHaveText('Code copied to clipboard!');
  const apikey = /apikey='([0-9a-f-]{36})'/.exec(await copied(page))?.[1] ?? '';
  await saysLive(page);

  await stack.admin('credits', 'adjust', email, '12345', '--why', 'a gift');
  await page.reload();
  await expect(steps.filter({ hasText: 'Done' })).toHaveText([/^Buy credits/]);
  await saysLive(page);
  await expect(total(page, 'Total Credits Balance')).toHaveText('12,348');
  await expect(page.getByText('Balance: 12,348 credits')).toBeVisible();

  expect(await stack.api.send({ to: '+14155552671', message: 'Hello', apikey })).toMatchObject({ kind: 'accepted' });
  await expect(total(page, 'Total Credits Used')).toHaveText('1');
  const card = page.getByRole('region', { name: 'Messages by day' }).first();
  await expect(card.getByText('Delivered 1')).toBeVisible();
  // Most steps are done: one line is left.
  await expect(steps).toHaveCount(0);
  const left = page.getByRole('region', { name: 'First steps' });
  await expect(left.getByText('4 of 5 done')).toBeVisible();
  await expect(left.getByRole('link', { name: 'Set a webhook URL for replies' })).toBeVisible();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(steps).toHaveCount(0);
  await page.reload();
  await expect(page.getByText('Delivery rate')).toBeVisible();
  await expect(steps).toHaveCount(0);
  await expect(page.getByText('1 of 1 message in 30 days')).toBeVisible();
  await expect(page.getByText('No failures.')).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'USA' })).toContainText('1 credit');
  await stack.carrier.misbehave('undelivered', { count: 1 });
  expect(await stack.api.send({ to: '+14155552672', message: 'Hello', apikey })).toMatchObject({ kind: 'accepted' });
  await expect(page.getByText('1 of 2 messages in 30 days')).toBeVisible();
  await expect(page.getByRole('link', { name: '1 undelivered' })).toHaveAttribute('href', /status=undelivered&from=/);
  const reason = page.getByRole('list', { name: 'Reasons' }).getByRole('listitem');
  await expect(reason).toHaveText('Phone off or out of reach1');
  await expect(reason.getByRole('link')).toHaveAttribute('href', /reason=30003&from=/);
  await expectGoodView(page);
  const day = card.getByRole('slider', { name: 'Day' });
  await expect(day).toHaveAttribute('aria-valuetext', /: 1 delivered, 1 undelivered$/);
  await day.press('ArrowLeft');
  await expect(day).toHaveAttribute('aria-valuetext', /: no messages$/);
  // One choice sets the days of all figures.
  await page.getByLabel('Days shown').selectOption('Last 90 days');
  await expect(page.getByText('1 of 2 messages in 90 days')).toBeVisible();
  await expect(page.getByText('in 90 days, after refunds')).toBeVisible();
  // The chart begins with the first message, and shows a week at least.
  await expect(day).toHaveAttribute('max', '6');
  await expect(
    card.getByText(/^The chart starts on [A-Z][a-z]+ \d+\. The 83 days before have no messages\.$/),
  ).toBeVisible();
  const asTable = card.getByRole('button', { name: 'Show as table' });
  await asTable.click();
  await expect(asTable).toHaveAttribute('aria-pressed', 'true');
  await expect(card.getByRole('row')).toHaveCount(2);
  await expect(card.getByRole('row').nth(1).getByRole('cell')).toHaveText(['1', '0', '0', '0', '1', '0', '0', '2']);
  expect(complaints.take()).toEqual([]);
  await leave(page);
});

test('the spend is that of all messages of the days, as the ledger has it, and the cards lead to it', async ({
  browser,
}) => {
  const { page, email } = await signIn(browser, stack);
  await stack.admin('credits', 'adjust', email, '2000', '--why', 'e2e');
  await plantHistory(stack, email, 1_200);
  await page.reload();
  await expect(total(page, 'Total Credits Used')).toHaveText('1,200');
  const figures = page.getByRole('region', { name: 'Figures' });
  await expect(figures.getByText('1,200 of 1,200 messages in 30 days')).toBeVisible();
  await expect(figures.getByRole('list', { name: 'Countries' }).getByRole('listitem')).toHaveText([
    /^USA1,200 credits$/,
  ]);
  const main = page.getByRole('main');
  for (const link of await main.getByRole('link', { name: 'See Spend' }).all())
    await expect(link).toHaveAttribute('href', '/dashboard/billing?tab=spend');
  await expect(main.getByRole('link', { name: 'See Spend' })).toHaveCount(2);
  await leave(page);
});

test('with a balance of five digits nothing moves on a phone while it connects, on any page', async ({ browser }) => {
  const { page, email } = await signIn(browser, stack);
  await stack.admin('credits', 'adjust', email, '30469', '--why', 'e2e');
  const links = page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link');
  const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
  expect(paths.length).toBeGreaterThan(14);
  await page.setViewportSize({ width: 390, height: 844 });
  await watchShifts(page);
  // The stream is held until the header has shown the word that is wider than 'Live'.
  const stream = await HeldCalls.of(page, '*/api/dashboard/events');
  for (const path of paths) {
    stream.hold();
    await page.goto(`${stack.url}${path}`);
    await expect(page.getByText('30,472 credits').first()).toBeVisible();
    await page.evaluate(async () => {
      const animations = document.querySelector('header')?.getAnimations({ subtree: true }) ?? [];
      await Promise.all(animations.map(({ finished }) => finished));
    });
    // The stream is requested once the page runs, perhaps after the text above.
    await stream.release();
    await saysLive(page);
    expect([path, await shifts(page)]).toEqual([path, expect.closeTo(0, 1)]);
  }
  await leave(page);
});

test('a session that ends elsewhere, or is over, shows on the open page', async ({ browser }) => {
  const { page } = await signIn(browser, stack);
  await saysLive(page);
  await page.request.post(`${stack.url}/auth/logout`, { headers: { 'sec-fetch-site': 'same-origin' } });
  await expect(page.getByText(PLEASE)).toBeVisible();
  await page.getByRole('link', { name: 'Login' }).click();
  await expect(page).toHaveURL(`${stack.url}/login`);
  await leave(page);

  const other = await signIn(browser, stack);
  await saysLive(other.page);
  const update = await other.page.getByRole('button', { name: 'Update' }).elementHandle();
  await other.page.context().clearCookies();
  // The page may have found by itself that the session is over, and has no such button then.
  await update?.evaluate((button) => (button as HTMLElement).click());
  await expect(other.page.getByText(PLEASE)).toBeVisible();
  await leave(other.page);
});

test('one window too many says that it is not live, and keeps what it has read', async ({ browser }) => {
  const { page } = await signIn(browser, stack);
  const body = 'event: ended\ndata: {"reason":"too_many_streams"}\n\n';
  await page.route('**/api/dashboard/events', (route) => route.fulfill({ contentType: 'text/event-stream', body }));
  await page.reload();
  await expect(page.getByRole('status').filter({ hasText: 'Not live' })).toHaveAttribute('title', /too many windows/);
  await expect(total(page, 'Total Credits Balance')).toHaveText('3');
  await leave(page);
});

test('on a phone the menu is a drawer that closes on a choice and on Escape, and gives the keyboard back', async ({
  browser,
}) => {
  const { page } = await signIn(browser, stack, { width: 390 });
  const button = page.getByRole('button', { name: 'Menu', exact: true });
  const drawer = page.getByRole('dialog', { name: 'Menu' });
  await expect(page.getByRole('navigation', { name: 'Dashboard' })).toHaveCount(0);
  await button.press('Enter');
  await expect(drawer.getByRole('link')).toHaveText([
    'Home',
    'Billing History',
    'SMS History',
    'Purchase Credits',
    'Redeem Code',
    'Send SMS',
    'Send in Bulk',
    'Conversations',
    'Numbers',
    'Opt-outs',
    'Deliverability',
    'One-time Passwords',
    'API Keys',
    'Connect',
    'Webhook',
    'Requests',
    'Account',
  ]);
  await expect(drawer.getByRole('link', { name: 'Home' })).toHaveAttribute('aria-current', 'page');
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await expect(button).toBeFocused();
  await button.click();
  await drawer.getByRole('link', { name: 'Billing History' }).click();
  await expect(drawer).toBeHidden();
  await expect(page).toHaveURL(`${stack.url}/dashboard/billing`);
  await expect(page).toHaveTitle('Billing History – Pennytext');
  await button.click();
  await drawer.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(`${stack.url}/`);
  await leave(page);
});

test('the chosen colors hold for every page, from its first paint on', async ({ browser }) => {
  const { page } = await signIn(browser, stack);
  const complaints = new Complaints(page);
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  expect(await ground()).toBe('rgb(250, 247, 242)');
  await page.getByRole('radio', { name: 'Dark' }).check();
  expect(await ground()).toBe('rgb(20, 17, 15)');
  // Without the pages' own scripts, only the page's HTML is left.
  await page.route('**/assets/*.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
  for (const path of ['/dashboard', '/pricing']) {
    await page.goto(`${stack.url}${path}`);
    expect([path, await ground()]).toEqual([path, 'rgb(20, 17, 15)']);
  }
  await page.unroute('**/assets/*.js');
  await page.goto(`${stack.url}/dashboard`);
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked();
  await page.getByRole('radio', { name: 'System' }).check();
  expect(await ground()).toBe('rgb(250, 247, 242)');
  expect(complaints.take()).toEqual([]);
  await leave(page);
});

test('nothing is cut off with the longest name and balance, and axe finds nothing around the views', async ({
  browser,
}) => {
  const name = `Wolfeschlegelsteinhausenbergerdorff ${'von Hohenzollern '.repeat(3)}`.trim();
  const { page, email } = await signIn(browser, stack, { name });
  await stack.admin('credits', 'adjust', email, '999999997', '--why', 'a long number');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const path of ['/dashboard/key', '/dashboard']) {
    await page.setViewportSize({ width: 1280, height: 844 });
    await page.goto(`${stack.url}${path}`);
    await expect(page.getByText('Balance: 1,000,000,000 credits')).toBeVisible();
    await expect(page.getByText('Loading...')).toHaveCount(0);
    for (const width of [1280, 390, 320]) {
      await page.setViewportSize({ width, height: 844 });
      expect([path, width, await overflow(page)]).toEqual([path, width, 0]);
    }
  }
  // Views have checks of their own in both schemes; header and menu are the same on all of them.
  for (const [colorScheme, width] of [
    ['light', 1280],
    ['dark', 390],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 844 });
    await expectAccessible(page);
  }
  await leave(page);
});

test('the first load brings no more JavaScript than was promised', async ({ browser }) => {
  const visitor = await signIn(browser, stack);
  const page = await visitor.page.context().newPage();
  const scripts: Promise<Buffer>[] = [];
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.endsWith('.js')) scripts.push(response.body());
  });
  // Without idle time the browser loads no scripts ahead: these come after the first view.
  await page.addInitScript(() => Object.assign(window, { requestIdleCallback: () => 0 }));
  await page.goto(`${stack.url}/dashboard`);
  await saysLive(page);
  await expect(page.getByText('Loading...')).toHaveCount(0);
  const bytes = (await Promise.all(scripts)).reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0);
  expect(scripts.length).toBeGreaterThan(3);
  expect(bytes).toBeLessThan(FIRST_LOAD_BYTES);
  await leave(page);
});

async function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

test('every view of the menu and Logout are in sight at 1280 × 640', async ({ browser }) => {
  const { page } = await signIn(browser, stack);
  await page.setViewportSize({ width: 1280, height: 640 });
  const menu = page.getByRole('complementary', { name: 'Menu' });
  const entries = [...(await menu.getByRole('link').all()), menu.getByRole('button', { name: 'Logout' })];
  expect(entries.length).toBeGreaterThan(14);
  for (const entry of entries) await expect(entry).toBeInViewport({ ratio: 1 });
  await expect(menu.getByRole('radio', { name: 'Dark' })).toBeInViewport();
  await page.screenshot({ path: test.info().outputPath('menu.png') });
  await leave(page);
});
