import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { Complaints } from '../testing/complaints.js';
import { expectLedgerClean } from '../testing/invariants.js';
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

test.afterAll(async () => {
  await expectLedgerClean(stack);
});

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

const subjectsTo = async (email: string) => (await stack.vendors.mails(email)).map(({ subject }) => subject);

test('alerts are saved, checked beside their field, and sent by email', async ({ browser }) => {
  const { page, email } = await signIn(browser, stack);
  const complaints = new Complaints(page);
  await page.goto(`${stack.url}/dashboard/account`);
  const alerts = card(page, 'Alerts');
  const lowMail = alerts.getByRole('checkbox', { name: 'Email me when my balance is low' });
  const spendMail = alerts.getByRole('checkbox', { name: 'Email me when a day uses many credits' });
  const low = alerts.getByLabel('Warn me below');
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await expect(lowMail).not.toBeChecked();
  await low.fill('0');
  await save.click();
  await expect(low).toHaveAccessibleDescription('A whole number from 1 to 1,000,000. credits');
  await low.fill('50');
  await lowMail.check();
  await spendMail.check();
  await save.click();
  const spend = alerts.getByLabel('Warn me when a day uses');
  await expect(spend).toHaveAccessibleDescription('A whole number from 1 to 1,000,000,000. credits');
  await spend.fill('1,000');
  await save.click();
  await expect(page.getByRole('alert').filter({ hasText: 'Your settings were saved.' })).toBeVisible();
  await page.reload();
  await expect(lowMail).toBeChecked();
  await expect(spend).toHaveValue('1000');
  await expect(alerts).toContainText('Used today, less refunds: 0 credits.');
  await expect.poll(() => subjectsTo(email), { timeout: 60_000 }).toContain('Your balance is 3 credits');
  await takeScreenshots(page, 'alerts');
  await expectGoodView(page);
  await page.goto(`${stack.url}/dashboard/purchase`);
  await page.getByRole('button', { name: 'Buy Basic' }).waitFor();
  await takeScreenshots(page, 'purchase');
  expect(complaints.take()).toEqual([]);
  await leave(page);
});

test('a payment gets an invoice with the customer’s details, a refund a credit note', async ({ browser }) => {
  const { page, email } = await signIn(browser, stack);
  const complaints = new Complaints(page);
  await page.goto(`${stack.url}/dashboard/account`);
  const details = card(page, 'Invoice details');
  await details.getByLabel('VAT ID').fill('<b>');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(details.getByLabel('VAT ID')).toHaveAccessibleDescription(/^Up to 40 letters/);
  await details.getByLabel('Company').fill('Analytical Engines & Sons Ltd');
  await details.getByLabel('Address').fill('12 St James’s Square\nLondon SW1Y 4JH\nUnited Kingdom');
  await details.getByLabel('VAT ID').fill('GB 123 4567 89');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Your settings were saved.' })).toBeVisible();
  await takeScreenshots(page, 'invoice-details');
  await expectGoodView(page);

  const buyer = Visitor.of(stack, page.request);
  const { sessionId, page: checkout } = await buyer.checkout('basic');
  await page.goto(`${stack.url}/dashboard/billing`);
  await page.getByRole('tab', { name: 'Invoices' }).click();
  await expect(page.getByText('No invoices yet.')).toBeVisible();
  await buyer.pay(checkout, '4242 4242 4242 4242', email);
  const rows = page.getByRole('table', { name: 'Invoices' }).getByRole('row');
  await expect(rows).toHaveCount(2, { timeout: 60_000 });
  await stack.vendors.refund(await stack.vendors.chargeOf(sessionId), 400);
  await expect(rows).toHaveCount(3, { timeout: 60_000 });
  await expect(rows.nth(1)).toContainText(/Credit note \d{6}.*-\$4\.00.*100/);
  await takeScreenshots(page, 'invoices');
  await expectGoodView(page);
  const opened = page.waitForEvent('popup');
  await page.getByRole('link', { name: /^Invoice / }).click();
  const invoice = await opened;
  await expect(invoice.getByRole('heading', { level: 1 })).toHaveText(/^Invoice \d{6}$/);
  await expect(invoice.getByText('Analytical Engines & Sons Ltd')).toBeVisible();
  await expect(invoice.getByText('United Kingdom')).toBeVisible();
  await expect(invoice.getByText('Example Operator Inc.')).toHaveCount(2);
  await expect(invoice.getByText('$10.00')).toHaveCount(2);
  await expect(invoice.getByText(/^\$4\.00 was refunded later: credit note \d{6}\.$/)).toBeVisible();
  await takeScreenshots(invoice, 'invoice');
  await expectGoodView(invoice);
  await invoice.emulateMedia({ media: 'print' });
  await expect(invoice.getByRole('button', { name: 'Print' })).toBeHidden();
  await invoice.emulateMedia({ media: 'screen' });
  await invoice.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', '');
  });
  await invoice.getByRole('button', { name: 'Print' }).click();
  await expect(invoice.locator('body')).toHaveAttribute('data-printed');
  const downloaded = invoice.waitForEvent('download');
  await invoice.getByRole('link', { name: 'Download PDF' }).click();
  const file = await downloaded;
  expect(file.suggestedFilename()).toMatch(/^pennytext-invoice-\d{6}\.pdf$/);
  expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe('%PDF-');
  expect(complaints.take()).toEqual([]);
  await leave(page);
});

test.describe('automatic top-up', () => {
  /** Saves a card on the payment page, from a person's dashboard, and comes back. */
  async function saveCard(page: Page, number: string, isConfirmed = false): Promise<void> {
    await page.goto(`${stack.url}/dashboard/purchase`);
    await card(page, 'Automatic top-up').getByRole('button', { name: 'Save a card' }).click();
    await page.getByLabel('Card number').fill(number);
    await page.getByRole('button', { name: 'Save card' }).click();
    if (isConfirmed) await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    const last4 = number.slice(-4);
    await expect(page.getByRole('alert').filter({ hasText: `Your card ending in ${last4} was saved.` })).toBeVisible();
    await expect(page).toHaveURL(`${stack.url}/dashboard/purchase`);
  }

  async function turnOn(page: Page): Promise<void> {
    const topUp = card(page, 'Automatic top-up');
    await topUp.getByRole('checkbox', { name: 'Top up automatically' }).check();
    await topUp.getByRole('button', { name: 'Save top-up' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'Automatic top-up is on.' })).toBeVisible();
  }

  const expectBalance = (page: Page, credits: number) =>
    expect.poll(() => Visitor.of(stack, page.request).balance(), { timeout: 60_000 }).toBe(credits);

  test('saves a card, charges it once when the balance is low, and removes it', async ({ browser }) => {
    const { page, email } = await signIn(browser, stack);
    const complaints = new Complaints(page);
    await saveCard(page, '4242 4242 4242 4242');
    const topUp = card(page, 'Automatic top-up');
    await expect(topUp).toContainText('Visa ending in 4242, expires 12/2034', { ignoreCase: true });
    const threshold = topUp.getByLabel('When the balance falls below');
    await threshold.fill('300');
    await topUp.getByRole('button', { name: 'Save top-up' }).click();
    await expect(threshold).toHaveAccessibleDescription('A whole number from 1 to 250, the credits of the pack.');
    await threshold.fill('50');
    await takeScreenshots(page, 'top-up');
    await expectGoodView(page);
    await turnOn(page);
    await expectBalance(page, 253);
    await expect(topUp).toContainText('1 of 3 this month');
    await expect.poll(() => subjectsTo(email), { timeout: 60_000 }).toContain('Your receipt: 250 credits for $10');
    await page.goto(`${stack.url}/dashboard/billing`);
    await expect(page.getByRole('table', { name: 'Payments' })).toContainText('Stripe Payment (automatic top-up)');
    await page.getByRole('tab', { name: 'Automatic top-ups' }).click();
    const rows = page.getByRole('table', { name: 'Automatic top-ups' }).getByRole('row');
    await expect(rows).toHaveCount(2);
    await expect(rows.last()).toContainText(/\$10.*250.*Ending in 4242.*Paid/);
    await takeScreenshots(page, 'top-ups');
    await page.goto(`${stack.url}/dashboard/purchase`);
    await topUp.getByRole('button', { name: 'Remove card…' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove card' }).click();
    await expect(topUp.getByRole('button', { name: 'Save a card' })).toBeVisible();
    expect(complaints.take()).toEqual([]);
    await leave(page);
  });

  test('asks for the bank’s confirmation by email and charges after it', async ({ browser }) => {
    const { page, email } = await signIn(browser, stack);
    await saveCard(page, '4000 0027 6000 3184', true);
    await turnOn(page);
    await expect.poll(() => subjectsTo(email), { timeout: 60_000 }).toContain('Please confirm your top-up');
    const mail = (await stack.vendors.mails(email)).find(({ subject }) => subject === 'Please confirm your top-up');
    const link = /Confirm the payment: (\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
    await page.goto(link);
    const topUp = card(page, 'Automatic top-up');
    await expect(topUp).toContainText(
      'Your bank wants you to confirm the payment of $10 with the card ending in 3184.',
    );
    await takeScreenshots(page, 'top-up-confirm');
    const confirm = topUp.getByRole('button', { name: 'Confirm the payment' });
    await confirm.click();
    await page.getByRole('button', { name: 'Fail' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'Your top-up is not paid yet.' })).toBeVisible();
    await expectBalance(page, 3);
    await confirm.click();
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'Your top-up is paid.' })).toBeVisible();
    await expectBalance(page, 253);
    await expect(confirm).toHaveCount(0);
    await leave(page);
  });

  test('tells of a declined card and when it is tried again', async ({ browser }) => {
    const { page, email } = await signIn(browser, stack);
    await saveCard(page, '4000 0000 0000 0341');
    await turnOn(page);
    await expect(card(page, 'Automatic top-up')).toContainText('Your card was declined. You were not charged.', {
      timeout: 60_000,
    });
    await expect.poll(() => subjectsTo(email), { timeout: 60_000 }).toContain('Your automatic top-up was declined');
    await expectBalance(page, 3);
    await leave(page);
  });

  test('refuses a card that cannot be saved, and comes back without one', async ({ browser }) => {
    const { page } = await signIn(browser, stack);
    await page.goto(`${stack.url}/dashboard/purchase`);
    await card(page, 'Automatic top-up').getByRole('button', { name: 'Save a card' }).click();
    await page.getByLabel('Card number').fill('4000 0000 0000 9995');
    await page.getByRole('button', { name: 'Save card' }).click();
    await expect(page.getByRole('alert')).toContainText('insufficient funds');
    await page.getByRole('link', { name: 'Back' }).click();
    await expect(page).toHaveURL(`${stack.url}/dashboard/purchase`);
    await expect(card(page, 'Automatic top-up').getByRole('button', { name: 'Save a card' })).toBeVisible();
    await leave(page);
  });
});
