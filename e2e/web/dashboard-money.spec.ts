import { expect, type Page } from '@playwright/test';
import { chooseDays, openFilters } from '../testing/choose-days.js';
import { Complaints } from '../testing/complaints.js';
import { purchaseViewTests } from '../testing/purchase-views.js';
import { expectLedgerClean } from '../testing/invariants.js';
import { leave, signIn } from '../testing/signed-in.js';
import { test } from '../testing/product.js';
import type { Stack } from '../testing/stack.js';
import { expectGoodView } from '../testing/view-checks.js';
import { Visitor } from '../testing/visitor.js';
import { webhookViewTests } from '../testing/webhook-view.js';

const GOOD_CARD = '4242 4242 4242 4242';
const RED = 'rgb(179, 38, 30)';

let stack: Stack;

test.beforeAll(({ product }) => {
  stack = product;
});

test.afterAll(async () => {
  await expectLedgerClean(stack);
});

test.describe('purchases', () => purchaseViewTests(() => stack));

test.describe('codes', () => {
  const type = async (page: Page, code: string) => {
    await page.getByLabel('Code', { exact: true }).fill(code);
    await page.getByRole('button', { name: 'Redeem', exact: true }).click();
  };

  test('a code gives its credits, and every answer is in red with what was typed still there', async ({ browser }) => {
    const { code } = (await stack.admin('code', 'create', '--credits', '25')) as { code: string };
    const { page } = await signIn(browser, stack);
    const buyer = Visitor.of(stack, page.request);
    await page.goto(`${stack.url}/dashboard/redeem`);
    const field = page.getByLabel('Code', { exact: true });
    for (const [typed, message] of [
      ['', 'Please enter a code to redeem.'],
      ['NOPE-NOPE', 'This code is not valid.'],
      ['X'.repeat(65), 'This code is not valid.'],
    ] as const) {
      await type(page, typed);
      await expect(field).toHaveAccessibleDescription(message);
      await expect(field).toHaveValue(typed);
      await expect(page.getByText(message)).toHaveCSS('color', RED);
    }
    await page.route('**/api/redeemcode', async (route) => {
      await expect(page.getByRole('button', { name: 'Loading...' })).toBeDisabled();
      await route.continue();
    });
    await type(page, code);
    const good = page.getByRole('main').getByRole('status');
    await expect(good).toHaveText('25 credits were added to your account.');
    await expect(good).toHaveCSS('color', RED);
    await expect(field).toHaveValue(code);
    expect(await buyer.balance()).toBe(28);
    await type(page, code);
    await expect(field).toHaveAccessibleDescription('You have already redeemed this code.');
    await expect(good).toHaveText('');
    await expectGoodView(page);
    await leave(page);
  });
});

test.describe('histories of money', () => {
  const rows = (page: Page) => page.getByRole('main').getByRole('row');

  test('payments and movements, page by page, on a desk and on a phone', async ({ browser }) => {
    const { page, email } = await signIn(browser, stack);
    const complaints = new Complaints(page);
    const buyer = Visitor.of(stack, page.request);
    await page.goto(`${stack.url}/dashboard/billing`);
    await expect(page.getByText('No billing history available.', { exact: true })).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'Purchase Credits' }).click();
    await expect(page).toHaveURL(`${stack.url}/dashboard/purchase`);
    const sessions: string[] = [];
    for (let n = 0; n < 11; n += 1) {
      const { sessionId, page: checkout } = await buyer.checkout(n === 10 ? 'enterprise' : 'starter');
      await buyer.pay(checkout, GOOD_CARD, email);
      await buyer.cameBack(sessionId);
      sessions.push(sessionId);
    }
    await page.goto(`${stack.url}/dashboard/billing`);
    await expect(page.getByRole('columnheader')).toHaveText(['Date', 'Amount', 'Credits Purchased', 'Payment Method']);
    await expect(rows(page)).toHaveCount(11);
    await expect(rows(page).nth(1)).toContainText(/[A-Z][a-z]{2} \d+, \d+:\d\d [AP]M\$502,500Stripe Payment/);
    const receipt = rows(page)
      .nth(1)
      .getByRole('link', { name: /^Receipt for / });
    await expect(receipt).toHaveAttribute('href', /\/checkout\/receipts\//);
    const previous = page.getByRole('button', { name: 'Previous' });
    const next = page.getByRole('button', { name: 'Next' });
    await expect(previous).toBeDisabled();
    await next.click();
    await expect(rows(page)).toHaveCount(2);
    await expect(next).toBeDisabled();
    await stack.vendors.refund(await stack.vendors.chargeOf(sessions[0] ?? ''));
    await expect(rows(page).nth(1)).toContainText('$3 refunded');

    // Tabs share the page number: it stays when the tab changes, and a shorter table shows its last
    // page.
    await page.getByRole('tab', { name: 'Payments' }).press('ArrowRight');
    await expect(page.getByRole('tab', { name: 'Credit ledger' })).toBeFocused();
    await expect(page.getByText('Page 2 of 2')).toBeVisible();
    await expect(page.getByRole('cell', { name: 'Free credits' })).toBeVisible();
    await openFilters(page);
    await page.getByLabel('Movement').selectOption('Payment returned');
    await expect(rows(page)).toHaveCount(2);
    await expect(rows(page).nth(1)).toContainText('−50');
    await expect(page.getByText('Page 1 of 1')).toBeVisible();
    const file = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export CSV' }).click();
    expect((await file).suggestedFilename()).toMatch(/^pennytext-ledger-.*\.csv$/);
    expect((await file).url()).toContain('kind=chargeback');
    await chooseDays(page, '', '2020-01-01');
    await expect(page.getByText('No movements of credits found.')).toBeVisible();
    await expect(page).toHaveURL(/\?tab=ledger&kind=chargeback&to=2020-01-01$/);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(rows(page)).toHaveCount(4);
    await expectGoodView(page);

    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('tab', { name: 'Payments' }).click();
    await expect(page.getByText('Page 2 of 2')).toBeVisible();
    const card = await rows(page).nth(1).boundingBox();
    const method = await page.getByRole('cell', { name: /Stripe Payment/ }).boundingBox();
    expect(method && card && method.y > card.y && method.width > 300).toBe(true);
    await expectGoodView(page);
    expect(complaints.take()).toEqual([]);
    await leave(page);
  });
});

test.describe('the webhook', () => webhookViewTests(() => stack));
