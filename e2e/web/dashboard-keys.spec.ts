import { expect, type Page } from '@playwright/test';
import { openFilters } from '../testing/choose-days.js';
import { test } from '../testing/product.js';
import { takeScreenshots } from '../testing/screenshots.js';
import { leave, signIn } from '../testing/signed-in.js';
import type { Stack } from '../testing/stack.js';
import { expectGoodView, popupOf } from '../testing/view-checks.js';

let stack: Stack;

test.beforeAll(({ product }) => {
  stack = product;
});

/** Chooses an action of a key from its menu. */
async function choose(page: Page, key: string, action: string): Promise<void> {
  await section(page)
    .getByRole('button', { name: `Actions for ${key}` })
    .click();
  await page.getByRole('menuitem', { name: action }).click();
}

const section = (page: Page) => page.getByRole('region', { name: 'Named keys' });

test('a key with limits is created, shown once, used, changed, renewed and revoked', async ({ browser }) => {
  const { page } = await signIn(browser, stack);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${stack.url}/dashboard/key`);
  await expect(section(page).getByText('None yet')).toBeVisible();

  await page.getByRole('main').getByRole('button', { name: 'Create key' }).click();
  const create = popupOf(page).getByRole('button', { name: 'Create key' });
  await create.click();
  await expect(popupOf(page).getByLabel('Name')).toHaveAccessibleDescription('Enter a name.');
  await popupOf(page).getByLabel('Name').fill('Web shop of the Featherstonehaugh-Montgomery family');
  await popupOf(page).getByLabel('Credits per day').fill('none');
  await create.click();
  await expect(popupOf(page).getByLabel('Credits per day')).toHaveAccessibleDescription(
    'A whole number from 1 to 1,000,000,000.',
  );
  await popupOf(page).getByLabel('Credits per day').fill('1');
  await popupOf(page).getByLabel('Credits per month').fill('1,200');
  await popupOf(page).getByLabel('Messages per second').fill('5');
  await popupOf(page).getByLabel('Last day').fill('2099-12-31');
  await popupOf(page).getByLabel('Network addresses').fill('127.0.0.1, 10.300.0.0/8');
  await popupOf(page).getByText('Countries: all,').click();
  await popupOf(page).getByLabel('USA').check();
  await takeScreenshots(page, 'key-create');
  await create.click();
  await expect(popupOf(page).getByRole('alert')).toContainText('"10.300.0.0/8" is neither a network address');
  await popupOf(page).getByLabel('Network addresses').fill('127.0.0.1, ::1 10.0.0.0/8');
  await create.click();

  const secret = section(page).getByRole('group', { name: 'New key' });
  const key = (await secret.locator('code').textContent()) ?? '';
  expect(key).toMatch(/^pt_live_[0-9a-f]{40}$/);
  await secret.getByRole('button', { name: 'Copy new key' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
  await takeScreenshots(page, 'key-created');
  await expectGoodView(page);
  await secret.getByRole('button', { name: 'Hide' }).click();
  await expect(page.getByText(key)).toBeHidden();

  const first = await stack.api.send({ to: '+14155552671', message: 'Hello', apikey: key });
  expect(first.kind).toBe('accepted');
  const second = await stack.api.send({ to: '+14155552671', message: 'Hello', apikey: key });
  expect(JSON.stringify(second)).toContain('key_budget');
  const row = section(page).getByRole('listitem');
  await expect(async () => {
    await page.reload();
    await expect(row).toContainText(/Last used .* from (127\.0\.0\.1|::1)/, { timeout: 1_000 });
  }).toPass();
  await expect(row).toContainText('1 of 1 credits spent today · 1 of 1,200 credits spent this month');
  await expect(row).toContainText('to US only · from 3 networks only · until Jan 1, 2100, 12:00 AM');
  await takeScreenshots(page, 'key-list');
  await expectGoodView(page);

  await choose(page, 'Web shop of the Featherstonehaugh-Montgomery family', 'Edit…');
  await popupOf(page).getByLabel('Name').fill('Store');
  await popupOf(page).getByLabel('Credits per day').fill('');
  await popupOf(page).getByRole('button', { name: 'Save' }).click();
  await expect(section(page).getByRole('listitem')).not.toContainText('spent today');
  await expect(section(page).getByRole('listitem')).toContainText('until Jan 1, 2100, 12:00 AM');
  expect((await stack.api.send({ to: '+14155552671', message: 'Hello', apikey: key })).kind).toBe('accepted');

  await choose(page, 'Store', 'New secret…');
  await expect(popupOf(page)).toContainText('stops working at once');
  await popupOf(page).getByLabel('for 24 hours').check();
  await takeScreenshots(page, 'key-renew');
  await popupOf(page).getByRole('button', { name: 'Create new secret' }).click();
  const renewed = (await secret.locator('code').textContent()) ?? '';
  expect(renewed).not.toBe(key);
  await expect(section(page).getByRole('listitem')).toContainText(
    `Old secret pt_live_••••${key.slice(-4)} works until`,
  );
  expect((await stack.api.balance(key)).balance).toBe(1);
  await takeScreenshots(page, 'key-renewed');
  await expectGoodView(page);
  await choose(page, 'Store', 'End old secrets…');
  await popupOf(page).getByRole('button', { name: 'End old secrets' }).click();
  await expect(section(page).getByRole('listitem')).not.toContainText('Old secret');
  await expect(stack.api.balance(key)).rejects.toThrow('401');
  expect((await stack.api.balance(renewed)).balance).toBe(1);

  // All calls are in the log, also refused calls.
  const calls = page.getByRole('table', { name: 'Requests' }).getByRole('row');
  await expect(async () => {
    await page.goto(`${stack.url}/dashboard/requests`);
    await expect(calls).toHaveCount(7, { timeout: 1_000 });
  }).toPass();
  await expect(calls.nth(2)).toContainText(/401\s*unknown_api_key/);
  await expect(calls.nth(2)).toContainText(`Store ••••${key.slice(-4)}`);
  await openFilters(page);
  await page.getByLabel('Error code').selectOption('key_budget');
  await expect(calls).toHaveCount(2);
  await expectGoodView(page);
  await calls.nth(1).getByRole('button', { name: 'POST /api/sendsms' }).click();
  await expect(popupOf(page)).toContainText('"to": "+1415•••••••"');
  await expect(popupOf(page)).not.toContainText('Hello');
  await takeScreenshots(page, 'request');
  await page.goto(`${stack.url}/dashboard/key`);

  await choose(page, 'Store', 'Revoke…');
  await takeScreenshots(page, 'key-revoke');
  await popupOf(page).getByRole('button', { name: 'Revoke key' }).click();
  await expect(page.getByRole('alert')).toHaveText('The key “Store” is revoked.');
  await expect(section(page).getByText('None yet')).toBeVisible();
  await expect(secret).toHaveCount(0);
  await expect(stack.api.balance(renewed)).rejects.toThrow('401');
  await leave(page);
});

test('the buttons of the longest dialog are in sight on a phone and on a small desk', async ({ browser }) => {
  const { page } = await signIn(browser, stack);
  await page.goto(`${stack.url}/dashboard/key?create`);
  const create = popupOf(page).getByRole('button', { name: 'Create key' });
  for (const [width, height] of [
    [390, 640],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect(create).toBeInViewport({ ratio: 1 });
    await popupOf(page).getByText('An empty field means no limit.').scrollIntoViewIfNeeded();
    await expect(create).toBeInViewport({ ratio: 1 });
    // The field with the focus is not behind the buttons.
    await popupOf(page).getByLabel('Network addresses').focus();
    const field = await popupOf(page).getByLabel('Network addresses').boundingBox();
    const foot = await create.boundingBox();
    expect((field?.y ?? 0) + (field?.height ?? 0)).toBeLessThan(foot?.y ?? 0);
  }
  await leave(page);
});

test('the key of the documentation’s samples is marked, and can only be revoked', async ({ browser }) => {
  const { page } = await signIn(browser, stack);
  // The pages know who has signed in when the dashboard has read the session.
  await expect(page.getByRole('status').filter({ hasText: /^Live/ })).toBeVisible();
  await page.goto(`${stack.url}/docs/send-sms`);
  await expect(
    page
      .getByRole('main')
      .getByText(/pt_test_/)
      .first(),
  ).toBeVisible();
  await page.goto(`${stack.url}/dashboard/key`);
  const row = section(page).getByRole('listitem');
  await expect(row).toContainText('Made by the docs, sends nothing.');
  await row.getByRole('button', { name: /^Actions for/ }).click();
  await expect(page.getByRole('menuitem')).toHaveText(['Revoke…']);
  await leave(page);
});

test('the key page shows the credentials for Twilio’s SDK, which the API accepts, and links to the migration page', async ({
  browser,
}) => {
  const { page } = await signIn(browser, stack);
  await page.goto(`${stack.url}/dashboard/key`);
  const sid = (await page.getByText(/^AC[0-9a-f]{32}$/).textContent()) ?? '';
  const { apiKey } = (await (await page.request.get(`${stack.url}/api/dashboard/key`)).json()) as { apiKey: string };
  const authorization = `Basic ${Buffer.from(`${sid}:${apiKey}`).toString('base64')}`;
  const listed = `${stack.url}/2010-04-01/Accounts/${sid}/Messages.json`;
  expect((await fetch(listed, { headers: { authorization } })).status).toBe(200);
  await page.getByRole('link', { name: 'Migrating from Twilio' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Migrating from Twilio' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Status callbacks' })).toBeVisible();
  await leave(page);
});
