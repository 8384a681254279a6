import { expect, type Page } from '@playwright/test';
import { test } from '../testing/product.js';
import { takeScreenshots } from '../testing/screenshots.js';
import { leave, signIn } from '../testing/signed-in.js';
import type { Stack } from '../testing/stack.js';
import { expectGoodView } from '../testing/view-checks.js';

let stack: Stack;

test.beforeAll(({ product }) => {
  stack = product;
});

const main = (page: Page) => page.getByRole('main');
const button = (page: Page, name: string) => main(page).getByRole('button', { name, exact: true });

/** Signs the person of the page in again, in another browser, and returns its page. */
async function otherBrowser(page: Page, email: string, name: string): Promise<Page> {
  const context = await page.context().browser()?.newContext();
  if (!context) throw new Error('The page has no browser');
  const other = await context.newPage();
  await other.goto(`${stack.url}/auth/google`);
  await other.request.post(other.url(), { form: { name, email, email_verified: 'true' } });
  await other.goto(`${stack.url}/dashboard`);
  await expect(other.getByText(`Welcome, ${name}`)).toBeVisible();
  return other;
}

test('the account page lists where the user is signed in, and signs other devices out', async ({ browser }) => {
  const { page, email, name } = await signIn(browser, stack, { name: 'Wilhelmina Featherstonehaugh-Montgomery' });
  const others = [await otherBrowser(page, email, name), await otherBrowser(page, email, name)];
  await page.goto(`${stack.url}/dashboard/account`);
  await expect(main(page).getByText(email, { exact: true })).toBeVisible();
  const sessions = main(page).getByRole('region', { name: 'Where you are signed in' }).getByRole('listitem');
  await expect(sessions).toHaveCount(3);
  await expect(sessions.first()).toContainText('This device');
  await expect(sessions.first()).toContainText(/Chrome on Linux.*127\.0\.0\.1/s);
  await takeScreenshots(page, 'account');
  await expectGoodView(page);

  const keyNotice = main(page).getByRole('checkbox', { name: 'An API key was created or replaced' });
  await keyNotice.uncheck();
  await button(page, 'Save').click();
  await expect(page.getByRole('alert')).toHaveText('Your settings were saved.');
  await page.reload();
  await expect(keyNotice).not.toBeChecked();

  await sessions
    .last()
    .getByRole('button', { name: /^Sign out/ })
    .click();
  await expect(sessions).toHaveCount(2);
  await button(page, 'Sign out all other devices').click();
  await expect(sessions).toHaveCount(1);
  for (const other of others) {
    await other.reload();
    await expect(other).toHaveURL(/\/login/);
    await leave(other);
  }
  await leave(page);
});

test('a country that is switched off is refused in the composer until it is switched on', async ({ browser }) => {
  const { page } = await signIn(browser, stack);
  await page.goto(`${stack.url}/dashboard/account`);
  const country = main(page).getByRole('checkbox', { name: 'UK' });
  await expect(country).toBeChecked();
  await country.uncheck();
  await button(page, 'Save').click();
  await expect(page.getByRole('alert')).toHaveText('Your settings were saved.');
  await page.reload();
  await expect(country).not.toBeChecked();
  await expect(main(page).getByRole('checkbox', { name: 'USA' })).toBeChecked();
  const refusal = main(page).getByText('Messages to this country are switched off in your account.');
  const write = async () => {
    await page.goto(`${stack.url}/dashboard/send`);
    await main(page).getByRole('textbox', { name: 'To', exact: true }).fill('+447400123456');
    await main(page).getByRole('textbox', { name: 'Message', exact: true }).fill('Hello');
  };
  await write();
  await expect(refusal).toBeVisible();
  await page.goto(`${stack.url}/dashboard/account`);
  await country.check();
  await button(page, 'Save').click();
  await expect(page.getByRole('alert')).toHaveText('Your settings were saved.');
  await write();
  await expect(button(page, 'Send')).toBeEnabled();
  await expect(refusal).toHaveCount(0);
  await leave(page);
});

test('data is downloaded, and a deletion is confirmed by the address and taken back', async ({ browser }) => {
  const { page, email } = await signIn(browser, stack);
  await page.goto(`${stack.url}/dashboard/account`);
  const download = page.waitForEvent('download');
  await button(page, 'Download my data').click();
  const file = await (await download).createReadStream();
  const parts: Buffer[] = [];
  for await (const part of file) parts.push(part as Buffer);
  const exported = JSON.parse(Buffer.concat(parts).toString()) as { account: { email: string }; complete: boolean };
  expect([exported.account.email, exported.complete]).toEqual([email, true]);

  await button(page, 'Delete account…').click();
  const dialog = page.getByRole('alertdialog', { name: 'Delete your account?' });
  await dialog.getByLabel('Email').fill('other@pennytext.example');
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await expect(dialog.getByLabel('Email')).toHaveAccessibleDescription('Enter the email address of your account.');
  await takeScreenshots(page, 'account-delete');
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await expect(dialog).toBeHidden();
  await expect(main(page).getByText('Your account will be deleted on')).toBeVisible();
  await takeScreenshots(page, 'account-deleted');
  await expectGoodView(page);
  await page.reload();
  await button(page, 'Keep my account').click();
  await expect(button(page, 'Delete account…')).toBeVisible();
  await leave(page);
});

test('a dispute pauses automatic top-up, and Billing History and Purchase Credits show it', async ({ browser }) => {
  const { page, email } = await signIn(browser, stack);
  const notice = main(page).getByText('Automatic top-up is paused: a payment of your account is disputed');
  await page.goto(`${stack.url}/dashboard/billing`);
  await expect(main(page).getByRole('heading', { name: 'Billing History' })).toBeVisible();
  await expect(notice).toHaveCount(0);
  await stack.sql(
    `WITH flagged AS (UPDATE accounts SET flagged_at = now(), flagged_reason = 'dispute' WHERE email = $1 RETURNING id)
     INSERT INTO auto_top_ups (account_id, enabled, threshold, pack, per_month_max, customer_id, payment_method_id)
     SELECT id, true, 50, 'basic', 3, 'cus_' || id, 'pm_1' FROM flagged`,
    [email],
  );
  for (const path of ['billing', 'purchase']) {
    await page.goto(`${stack.url}/dashboard/${path}`);
    await expect(notice).toBeVisible();
  }
  await leave(page);
});
