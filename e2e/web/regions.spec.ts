import { expect, test } from '@playwright/test';
import { openFilters } from '../testing/choose-days.js';
import { signIn } from '../testing/signed-in.js';
import { Stack } from '../testing/stack.js';

let stack: Stack;

test.beforeAll(async () => {
  stack = await Stack.start({ servers: 1, receiptDelayMs: 100, logFolder: test.info().outputPath('logs') });
});

test.afterAll(async () => {
  await stack?.stop();
});

test('pages show a country that the operator has opened, at its price', async ({ page, browser }) => {
  const row = page.getByRole('row', { name: /^France/ });
  await page.goto(`${stack.serverUrl}/regions`);
  await expect(row.getByText('No', { exact: true })).toBeVisible();

  await stack.admin('region', 'enable', 'FRA', '--credits', '6', '--otp', 'on');

  // The settings are read at most once a second.
  await expect(async () => {
    await page.goto(`${stack.serverUrl}/regions`);
    await expect(row.getByText('Yes', { exact: true })).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 10_000 });
  await expect(row).toContainText('6');
  await expect(page.getByText('You can send messages to 15 countries.')).toBeVisible();

  await page.goto(`${stack.serverUrl}/`);
  await expect(page.getByRole('heading', { name: 'Send to 15 countries' })).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: /^France6 credits$/ })).toBeVisible();
  await page.goto(`${stack.serverUrl}/pricing`);
  await expect(page.getByRole('row', { name: 'France 6 $0.36 $0.24 $0.18 $0.12' })).toBeVisible();

  await expect(page.getByText('from 1 credit to 6, depending on the country.')).toBeVisible();

  const { page: dashboard } = await signIn(browser, stack);
  await dashboard.goto(`${stack.serverUrl}/dashboard/purchase`);
  await expect(dashboard.getByRole('radio', { name: 'France 6 credits per SMS' })).toBeVisible();
  const group = dashboard.getByRole('group', { name: 'Supported Regions' });
  await expect(group.getByRole('radio')).toHaveCount(15);
  await dashboard.goto(`${stack.serverUrl}/dashboard/account`);
  await expect(dashboard.getByRole('checkbox', { name: 'France' })).toBeChecked();
  // Without codes there is nothing to filter, unless the address has a filter.
  await dashboard.goto(`${stack.serverUrl}/dashboard/otp?country=US`);
  await openFilters(dashboard);
  await expect(dashboard.getByRole('combobox', { name: 'Country' })).toContainText('France');
});

test('pages show what they were built with while the regions cannot be read', async ({ page }) => {
  await page.route('**/api/regions', (route) => route.abort());
  await page.goto(`${stack.serverUrl}/regions`);
  await expect(page.getByText('You can send messages to 14 countries.')).toBeVisible();
  await page.goto(`${stack.serverUrl}/pricing`);
  await expect(page.getByRole('row', { name: /^USA 1 / })).toBeVisible();
});
