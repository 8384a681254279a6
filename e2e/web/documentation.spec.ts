import { expect } from '@playwright/test';
import { test } from '../testing/product.js';
import type { Stack } from '../testing/stack.js';

let stack: Stack;

test.beforeAll(({ product }) => {
  stack = product;
});

test('a reader goes through the menu, and the title changes with every page', async ({ page }) => {
  await page.goto(`${stack.serverUrl}/docs`);
  await expect(page).toHaveTitle('Documentation – Pennytext');
  const menu = page.getByRole('navigation', { name: 'Documentation' });
  await menu.getByRole('link', { name: 'Testing the API' }).click();
  await expect(page).toHaveTitle('Testing the API – Pennytext');
  await menu.getByText('Send an SMS', { exact: true }).filter({ visible: true }).click();
  await menu.getByRole('link', { name: 'C#' }).click();
  await expect(page).toHaveTitle('Send an SMS with C# – Pennytext');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Send an SMS with C#');
  await expect(menu.getByRole('link', { name: 'C#' })).toHaveAttribute('aria-current', 'page');
  await menu.getByRole('link', { name: 'Supported Regions' }).click();
  await expect(page).toHaveURL(`${stack.serverUrl}/regions`);
});

test('a sample is copied whole, with the address of this installation, and says so', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${stack.serverUrl}/docs/send-sms/ruby`);
  await page.getByRole('button', { name: 'Copy: Ruby: Send an SMS' }).click();
  await expect(page.getByRole('alert')).toHaveText('Code copied to clipboard!');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain('require "net/http"');
  expect(copied).toContain(`URI("${stack.serverUrl}/api/sendsms")`);
});

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with JavaScript' : 'without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('a question opens and closes its answer, and only one is open', async ({ page }) => {
      await page.goto(`${stack.serverUrl}/faq`);
      const cost = page.getByText('You buy credits in packs');
      const trial = page.getByText('Every new account gets 3 free credits');
      await expect(cost).toBeHidden();
      await page.getByText('What does it cost?').click();
      await expect(cost).toBeVisible();
      await page.getByText('Is there a free trial?').click();
      await expect(trial).toBeVisible();
      await expect(cost).toBeHidden();
      await page.getByText('Is there a free trial?').click();
      await expect(trial).toBeHidden();
    });
  });
}

test('the regions stand in order of their names, with the active ones marked', async ({ page }) => {
  await page.goto(`${stack.serverUrl}/regions`);
  const names = await page.getByRole('rowheader').allInnerTexts();
  expect(names).toHaveLength(40);
  expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b, 'en')));
  await expect(page.getByRole('columnheader')).toHaveText([
    'Country',
    'Code',
    'Credits Used Per SMS',
    'Area Code',
    'Service Active',
  ]);
  await expect(page.getByRole('row', { name: 'Germany' })).toHaveText(/DEU\s*5\s*\+49\s*Yes/);
  await expect(page.getByRole('row', { name: 'Japan' })).toHaveText(/JPN\s*5\s*\+81\s*No/);
});

test('the documentation is one plain text too, with the address of this installation', async ({ request }) => {
  const answer = await request.get(`${stack.serverUrl}/llms.txt`);
  expect(answer.headers()['content-type']).toBe('text/plain; charset=utf-8');
  const text = await answer.text();
  for (const part of [
    '# Pennytext',
    '# Errors',
    '`no_credits`',
    '# OTP Verification',
    `curl ${stack.serverUrl}/api/sendsms`,
  ])
    expect(text).toContain(part);
  expect(text).not.toContain('pennytext.example/');
});
