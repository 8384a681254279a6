import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { chooseDays, openFilters } from '../testing/choose-days.js';
import { test } from '../testing/product.js';
import { takeScreenshots } from '../testing/screenshots.js';
import { shownNumber } from '../testing/shown-number.js';
import { hydrated, leave, signIn } from '../testing/signed-in.js';
import type { Stack } from '../testing/stack.js';
import { until } from '../../tools/testkit/until.js';
import { expectAccessible, expectGoodView, popupOf } from '../testing/view-checks.js';
import { Visitor } from '../testing/visitor.js';

let stack: Stack;

test.beforeAll(({ product }) => {
  stack = product;
});

const main = (page: Page) => page.getByRole('main');
const rows = (page: Page, label: string) => page.getByRole('table', { name: label }).locator('tbody').getByRole('row');

interface Sent {
  readonly otp_id: string;
  readonly message_id: string;
}

/** A person in the dashboard who has credits, and sends and verifies codes. */
async function codeSender(browser: Parameters<typeof signIn>[0]) {
  const person = await signIn(browser, stack);
  const { page } = person;
  await stack.admin('credits', 'adjust', person.email, '200', '--why', 'a test');
  const visitor = Visitor.of(stack, page.request);
  const apikey = await visitor.apiKey();
  const post = (path: string, data: object) => page.request.post(`${stack.url}${path}`, { data });
  return {
    page,
    visitor,
    apikey,
    send: async (to: string, fields: object = {}): Promise<Sent> => {
      const answer = await post('/api/sendotp', { to, apikey, ...fields });
      expect(answer.status()).toBe(200);
      return (await answer.json()) as Sent;
    },
    codeOf: (to: string): Promise<string> =>
      until(
        'the code has reached the carrier',
        async () => /code is (\d{6})\./.exec((await stack.carrier.messages(to))[0]?.body ?? '')?.[1],
        { timeoutMs: 30_000 },
      ),
    verify: async (otp: string, id: string): Promise<string> =>
      (await post('/api/verifyotp', { otp, otp_id: id, apikey })).text(),
  };
}

test('without codes the log shows a command that sends one, and the page its other parts', async ({ browser }) => {
  const { page } = await signIn(browser, stack);
  await page.getByRole('link', { name: 'One-time Passwords' }).click();
  await expect(main(page).getByText('No codes yet.')).toBeVisible();
  await expect(main(page).getByText(/Codes are kept for 24 hours after they have ended/)).toBeVisible();
  await expect(main(page).getByRole('region', { name: 'Code: Curl' })).toContainText('/api/sendotp');
  await takeScreenshots(page, 'otp-empty');
  await expectGoodView(page);
  await page.getByRole('tab', { name: 'Conversion' }).click();
  await expect(main(page).getByText('No codes were sent on these days.')).toBeVisible();
  await leave(page);
});

test('a support person finds from Home in three clicks whether a code arrived', async ({ browser }) => {
  const { page, send, codeOf, verify } = await codeSender(browser);
  const to = '+12025554711';
  const sent = await send(to, { reference: 'order 4711' });
  await send('+12025554712');
  const code = await codeOf(to);
  expect(await verify(code === '111111' ? '222222' : '111111', sent.otp_id)).toBe('OTP not found');
  expect(await verify(code, sent.otp_id)).toBe('OTP verified');

  await page.goto(`${stack.url}/dashboard`);
  await hydrated(page);
  await page.getByRole('link', { name: 'One-time Passwords' }).click();
  await expect(rows(page, 'Codes')).toHaveCount(2);
  const number = page.getByRole('searchbox', { name: 'Search' });
  await number.click();
  await number.pressSequentially('(202) 555-4711');
  await expect(rows(page, 'Codes')).toHaveCount(1);
  await expect(rows(page, 'Codes').first()).toContainText(/\+1 202 555 4711.*Verified.*Delivered.*2.*USA/s);
  await rows(page, 'Codes').first().click();
  const popup = popupOf(page);
  await expect(popup.getByText(/^Delivered to \+1 202 555 4711, [A-Z][a-z]{2} \d+, \d+:\d\d [AP]M\.$/)).toBeVisible();
  const steps = popup.getByRole('listitem');
  await expect(steps.first()).toContainText('Requested');
  await expect(steps.filter({ hasText: '1 wrong attempt' })).toBeVisible();
  await expect(steps.filter({ hasText: /^Verified/ })).toBeVisible();
  await expect(popup).toContainText('order 4711');
  expect(await popup.textContent()).not.toContain(code);
  expect(await page.content()).not.toContain(code);
  await takeScreenshots(page, 'otp-code');
  await expectAccessible(page, { within: '[role=dialog]' });

  // The address carries search and code: another tab shows the same.
  const other = await page.context().newPage();
  await other.goto(page.url());
  await expect(
    popupOf(other).getByText(/^Delivered to \+1 202 555 4711, [A-Z][a-z]{2} \d+, \d+:\d\d [AP]M\.$/),
  ).toBeVisible();
  await other.close();

  await page.keyboard.press('Escape');
  await expect(popup).toHaveCount(0);
  await expect(rows(page, 'Codes')).toHaveCount(1);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  for (const typed of [sent.otp_id, 'order 4711']) {
    await page.getByRole('searchbox', { name: 'Search' }).pressSequentially(typed);
    await expect(rows(page, 'Codes')).toHaveCount(1);
    await expect(rows(page, 'Codes').first()).toContainText(shownNumber(to));
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(rows(page, 'Codes')).toHaveCount(2);
  }
  await leave(page);
});

test('the log follows codes as they are sent, delivered and verified, in two tabs', async ({ browser }) => {
  const { page, send, codeOf, verify } = await codeSender(browser);
  const other = await page.context().newPage();
  for (const tab of [page, other]) {
    await tab.goto(`${stack.url}/dashboard/otp`);
    await expect(tab.getByRole('status').filter({ hasText: /^Live/ })).toBeVisible();
    await expect(main(tab).getByText('No codes yet.')).toBeVisible();
  }
  const sent = await send('+12025554721');
  for (const tab of [page, other]) await expect(rows(tab, 'Codes').first()).toContainText(/Pending.*Delivered/s);
  expect(await verify(await codeOf('+12025554721'), sent.otp_id)).toBe('OTP verified');
  for (const tab of [page, other]) await expect(rows(tab, 'Codes').first()).toContainText('Verified');
  await leave(page);
});

test('the log is filtered by state, country, key and days, and explains when nothing matches', async ({ browser }) => {
  const { page, visitor, send, codeOf, verify } = await codeSender(browser);
  const name = `Shop in Berlin ${'مرحبا '.repeat(8)}`.slice(0, 60).trim();
  const created = await visitor.call('POST', '/api/dashboard/keys', {
    name,
    mode: 'live',
    scopes: ['otp'],
    addresses: [],
    countries: [],
    creditsPerDay: null,
    creditsPerMonth: null,
    messagesPerSecond: null,
    expiresAt: null,
  });
  const { secret } = (await created.json()) as { secret: string };
  const verified = await send('+12025554731');
  expect(await verify(await codeOf('+12025554731'), verified.otp_id)).toBe('OTP verified');
  await send('+16045550131', { apikey: secret, reference: 'مرحبا 4711 👋' });
  await page.goto(`${stack.url}/dashboard/otp`);
  await expect(rows(page, 'Codes')).toHaveCount(2);
  await expect(rows(page, 'Codes').first()).toContainText(/\+1 604 555 0131.*Pending.*Canada.*Shop/s);
  await takeScreenshots(page, 'otp-log');
  await expectGoodView(page);

  const choose = (field: string, option: string) => page.getByLabel(field, { exact: true }).selectOption(option);
  await openFilters(page);
  await choose('Status', 'Verified');
  await expect(rows(page, 'Codes')).toHaveCount(1);
  await expect(rows(page, 'Codes').first()).toContainText('+1 202 555 4731');
  expect(new URL(page.url()).searchParams.get('status')).toBe('verified');
  await choose('Country', 'Canada');
  await expect(main(page).getByText('No codes match these filters.')).toBeVisible();
  await takeScreenshots(page, 'otp-none');
  await expectAccessible(page, { within: 'main' });
  await choose('Status', 'All');
  await expect(rows(page, 'Codes').first()).toContainText('+1 604 555 0131');
  await choose('Country', 'All');
  await choose('Key', name);
  await expect(rows(page, 'Codes')).toHaveCount(1);
  await expect(rows(page, 'Codes').first()).toContainText('+1 604 555 0131');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(rows(page, 'Codes')).toHaveCount(2);
  await chooseDays(page, '', '2026-01-31');
  await expect(main(page).getByText('No codes match these filters.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('searchbox', { name: 'Search' }).fill('999');
  const history = main(page).getByRole('link', { name: 'SMS History of 999' });
  await expect(history).toHaveAttribute('href', '/dashboard/messages?number=999');
  // A reference of digits alone is offered.
  await main(page).getByRole('button', { name: 'Search for the reference “999”' }).click();
  await expect(page).toHaveURL(/\?text=999$/);
  await page.goto(`${stack.url}/dashboard/otp?code=OT0199d0d07c5a7b1f8e0a4f6f2f9c1b3d`);
  await expect(popupOf(page).getByText(/Your account has no code with the id/)).toBeVisible();
  await leave(page);
});

test('the conversion shows by country and day how many codes were verified, and exports it', async ({ browser }) => {
  const { page, send, codeOf, verify } = await codeSender(browser);
  for (const to of ['+12025554741', '+12025554742', '+16045550141']) await send(to);
  const last = await send('+12025554743');
  expect(await verify(await codeOf('+12025554743'), last.otp_id)).toBe('OTP verified');
  await page.goto(`${stack.url}/dashboard/otp`);
  await page.getByRole('tab', { name: 'Conversion' }).click();
  await expect(rows(page, 'By country').filter({ hasText: 'Canada' })).toContainText(/1.*0.*0\.0%/s);
  await expect(rows(page, 'By country').filter({ hasText: 'USA' })).toContainText(/3.*1.*33\.3%/s);
  await expect(rows(page, 'By day')).toHaveCount(1);
  await expect(main(page).getByText('25.0%').first()).toBeVisible();
  await takeScreenshots(page, 'otp-conversion');
  await expectGoodView(page);
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  const file = await (await downloading).path();
  expect(readFileSync(file, 'utf8')).toMatch(/"CA",1,0,0\r\n.*"US",3,1,33\.3\r\n/s);
  await leave(page);
});

/**
 * Pauses codes after two unverified codes, and returns a call that sends a code to a number of one
 * block.
 */
async function sender(page: Page): Promise<(n: number) => Promise<number>> {
  await stack.sql(`UPDATE otp_rules SET sends_max = 2 WHERE rule = 'conversion_hour'`, []);
  const answer = await page.request.get(`${stack.url}/api/dashboard/key`);
  const { apiKey: apikey } = (await answer.json()) as { apiKey: string };
  return async (n) => {
    const data = { to: `+1415555${3_000 + n}`, apikey };
    return (await page.request.post(`${stack.url}/api/sendotp`, { data })).status();
  };
}

test('the page of one-time passwords shows what the fraud guard paused, and resets it once an hour', async ({
  browser,
}) => {
  const { page, email } = await signIn(browser, stack);
  await stack.admin('credits', 'adjust', email, '10', '--why', 'e2e');
  const send = await sender(page);
  try {
    await page.goto(`${stack.url}/dashboard/otp`);
    await page.getByRole('tab', { name: 'Settings and guard' }).click();
    const reset = main(page).getByRole('button', { name: 'Reset the guard' });
    await expect(main(page).getByText('No codes are paused.')).toBeVisible();
    await expect(reset).toHaveCount(0);
    await takeScreenshots(page, 'otp-settings');

    for (const n of [0, 1]) expect(await send(n)).toBe(200);
    expect(await send(2)).toBe(429);
    await page.goto(`${stack.url}/dashboard/otp`);
    await expect(rows(page, 'Codes').first()).toContainText(/Blocked.*Not sent/s);
    await rows(page, 'Codes').first().click();
    await expect(popupOf(page).getByText(/the fraud guard refused it by the rule conversion_hour/)).toBeVisible();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'See the fraud guard' }).click();
    await expect(main(page).getByText(/paused, because too few of them were verified/)).toBeVisible();
    const row = main(page).getByRole('region', { name: 'Refused within the last hour' }).getByRole('row').last();
    await expect(row).toContainText(/US.*conversion_hour.*2.*0.*1.*Paused/s);
    await takeScreenshots(page, 'otp');
    await expectGoodView(page);

    await reset.click();
    await expect(page.getByText('The fraud guard was reset.')).toBeVisible();
    await expect(main(page).getByText('No codes are paused.')).toBeVisible();
    await expect(reset).toHaveCount(0);
    for (const n of [3, 4]) expect(await send(n)).toBe(200);
    expect(await send(5)).toBe(429);
    await page.reload();
    await expect(reset).toBeDisabled();
    await expect(main(page).getByText(/The next reset is possible after/)).toBeVisible();
  } finally {
    await stack.sql(`UPDATE otp_rules SET sends_max = 30 WHERE rule = 'conversion_hour'`, []);
  }
  await leave(page);
});

test('the page of one-time passwords switches whether a verification has to name the recipient', async ({
  browser,
}) => {
  const { page } = await signIn(browser, stack);
  const answer = await page.request.get(`${stack.url}/api/dashboard/key`);
  const { apiKey: apikey } = (await answer.json()) as { apiKey: string };
  const verify = async () =>
    (await page.request.post(`${stack.url}/api/verifyotp`, { data: { otp: '111111', apikey } })).status();
  await page.goto(`${stack.url}/dashboard/otp?tab=settings`);
  const required = main(page).getByRole('switch', { name: 'Require the recipient' });
  await expect(required).not.toBeChecked();
  expect(await verify()).toBe(200);
  await required.click();
  await expect(page.getByText('The recipient is required now.')).toBeVisible();
  await page.reload();
  await expect(required).toBeChecked();
  expect(await verify()).toBe(400);
  await required.press('Space');
  await expect(page.getByText('The recipient is optional now.')).toBeVisible();
  expect(await verify()).toBe(200);
  await leave(page);
});
