import { randomUUID } from 'node:crypto';
import { expect, type Browser, type Page } from '@playwright/test';
import { Complaints } from '../testing/complaints.js';
import { chooseToday, openFilters } from '../testing/choose-days.js';
import { test } from '../testing/product.js';
import { takeScreenshots } from '../testing/screenshots.js';
import { hydrated, leave, signIn } from '../testing/signed-in.js';
import type { Stack } from '../testing/stack.js';
import { expectGoodView, popupOf } from '../testing/view-checks.js';

let stack: Stack;

test.beforeAll(({ product }) => {
  stack = product;
});

const rows = (page: Page) => page.getByRole('main').getByRole('table').getByRole('row');
const searchOf = (page: Page) => page.getByRole('searchbox', { name: 'Search' });
const commands = (page: Page) => page.getByRole('combobox', { name: 'Search commands' });
const keyOf = async (page: Page) =>
  ((await (await page.request.get(`${stack.url}/api/dashboard/key`)).json()) as { apiKey: string }).apiKey;

const post = (apikey: string, fields: object) =>
  fetch(`${stack.url}/api/sendsms`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...fields, apikey }),
  });

/** A person with credits, who has sent three messages. */
async function sender(browser: Browser): Promise<{ page: Page; apiKey: string; ids: readonly string[] }> {
  const { page, email } = await signIn(browser, stack);
  await stack.admin('credits', 'adjust', email, '100', '--why', 'e2e');
  const apiKey = await keyOf(page);
  const send = async (to: string, message: string, reference?: string) => {
    const answer = await post(apiKey, { to, message, ...(reference !== undefined && { reference }) });
    return ((await answer.json()) as { message_id: string }).message_id;
  };
  const ids = [
    await send('+14155550131', 'Your table is ready', 'vip-49'),
    await send('+14155550132', 'Doors open at 8'),
    await send('+12025550133', 'Your parcel is here'),
  ];
  return { page, apiKey, ids };
}

test('one field finds a message by reference, number, text and id, typed letter by letter', async ({ browser }) => {
  const { page, ids } = await sender(browser);
  const complaints = new Complaints(page);
  await page.goto(`${stack.url}/dashboard/messages`);
  await expect(page.getByText('3 messages', { exact: true })).toBeVisible();
  for (const [typed, found] of [
    ['vip-49', 'Your table is ready'],
    ['(415) 555-0132', 'Doors open at 8'],
    ['PARCEL', 'Your parcel is here'],
    [ids[1] ?? '', 'Doors open at 8'],
  ] as const) {
    await searchOf(page).fill('');
    await searchOf(page).pressSequentially(typed);
    await expect(page.getByText('1 of 3 messages.')).toBeVisible();
    await expect(rows(page).nth(1)).toContainText(found);
  }
  await takeScreenshots(page, 'history-search');
  await searchOf(page).fill('none of these');
  await expect(page.getByText('0 of 3 messages.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page.getByText('3 messages', { exact: true })).toBeVisible();
  await expect(searchOf(page)).toHaveValue('');
  expect(complaints.take()).toEqual([]);
  await leave(page);
});

test('what is wrong with the filters of an address is shown, and the rest of them are kept', async ({ browser }) => {
  const { page } = await sender(browser);
  await page.goto(`${stack.url}/dashboard/messages?status=lost&from=2026-02-30&search=vip-49`);
  await expect(page.getByText('1 of 3 messages.')).toBeVisible();
  await expect(page.getByRole('main').getByText('Part of this address was left out.')).toHaveText(
    'Part of this address was left out. “2026-02-30” is not a day. There is no status “lost”.',
  );
  await takeScreenshots(page, 'history-wrong-address');
  await expectGoodView(page);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page).toHaveURL(`${stack.url}/dashboard/messages`);
  await leave(page);
});

test('filters are saved by name, used in another tab, renamed, replaced and deleted', async ({ browser }) => {
  const { page } = await sender(browser);
  const open = async (tab: Page) => {
    await openFilters(tab);
    await tab.getByRole('button', { name: 'Saved filters' }).click();
  };
  const name = `${'שמות ארוכים מאוד 🎉 '.repeat(4)}end`.slice(0, 80);
  await page.goto(`${stack.url}/dashboard/messages`);
  await open(page);
  await expect(page.getByText('None yet. Set filters to save them by name.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Saved filters' })).toBeFocused();
  await chooseToday(page);
  await searchOf(page).pressSequentially('vip-49');
  await expect(page).toHaveURL(/search=vip-49&days=1$/);
  await open(page);
  await page.getByLabel('Save these filters as').pressSequentially('Today’s VIP');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Today’s VIP', exact: true })).toBeVisible();
  await page.getByLabel('Save these filters as').fill('Today’s VIP');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText(
    'The filters were not saved. A saved filter of this view has this name.',
  );
  await takeScreenshots(page, 'saved-filters');

  // A search that was typed and cleared comes back with the filter, and stays.
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(searchOf(page)).toHaveValue('');
  await open(page);
  await page.getByRole('button', { name: 'Today’s VIP', exact: true }).click();
  await expect(searchOf(page)).toHaveValue('vip-49');
  await expect(page.getByText('1 of 3 messages.')).toBeVisible();
  await expect(page).toHaveURL(/search=vip-49&days=1$/);
  await open(page);

  const other = await page.context().newPage();
  await other.goto(`${stack.url}/dashboard/messages`);
  await hydrated(other);
  await open(other);
  await other.getByRole('button', { name: 'Today’s VIP', exact: true }).click();
  await expect(other).toHaveURL(/search=vip-49&days=1$/);
  await expect(other.getByText('1 of 3 messages.')).toBeVisible();
  await searchOf(other).fill('parcel');
  await expect(other).toHaveURL(/search=parcel/);
  await open(other);
  await other.getByRole('button', { name: 'Edit Today’s VIP' }).click();
  await other.getByRole('button', { name: 'Replace with these filters' }).click();
  await expect(other.getByRole('button', { name: 'Today’s VIP', exact: true })).toHaveAttribute('aria-pressed', 'true');
  await other.getByRole('button', { name: 'Edit Today’s VIP' }).click();
  await other.getByLabel('Name').fill(name);
  await other.getByRole('button', { name: 'Rename' }).click();
  await expect(other.getByRole('button', { name: `Edit ${name}` })).toBeVisible();
  await takeScreenshots(other, 'saved-filters-long');
  await other.getByRole('button', { name: `Edit ${name}` }).click();
  await other.getByRole('button', { name: 'Delete' }).click();
  await expect(other.getByText('None yet. Saved filters are listed here.')).toBeVisible();

  // The first tab still lists the filter.
  await page.getByRole('button', { name: 'Edit Today’s VIP' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('dialog').getByText('None yet. Saved filters are listed here.')).toBeVisible();
  await leave(page);
});

test('the commands are searched letter by letter without failing, and have each command once', async ({ browser }) => {
  const { page, ids } = await sender(browser);
  const complaints = new Complaints(page);
  await page.goto(`${stack.url}/dashboard`);
  await hydrated(page);
  await page.keyboard.press('Control+k');
  await expect(commands(page)).toBeFocused();
  const options = page.getByRole('option');
  for (const letter of 'abcdefghijklmnopqrstuvwxyz0+(.\\*[') {
    await page.keyboard.type(letter);
    await expect(commands(page)).toHaveValue(letter);
    await page.keyboard.press('Backspace');
  }
  await page.keyboard.type('send');
  await expect(options.filter({ hasText: 'Guide:' }).first()).toBeVisible();
  const titles = (await options.locator('bdi').allTextContents()).map((title) => title.toLowerCase());
  expect(new Set(titles).size).toBe(titles.length);
  const sends = ['send sms', 'send in bulk', 'send a one-time password'];
  expect(titles.filter((title) => title.startsWith('send'))).toEqual(sends);
  await takeScreenshots(page, 'commands');
  for (const [typed, found] of [
    ['vip-49', '+14155550131: Your table is ready'],
    ['doors open', '+14155550132: Doors open at 8'],
    ['202 555 0133', '+12025550133: Your parcel is here'],
  ] as const) {
    await commands(page).fill('');
    await commands(page).pressSequentially(typed);
    await expect(options.filter({ hasText: found })).toContainText('Sent message');
  }
  await commands(page).fill('');
  await commands(page).pressSequentially(ids[0] ?? '');
  await expect(options.first()).toHaveText(/^Open message SM[0-9a-f]{32}Message$/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`id=${ids[0]}$`));
  await page.keyboard.press('Control+k');
  await commands(page).pressSequentially('vip-49');
  await options.filter({ hasText: 'Search sent messages' }).click();
  await expect(page.getByText('1 of 3 messages.')).toBeVisible();
  expect(complaints.take()).toEqual([]);
  await leave(page);
});

test('requests appear by themselves, are filtered by what occurs, and are made again', async ({ browser }) => {
  const { page, apiKey } = await sender(browser);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${stack.url}/dashboard/requests`);
  await expect(rows(page)).toHaveCount(4);
  await post(apiKey, { to: '+1', message: 'x' });
  await expect(rows(page)).toHaveCount(5);
  await expect(rows(page).nth(1)).toContainText(/\d:\d\d:\d\d [AP]M/);
  await expect(rows(page).nth(1)).toContainText('invalid_number');
  await expect(page.getByRole('button', { name: 'Refresh' })).toHaveCount(0);
  await takeScreenshots(page, 'requests');
  await expectGoodView(page);

  await page.reload();
  await openFilters(page);
  await expect(page.getByLabel('Error code').getByRole('option')).toHaveText(['All', 'invalid_number']);
  await page.getByLabel('Error code').selectOption('invalid_number');
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await chooseToday(page);
  await expect(page).toHaveURL(/\?days=1$/);
  await expect(rows(page)).toHaveCount(5);
  await searchOf(page).pressSequentially('balance');
  await expect(page.getByText('No requests match these filters.')).toBeVisible();
  await page.goto(`${stack.url}/dashboard/requests?key=gone&status=3xx`);
  await expect(page.getByText('The key ••••gone is not among your keys')).toBeVisible();
  await expect(page.getByText('There is no status “3xx”.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();

  await rows(page).nth(2).getByRole('button', { name: 'POST /api/sendsms' }).click();
  await expect(popupOf(page)).toContainText('•••');
  await popupOf(page).getByRole('button', { name: 'Copy: Copy as curl' }).click();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  expect(command).toContain(`Authorization: Bearer ${apiKey}`);
  expect(command).toContain('"message":"MESSAGE"');
  await popupOf(page).getByRole('button', { name: 'Repeat with a test key…' }).click();
  await popupOf(page).getByLabel('to', { exact: true }).pressSequentially('+12025550142');
  await popupOf(page).getByLabel('message', { exact: true }).pressSequentially('Hello again');
  await popupOf(page).getByRole('button', { name: 'Repeat', exact: true }).click();
  await expect(popupOf(page).getByText('Answer: 200')).toBeVisible();
  await expect(popupOf(page)).toContainText('"test": true');
  await takeScreenshots(page, 'request-repeated');
  await popupOf(page).getByRole('button', { name: 'Close' }).click();
  await expect(rows(page).nth(1)).toContainText('(test)');
  await leave(page);
});

test('a thousand calls in a second cost a page that shows them no more reads than one', async ({ browser }) => {
  const { page } = await sender(browser);
  let reads = 0;
  const requests: object[] = [];
  await page.route('**/api/dashboard/requests?*', async (route) => {
    reads += 1;
    const response = await route.fetch();
    const json = (await response.json()) as { requests: { id: string; path: string }[] };
    const [call] = json.requests;
    if (reads > 1)
      for (let n = 0; n < 1_000; n += 1) requests.push({ ...call, id: randomUUID(), path: `/api/burst/${reads}` });
    await route.fulfill({
      response,
      json: { ...json, requests: [...requests.slice(-25), ...json.requests].slice(0, 25) },
    });
  });
  await page.goto(`${stack.url}/dashboard/requests`);
  await expect(rows(page)).toHaveCount(26);
  await expect(rows(page).nth(1)).toContainText('/api/burst/2');
  expect(reads).toBeLessThanOrEqual(3);
  await leave(page);
});
