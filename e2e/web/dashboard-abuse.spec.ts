import { expect, type Page } from '@playwright/test';
import { Complaints } from '../testing/complaints.js';
import { leave, signIn } from '../testing/signed-in.js';
import { test } from '../testing/product.js';
import type { Stack } from '../testing/stack.js';
import { expectGoodView } from '../testing/view-checks.js';

let stack: Stack;

test.beforeAll(({ product }) => {
  stack = product;
});

const card = (page: Page) => page.getByRole('heading', { name: 'Sending is suspended' });

async function suspend(email: string): Promise<void> {
  await stack.sql(
    `WITH suspended AS (UPDATE accounts SET delivery_suspended_at = now() WHERE email = $1 RETURNING id)
     INSERT INTO delivery_suspensions (account_id, recipients, undelivered) SELECT id, 60, 40 FROM suspended`,
    [email],
  );
}

test('a suspended customer reads why, resumes sending once, and then needs support', async ({ browser }) => {
  const { page, email } = await signIn(browser, stack);
  const complaints = new Complaints(page);
  await expect(page.getByText('Total Credits Balance')).toBeVisible();
  await expect(card(page)).toHaveCount(0);
  await suspend(email);
  await page.reload();
  await expect(card(page)).toBeVisible();
  await expect(page.getByText('of 60 recipients within 24 hours, 40 got none of your messages')).toBeVisible();
  await expectGoodView(page);
  const resume = page.getByRole('button', { name: 'Resume sending' });
  await expect(resume).toBeDisabled();
  await page.getByLabel('I have read why').check();
  await resume.click();
  await expect(page.getByRole('alert')).toHaveText('You can send again.');
  await expect(card(page)).toHaveCount(0);
  await suspend(email);
  await page.reload();
  await expect(card(page)).toBeVisible();
  await expect(page.getByText('Contact support to send again.')).toBeVisible();
  await expect(resume).toHaveCount(0);
  expect(complaints.take()).toEqual([]);
  await leave(page);
});

test('credits of a disputed payment are shown as frozen until the dispute is won', async ({ browser }) => {
  const { page, email } = await signIn(browser, stack);
  const freeze = (frozen: number) =>
    stack.sql(`UPDATE credit_accounts SET frozen = $2 WHERE account_id = (SELECT id FROM accounts WHERE email = $1)`, [
      email,
      frozen,
    ]);
  const frozenCard = page.getByRole('heading', { name: '2 credits frozen' });
  await expect(page.getByText('Total Credits Balance')).toBeVisible();
  await expect(frozenCard).toHaveCount(0);
  await freeze(2);
  try {
    await page.reload();
    await expect(frozenCard).toBeVisible();
    await expect(page.getByText('All other credits can be used.')).toBeVisible();
    await expectGoodView(page);
  } finally {
    await freeze(0);
  }
  await page.reload();
  await expect(page.getByText('Total Credits Balance')).toBeVisible();
  await expect(frozenCard).toHaveCount(0);
  await leave(page);
});
