import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { openFilters } from '../testing/choose-days.js';
import { Complaints } from '../testing/complaints.js';
import { test } from '../testing/product.js';
import { tabTo } from '../testing/tab-to.js';
import { takeScreenshots } from '../testing/screenshots.js';
import { hydrated, signIn } from '../testing/signed-in.js';
import type { Stack } from '../testing/stack.js';
import { expectGoodView } from '../testing/view-checks.js';
import { Visitor } from '../testing/visitor.js';

/** Twilio's number that is no number: https://www.twilio.com/docs/iam/test-credentials. */
const NO_NUMBER = '+15005550001';
const NO_MOBILE = '+15005550009';
const SENTENCE = 'Your parcel arrives today between 2 and 4 pm.';

let stack: Stack;
let page: Page;
let apikey: string;
let shopKey: string;

test.beforeAll(async ({ browser, product }) => {
  stack = product;
  const person = await signIn(browser, stack);
  page = person.page;
  const visitor = Visitor.of(stack, page.request);
  apikey = await visitor.apiKey();
  await stack.admin('credits', 'adjust', person.email, '200', '--why', 'a test');
  const created = await visitor.call('POST', '/api/dashboard/keys', {
    name: 'Shop with a rather long name, Berlin',
    mode: 'live',
    scopes: ['send'],
    addresses: [],
    countries: [],
    creditsPerDay: null,
    creditsPerMonth: null,
    messagesPerSecond: null,
    expiresAt: null,
  });
  shopKey = ((await created.json()) as { secret: string }).secret;
});

test.afterAll(async () => {
  await page?.context().close();
});

async function send(to: string, key = apikey, message = SENTENCE): Promise<void> {
  expect(await stack.api.send({ to, message, apikey: key })).toMatchObject({ kind: 'accepted' });
}
const open = async (path: string) => {
  await page.goto(`${stack.url}${path}`);
  await hydrated(page);
};
const rows = (label: string) => page.getByRole('table', { name: label }).locator('tbody').getByRole('row');

test('without messages it shows what will be here, and where to begin', async () => {
  await open('/dashboard/deliverability');
  await expect(page.getByText('No message ended on these days.')).toBeVisible();
  await page.getByRole('button', { name: 'Show the last 90 days' }).click();
  await expect(page.getByRole('link', { name: 'Send a message' })).toBeVisible();
  await takeScreenshots(page, 'deliverability-empty');
  await expectGoodView(page);
});

test('it counts by reason, country, key and day as messages end, without a reload', async () => {
  const complaints = new Complaints(page);
  await open('/dashboard/deliverability');
  const delivered = [1, 2, 3, 4, 5, 6].map((n) => `+1415555013${n}`);
  for (const to of delivered) await send(to);
  await send('+14165550123', shopKey);
  // The fault is for the next two messages, so these have to be at the carrier before it.
  for (const to of [...delivered, '+14165550123'])
    await expect.poll(async () => (await stack.carrier.messages(to)).length, { timeout: 20_000 }).toBe(1);
  await stack.carrier.misbehave('undelivered', { count: 2 });
  await send('+14155550141');
  await send('+4915123456789', shopKey, 'שלום עולם');
  await expect(rows('By reason')).toHaveText([/^Phone off or out of reach.*30003.*may work.*2.*100\.0%$/]);
  for (const to of [NO_NUMBER, NO_NUMBER, NO_NUMBER, NO_MOBILE]) await send(to);
  await expect(rows('By reason')).toHaveText([
    /^Invalid number.*21211.*fails again.*3.*50\.0%$/,
    /^Phone off or out of reach/,
    /^Not a mobile number.*21614/,
  ]);
  await expect(rows('By country')).toHaveText([/^USA.*11.*6.*5.*54\.5%$/, /^Canada|^Germany/, /^Canada|^Germany/]);
  await expect(rows('By key')).toHaveText([
    /^Account key and dashboard.*11/,
    /^Shop with a rather long name, Berlin.*2/,
  ]);
  await expect(rows('By day')).toHaveCount(1);
  await takeScreenshots(page, 'deliverability');
  await expectGoodView(page);
  expect(complaints.take()).toEqual([]);
});

test('from Home it is two clicks to the messages of a reason, and one more to what it means', async () => {
  await open('/dashboard');
  const reasons = page.getByRole('list', { name: 'Reasons' }).getByRole('listitem');
  await expect(reasons).toHaveText([/Invalid number.*3/, /Phone off.*2/, /Not a mobile number.*1/]);
  await page.getByLabel('Days shown').selectOption('30');
  await expect(reasons).toHaveCount(3);
  await takeScreenshots(page, 'deliverability-home');
  await page.getByRole('link', { name: 'Phone off or out of reach' }).click();
  await expect(page.getByText(/^2 of \d+ messages\.$/)).toBeVisible();
  expect(new URL(page.url()).searchParams.get('reason')).toBe('30003');
  await expect(page.getByLabel('Reason', { exact: true })).toHaveValue('30003');
  const status = rows('SMS Sent').first().getByRole('cell').last();
  await expect(status).toHaveText('UndeliveredPhone off or out of reach 30003');
  await takeScreenshots(page, 'deliverability-history');
  await expectGoodView(page);
  await openFilters(page);
  await page.getByLabel('Reason', { exact: true }).selectOption('21614');
  await expect(page.getByText(/^1 of \d+ messages\.$/)).toBeVisible();
  await page.reload();
  await expect(page.getByText(/^1 of \d+ messages\.$/)).toBeVisible();
  await page.getByRole('link', { name: 'What 21614 means' }).click();
  await expect(page).toHaveURL(`${stack.url}/docs/delivery-errors/permanent#21614`);
  await expect(page.getByRole('heading', { name: '21614' })).toBeInViewport();
  await takeScreenshots(page, 'delivery-errors');
});

test('a code without an explanation can be filtered by, too', async () => {
  await open('/dashboard/messages?reason=39999');
  await expect(page.getByLabel('Reason', { exact: true })).toHaveValue('39999');
  await expect(page.getByText('No messages match these filters.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page.getByLabel('Reason', { exact: true })).toHaveValue('');
});

test('the days are chosen with the keyboard, kept in the address, and exported', async () => {
  await open('/dashboard/deliverability');
  const days = page.getByRole('button', { name: /^Days: / });
  await expect(days).toHaveAccessibleName('Days: Last 30 days');
  await days.press('Enter');
  await tabTo(page, page.getByRole('button', { name: 'Last 7 days', exact: true }));
  await page.keyboard.press('Enter');
  await expect(days).toHaveAccessibleName('Days: Last 7 days');
  await expect(days).toBeFocused();
  await expect(page).toHaveURL(/\?days=7$/);
  await page.reload();
  await expect(days).toHaveAccessibleName('Days: Last 7 days');
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).press('Enter');
  const lines = readFileSync(await (await download).path(), 'utf8')
    .trim()
    .split('\r\n');
  expect(lines).toHaveLength(1 + 6);
  expect(lines.join('\n')).toContain('"no","Invalid number","21211",3');
  await rows('By reason').first().getByRole('link').first().press('Enter');
  await expect(page.getByText(/^3 of \d+ messages\.$/)).toBeVisible();
});

test('more than 92 days are refused with a reason, as dates and in the address', async () => {
  await open('/dashboard/deliverability');
  await page.getByRole('button', { name: /^Days: / }).click();
  await page.getByLabel('First day').fill('2026-01-01');
  await page.getByLabel('Last day').fill('2026-06-30');
  await page.getByRole('button', { name: 'Show these days' }).click();
  await expect(page.getByRole('alert')).toHaveText('These are 181 days. Choose at most 92.');
  await expect(page).toHaveURL(/deliverability$/);
  await page.getByLabel('First day').fill('2026-04-01');
  await page.getByRole('button', { name: 'Show these days' }).click();
  await expect(page).toHaveURL(/\?from=2026-04-01&to=2026-06-30$/);
  await open('/dashboard/deliverability?from=2026-01-01&to=2026-06-30');
  await expect(page.getByText('These are 181 days. Choose at most 92. These are the last 30 days.')).toBeVisible();
});

test('a message that is lost shows so beside the composer, with the reason', async () => {
  await open('/dashboard/send');
  await page.getByLabel('To', { exact: true }).fill(NO_NUMBER);
  await page.getByRole('textbox', { name: 'Message' }).fill(SENTENCE);
  await page.getByRole('radio', { name: 'Live key' }).check();
  await page.getByRole('button', { name: 'Send for 1 credit' }).click();
  const notice = page.getByRole('main').getByRole('status').filter({ hasText: 'not delivered' });
  await expect(notice).toContainText('The message was not delivered. You got 1 credit back.');
  await expect(notice.getByRole('link', { name: /^What \w+ means$/ })).toBeVisible();
});
