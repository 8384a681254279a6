import { expect, type Page } from '@playwright/test';
import { Complaints } from '../testing/complaints.js';
import { test } from '../testing/product.js';
import { takeScreenshots } from '../testing/screenshots.js';
import { leave, signIn } from '../testing/signed-in.js';
import type { Stack } from '../testing/stack.js';
import { expectGoodView } from '../testing/view-checks.js';
import { Visitor } from '../testing/visitor.js';

let stack: Stack;

test.beforeAll(({ product }) => {
  stack = product;
});

const rows = (page: Page, table: string) => page.getByRole('table', { name: table }).locator('tbody').getByRole('row');

const prices = (page: Page) =>
  page.getByRole('region', { name: 'Price per message by country and pack' }).locator('tbody').getByRole('row');

function isNextMonthIn24Hours(): boolean {
  const monthAt = (ms: number) => new Date(ms).toLocaleString('en-US', { timeZone: 'America/New_York', month: 'long' });
  return monthAt(Date.now()) !== monthAt(Date.now() + 86_400_000);
}

test('spend is shown by month and key, country and use, as messages are charged and refunded', async ({ browser }) => {
  const { page } = await signIn(browser, stack);
  const complaints = new Complaints(page);
  await page.goto(`${stack.url}/dashboard/billing`);
  await page.getByRole('tab', { name: 'Spend' }).click();
  await expect(page.getByText('Nothing was spent in these months.')).toBeVisible();
  await expectGoodView(page);

  const visitor = Visitor.of(stack, page.request);
  const apikey = await visitor.apiKey();
  await stack.api.send({ to: '+14155550131', message: 'Hello', apikey });
  // The sandbox's number that no carrier has: refunded.
  await stack.api.send({ to: '+15005550001', message: 'Hello', apikey });
  await stack.api.send({ to: '+14165550123', message: 'Hello', apikey });
  const month = new Date().toLocaleString('en-US', { timeZone: 'America/New_York', month: 'long', year: 'numeric' });
  await expect(rows(page, 'By month and key')).toHaveText([
    new RegExp(`^${month}.*Account key, dashboard, replies.*3.*3.*1.*2`),
  ]);
  await expect(rows(page, 'By country')).toHaveText([/^USA.*2.*2.*1.*1|^Canada/, /^USA|^Canada.*1.*1.*0.*1/]);
  await expect(rows(page, 'By use')).toHaveText([/^Messages.*3.*3.*1.*2/]);
  await takeScreenshots(page, 'spend');
  await expectGoodView(page);
  await page.getByLabel('Months shown').selectOption('This month');
  await expect(rows(page, 'By use')).toHaveText([/^Messages/]);
  const downloaded = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  expect((await downloaded).suggestedFilename()).toMatch(/^pennytext-spend-\d{4}-\d{2}-\d{2}\.csv$/);
  expect(complaints.take()).toEqual([]);
  await leave(page);
});

test('the API Keys page tells what leaked keys could spend, and the change that lowers it most does so', async ({
  browser,
}) => {
  const { page, email } = await signIn(browser, stack);
  const complaints = new Complaints(page);
  const buyer = Visitor.of(stack, page.request);
  const { page: checkout, sessionId } = await buyer.checkout('basic');
  await buyer.pay(checkout, '4242 4242 4242 4242', email);
  await buyer.cameBack(sessionId);
  await page.goto(`${stack.url}/dashboard/key`);
  const card = page.getByRole('region', { name: 'If your keys leak' });
  await expect(card).toContainText('If all keys leaked now, at most 253 credits could be spent before you notice.');
  await expect(card).toContainText('That is your whole balance. This assumes that you notice within 24 hours.');
  await stack.sql(
    `INSERT INTO auto_top_ups (account_id, enabled, threshold, pack, per_month_max, customer_id, payment_method_id,
       card_last4)
     SELECT id, true, 50, 'basic', 3, 'cus_' || id, 'pm_1', '4242' FROM accounts WHERE email = $1`,
    [email],
  );
  await page.reload();
  // On the last day of a month the next month's charges come within the 24 hours too.
  const [bought, most] = isNextMonthIn24Hours() ? ['1,500', '1,753'] : ['750', '1,003'];
  await expect(card).toContainText(`and ${bought} credits that automatic top-up would buy`);
  await expect(card).toContainText(`at most ${most} credits could be spent`);
  await expect(card).toContainText('Lowers it to 253 credits: Turn off automatic top-up.');
  await takeScreenshots(page, 'exposure');
  await expectGoodView(page);
  await card.getByRole('link', { name: 'Change it under Automatic top-up' }).click();
  const topUp = page.getByRole('region', { name: 'Automatic top-up', exact: true });
  await topUp.getByRole('checkbox', { name: 'Top up automatically' }).uncheck();
  await topUp.getByRole('button', { name: 'Save top-up' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Automatic top-up is off.' })).toBeVisible();
  await page.goto(`${stack.url}/dashboard/key`);
  await expect(card).toContainText('at most 253 credits could be spent');
  await card.getByRole('link', { name: 'Alerts' }).click();
  const alerts = page.getByRole('region', { name: 'Alerts', exact: true });
  await expect(alerts.getByRole('heading')).toBeInViewport();
  expect(complaints.take()).toEqual([]);
  await leave(page);
});

test('the pricing page has the price of a message in dollars, and its calculator answers as one types', async ({
  browser,
}) => {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 844 } })).newPage();
  await page.goto(`${stack.url}/pricing`);
  await expect(prices(page).filter({ hasText: 'Germany' })).toHaveText(/^Germany5\$0\.30\$0\.20\$0\.15\$0\.10$/);
  await expect(page.getByRole('table').getByRole('row')).toHaveCount(15);
  const calculator = page.getByRole('region', { name: 'Calculator' });
  const packs = calculator.getByRole('listitem');
  await calculator.getByLabel('Messages to').selectOption('UK');
  const count = calculator.getByLabel('Messages a month');
  await count.fill('');
  await expect(count).toHaveAccessibleDescription('A whole number from 1 to 10,000,000.');
  await count.pressSequentially('1,000');
  await expect(calculator.getByRole('status')).toHaveText('3,000 credits a month, 3 credits for each message');
  await expect(packs).toHaveText([
    'Starter$18060 packs, $0.18 a messageNo credits left over',
    'Basic$12012 packs, $0.12 a messageNo credits left over',
    'ProLowest price$903 packs, $0.09 a messageNo credits left over',
    'Enterprise$1002 packs, $0.06 a message2,000 credits left over',
  ]);
  await calculator.getByLabel('Length of each').selectOption('2 segments');
  await expect(calculator.getByRole('status')).toHaveText('6,000 credits a month, 6 credits for each message');
  await page.setViewportSize({ width: 1440, height: 844 });
  await takeScreenshots(page, 'pricing-calculator');
  await leave(page);
});

test('without JavaScript the prices are there, and the calculator is not', async ({ browser }) => {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await page.goto(`${stack.url}/pricing`);
  await expect(prices(page)).toHaveCount(14);
  await expect(page.getByRole('region', { name: 'Calculator' })).toBeHidden();
  await leave(page);
});
