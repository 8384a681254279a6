import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { Complaints } from '../testing/complaints.js';
import { chooseDays, openFilters } from '../testing/choose-days.js';
import { test } from '../testing/product.js';
import { shownNumber } from '../testing/shown-number.js';
import { hydrated, signIn } from '../testing/signed-in.js';
import type { Stack } from '../testing/stack.js';
import { takeScreenshots } from '../testing/screenshots.js';
import { expectGoodView } from '../testing/view-checks.js';
import { Visitor } from '../testing/visitor.js';

const OURS = '+15005550006';
const ADA = '+16505550111';
const BOB = '+16505550112';
const STRANGER = '+16505550113';

let stack: Stack;
let page: Page;
let apikey: string;

test.beforeAll(async ({ browser, product }) => {
  stack = product;
  const person = await signIn(browser, stack);
  page = person.page;
  await stack.admin('credits', 'adjust', person.email, '50', '--why', 'e2e');
  apikey = await Visitor.of(stack, page.request).apiKey();
});

test.afterAll(async () => {
  await page?.context().close();
});

const menuLink = (name: string) =>
  page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name, exact: true });
const rows = () => page.getByRole('table', { name: 'Opt-outs' }).locator('tbody tr:not([aria-hidden])');
const send = async (to: string) =>
  expect(await stack.api.send({ to, message: 'Doors open at 8', apikey })).toMatchObject({ kind: 'accepted' });
const areDelivered = async () => (await stack.api.messages(apikey)).every(({ status }) => status === 'delivered');

test('without opt-outs it explains STOP and START', async () => {
  const complaints = new Complaints(page);
  await menuLink('Opt-outs').click();
  await expect(page).toHaveTitle(/^Opt-outs/);
  await expect(page.getByText('No opt-outs.')).toBeVisible();
  await expect(page.getByText(/^A person who replies STOP .* Replying START opts the person in again/)).toBeVisible();
  await expectGoodView(page);
  await page.getByRole('button', { name: 'Show people who opted in again' }).click();
  await expect(page.getByText('No opt-outs match these filters.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page).toHaveURL(`${stack.url}/dashboard/opt-outs`);
  expect(complaints.take()).toEqual([]);
});

test('a person who replies STOP appears at once, with the sender, the time and the word', async () => {
  const complaints = new Complaints(page);
  await send(ADA);
  await send(BOB);
  await expect.poll(areDelivered).toBe(true);
  await stack.carrier.reply(ADA, OURS, 'Stop');
  await expect(rows()).toHaveCount(1);
  await stack.carrier.reply(BOB, OURS, 'unsubscribe');
  await expect(rows()).toHaveCount(2);
  await expect(page.getByRole('columnheader')).toHaveText(['Date', 'Number', 'Opted out of', 'How', 'State']);
  const cells = rows().first().getByRole('cell');
  await expect(cells.nth(1)).toHaveText(shownNumber(BOB));
  await expect(cells.nth(2)).toHaveText(shownNumber(OURS));
  await expect(cells.nth(3)).toHaveText('Replied UNSUBSCRIBE');
  await expect(cells.nth(4)).toHaveText('Opted out');
  await takeScreenshots(page, 'opt-outs');
  await expectGoodView(page);
  expect(complaints.take()).toEqual([]);
});

test('a number is found as it is typed, and the address keeps the filters', async () => {
  const field = page.getByLabel('Phone number');
  await field.pressSequentially('555-0111', { delay: 30 });
  await expect(rows()).toHaveCount(1);
  await expect(field).toBeFocused();
  await expect(rows().first()).toContainText(shownNumber(ADA));
  await page.reload();
  await hydrated(page);
  await expect(field).toHaveValue('555-0111');
  await expect(rows()).toHaveCount(1);
  await field.fill('no digits');
  await expect(field).toHaveAccessibleDescription('Enter at least one digit.');
  await field.fill(STRANGER);
  await expect(page.getByText(/^If a message to this person is refused all the same/)).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(rows()).toHaveCount(2);
  await chooseDays(page, '', '2025-01-01');
  await expect(page.getByText('No opt-outs match these filters.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(rows()).toHaveCount(2);
});

test('the file has what the filters choose', async () => {
  await page.getByLabel('Phone number').fill(ADA);
  await expect(rows()).toHaveCount(1);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export CSV' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^pennytext-optouts-.*\.csv$/);
  const lines = readFileSync(await file.path(), 'utf8')
    .trim()
    .split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain(`"${ADA}","${OURS}","Reply","STOP","Opted out"`);
});

test('a refusal leads to the person who opted out: in the composer and in the preview of a bulk', async () => {
  await page.goto(`${stack.url}/dashboard/send`);
  await hydrated(page);
  await page.getByLabel('To', { exact: true }).pressSequentially(ADA);
  await page.getByLabel('Message', { exact: true }).pressSequentially('Hello');
  await page.getByRole('link', { name: 'See opt-outs' }).first().click();
  await expect(page).toHaveURL(`${stack.url}/dashboard/opt-outs?number=${encodeURIComponent(ADA)}`);
  await expect(rows()).toHaveCount(1);
});

test('START takes the person off the list, and keeps both times', async () => {
  await page.goto(`${stack.url}/dashboard/opt-outs`);
  await expect(rows()).toHaveCount(2);
  await stack.carrier.reply(ADA, OURS, 'START');
  await expect(rows()).toHaveCount(1);
  await openFilters(page);
  await page.getByLabel('State').selectOption('all');
  await expect(rows()).toHaveCount(2);
  await expect(rows().last().getByRole('cell').last()).toHaveText('Opted in again');
  await rows().last().getByRole('cell').nth(2).click();
  await expect(page).toHaveURL(`${stack.url}/dashboard/conversations/${encodeURIComponent(ADA)}`);
});
