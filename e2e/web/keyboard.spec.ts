import { randomBytes } from 'node:crypto';
import { expect, type Locator, type Page } from '@playwright/test';
import { test } from '../testing/product.js';
import { shownNumber } from '../testing/shown-number.js';
import { hydrated } from '../testing/signed-in.js';
import { tabTo } from '../testing/tab-to.js';
import { Visitor } from '../testing/visitor.js';

const TO = '+12025550199';
async function press(page: Page, control: Locator): Promise<void> {
  await expect(control).toBeEnabled();
  await tabTo(page, control);
  await page.keyboard.press('Enter');
}

test('signs in, sends, buys and replaces the key without a mouse', async ({ page, product: stack }) => {
  await page.goto(`${stack.url}/login`);
  await press(page, page.getByRole('link', { name: 'Sign In with Google' }));
  // A new account: the listed accounts are of other tests.
  await press(page, page.locator('details.fold summary'));
  await tabTo(page, page.locator('input[name="name"]'));
  await page.keyboard.type('Ada Lovelace');
  await tabTo(page, page.locator('input[name="email"]'));
  await page.keyboard.type(`e2e-${randomBytes(6).toString('hex')}@pennytext.example`);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${stack.url}/dashboard`);
  await hydrated(page);
  const visitor = Visitor.of(stack, page.request);
  const before = await visitor.balance();
  const menu = page.getByRole('navigation', { name: 'Dashboard' });
  const main = page.getByRole('main');

  await press(page, menu.getByRole('link', { name: 'Send SMS' }));
  await tabTo(page, main.getByRole('textbox', { name: 'To' }));
  await page.keyboard.type(TO);
  await tabTo(page, main.getByRole('textbox', { name: 'Message' }));
  await page.keyboard.type('Typed without a mouse');
  await tabTo(page, main.getByRole('radio', { name: 'Live key' }));
  await page.keyboard.press('ArrowLeft');
  await expect(main.getByRole('radio', { name: 'Test key' })).toBeChecked();
  await press(page, main.getByRole('button', { name: 'Send test' }));
  await press(page, main.getByRole('button', { name: 'Send it for real for 1 credit' }));
  await expect(main.getByRole('status')).toContainText('Delivered');
  expect((await stack.carrier.messages(TO)).map(({ body }) => body)).toEqual(['Typed without a mouse']);

  await page.goto(`${stack.url}/dashboard`);
  await hydrated(page);
  await press(page, menu.getByRole('link', { name: 'Purchase Credits' }));
  await press(page, main.getByRole('button', { name: 'Buy Starter' }));
  await press(page, page.getByRole('button', { name: /^Pay / }));
  const popup = page.getByRole('dialog');
  await expect(popup).toContainText('Your purchase of 50 credits was successful!');
  for (const next of ['Send a message', 'Get a number'])
    await expect(popup.getByRole('link', { name: next })).toBeVisible();
  await press(page, popup.getByRole('button', { name: 'Close' }));
  await expect(popup).toHaveCount(0);
  expect(await visitor.balance()).toBe(before - 1 + 50);

  const key = await visitor.apiKey();
  await press(page, menu.getByRole('link', { name: 'API Keys' }));
  await press(page, main.getByRole('button', { name: 'Replace key…' }));
  await press(page, page.getByRole('alertdialog').getByRole('button', { name: 'Replace key' }));
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await expect.poll(() => visitor.apiKey()).not.toBe(key);
  await expect(main.getByRole('button', { name: 'Replace key…' })).toBeFocused();

  await press(page, main.getByRole('button', { name: 'Create key', exact: true }));
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.keyboard.type('Shop');
  await page.keyboard.press('Enter');
  await press(page, main.getByRole('button', { name: 'Hide' }));
  // The button with the focus is gone: its section's heading has the focus, not the page's top.
  await expect(main.getByRole('heading', { name: 'Named keys' })).toBeFocused();
  await page.keyboard.press('Tab');
  await press(page, main.getByRole('button', { name: 'Create key', exact: true }));
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.keyboard.type('Office');
  await page.keyboard.press('Enter');
  const menuOf = (name: string) => main.getByRole('button', { name: `Actions for ${name}` });
  await expect(menuOf('Office')).toBeVisible();
  const revoke = async (name: string) => {
    await press(page, menuOf(name));
    await expect(page.getByRole('menuitem', { name: 'Edit…' })).toBeFocused();
    await page.keyboard.press('ArrowUp');
    await expect(page.getByRole('menuitem', { name: 'Revoke…' })).toBeFocused();
    await page.keyboard.press('Enter');
    await press(page, page.getByRole('alertdialog').getByRole('button', { name: 'Revoke key' }));
    await expect(menuOf(name)).toHaveCount(0);
  };
  await revoke('Shop');
  await expect(menuOf('Office')).toBeFocused();
  await revoke('Office');
  await expect(main.getByText('None yet.')).toBeVisible();
  await expect(main.getByRole('button', { name: 'Create key', exact: true })).toBeFocused();

  await press(page, menu.getByRole('link', { name: 'SMS History' }));
  const search = main.getByRole('searchbox', { name: 'Search' });
  await tabTo(page, search);
  await page.keyboard.type('mouse');
  await press(page, main.getByRole('button', { name: 'Clear filters' }));
  await expect(search).toBeFocused();
  await expect(search).toHaveValue('');

  await press(page, menu.getByRole('link', { name: 'Redeem Code' }));
  await tabTo(page, main.getByRole('textbox', { name: 'Code' }));
  await page.keyboard.type('ABCD-EFGH-JKMN');
  await press(page, main.getByRole('button', { name: 'Redeem' }));
  await expect(main.getByText('This code is not valid.')).toBeVisible();
  await expect(main.getByRole('textbox', { name: 'Code' })).toBeFocused();

  await press(page, menu.getByRole('link', { name: 'Account' }));
  await press(page, main.getByRole('button', { name: 'Save', exact: true }));
  await expect(page.getByText('Your settings were saved.')).toBeVisible();
  await expect(main.getByRole('button', { name: 'Save', exact: true })).toBeFocused();

  const palette = page.getByRole('combobox', { name: 'Search commands' });
  await page.keyboard.press('Control+k');
  await expect(palette).toBeFocused();
  await page.keyboard.type('idempotency');
  const found = page.getByRole('option').filter({ hasText: 'Retrying safely' }).first();
  await expect(found).toBeVisible();
  // No result of a shorter text is left above the results of the whole text.
  await expect(page.getByRole('option').filter({ hasText: 'How do I get support?' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(palette).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await expect(palette).toBeFocused();
  await page.keyboard.type(TO);
  await expect(page.getByRole('option', { name: `Conversation with ${shownNumber(TO)}` })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${stack.url}/dashboard/conversations/${encodeURIComponent(TO)}`);
  await expect(main.getByText('Typed without a mouse', { exact: true })).toBeVisible();

  await press(page, menu.getByRole('link', { name: 'Conversations' }));
  await tabTo(page, main.getByRole('tab', { name: 'With replies' }));
  for (const arrow of ['ArrowRight', 'ArrowRight', 'Enter']) await page.keyboard.press(arrow);
  await expect(main.getByRole('tab', { name: 'All' })).toHaveAttribute('aria-selected', 'true');
  await tabTo(page, main.getByRole('searchbox', { name: 'Number or text' }));
  await page.keyboard.type('0199');
  await expect(page).toHaveURL(/tab=all&number=0199$/);
  await press(page, main.getByRole('link', { name: shownNumber(TO) }));
  await expect(main.getByText('Typed without a mouse', { exact: true })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(palette).toBeFocused();
  await page.keyboard.type('conversations');
  await expect(page.getByRole('option').first()).toHaveText(/^Conversations\s*View$/);
  await page.keyboard.press('Enter');
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Conversations');
});
