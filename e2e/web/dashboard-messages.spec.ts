import { expect, type BrowserContext, type Locator, type Page } from '@playwright/test';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ask } from '../../tools/testkit/ask.js';
import { chooseDays, openFilters } from '../testing/choose-days.js';
import { Complaints } from '../testing/complaints.js';
import { test } from '../testing/product.js';
import { shownNumber } from '../testing/shown-number.js';
import type { Stack } from '../testing/stack.js';
import { until } from '../../tools/testkit/until.js';
import { expectAccessible, overflow } from '../testing/view-checks.js';
import { WebhookReceiver } from '../testing/webhook-receiver.js';

const OURS = '+15005550006';
const LONG = 'Your parcel arrives today between 2 and 4 pm. Reply STOP to opt out.';
const SHORTENED = 'Your parcel arrives today betw...';
const LOST = 'This one does not arrive';
const HTML = '<b>Bold</b> & <i>not</i>';
const RTL = 'שלום עולם, זו הודעה ארוכה מאוד באמת';
const FAMILY = '👨‍👩‍👧‍👦';

let stack: Stack;
let receiver: WebhookReceiver;
let apiKey: string;
/** The browser window of the account that the tests share. */
let context: BrowserContext;

test.beforeAll(async ({ browser, product }) => {
  stack = product;
  receiver = await WebhookReceiver.start({ failures: 0, answerAfterMs: 0 });
  context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const email = `sms-${randomUUID()}@example.com`;
  await signIn(page, email);
  await stack.admin('credits', 'adjust', email, '500', '--why', 'e2e');
  apiKey = await keyOf(page);
  await call(page, 'PUT', '/api/dashboard/webhook-url', { webhookUrl: receiver.url });
  await page.close();
  await stack.carrier.misbehave('undelivered', { count: 1 });
  await untilFinal(await send('+14155550112', LOST));
  await sendMany(13, '+14155550100');
  await receive('+14155550118', 'The first reply');
});

test.afterAll(async () => {
  await context?.close();
  await receiver?.stop();
});

test('an account without messages sees that there are none, and one thing to do next', async ({ browser }) => {
  const page = await browser.newPage({ permissions: ['clipboard-read', 'clipboard-write'] });
  const complaints = new Complaints(page);
  await signIn(page, `nobody-${randomUUID()}@example.com`);
  await page.goto(`${stack.url}/dashboard/messages`);
  await expect(page.getByText('No sent SMS history available.')).toBeVisible();
  await page.getByRole('button', { name: 'Copy: Curl' }).click();
  const curl = await page.evaluate(() => navigator.clipboard.readText());
  expect(curl).toContain(`curl ${stack.url}/api/sendsms`);
  expect(curl).toContain(`apikey='${await keyOf(page)}'`);
  await page.getByRole('tab', { name: 'SMS Received' }).click();
  await expect(page.getByText('No received SMS history available.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Set your webhook URL' })).toBeVisible();
  expect(complaints.take()).toEqual([]);
  await page.context().close();
});

test('a message that is sent appears by itself, goes its way, and opens by click and by Enter', async () => {
  const page = await openHistory();
  const complaints = new Complaints(page);
  await expect(page.getByRole('columnheader')).toHaveText('Date ↓,Sent To,Message,Segments Used,Status'.split(','));
  const id = await send('+14155550111', LONG);
  const row = rowOf(page, '+14155550111');
  await expect(row).toContainText('Delivered');
  await expect(page.getByRole('row').nth(1)).toContainText(shownNumber('+14155550111'));

  await expect(row.getByRole('cell').nth(2)).toContainText(SHORTENED);
  await row.getByRole('button', { name: '+ whole message' }).click();
  const popup = page.getByRole('dialog');
  await expect(popup.getByRole('paragraph')).toHaveText(`Msg Id - ${id} ${LONG}`);
  await popup.getByRole('button', { name: 'Close' }).click();
  await expect(popup).toHaveCount(0);
  await expect(row.getByRole('button', { name: '+ whole message' })).toBeFocused();

  await row.getByRole('cell').nth(3).click();
  await expect(page).toHaveURL(`${stack.url}/dashboard/message?id=${id}`);
  const states = page.getByRole('list', { name: 'Timeline' }).getByRole('listitem');
  await expect(states).toHaveText([
    /^Queued[A-Z][a-z]{2} \d+, \d+:\d\d [AP]M$/,
    /^Sending\+\d+\.\d s$/,
    /^Sent\+\d+\.\d s$/,
    /^Delivered\+\d+(\.\d)? s$/,
  ]);
  await expect(states.last().getByRole('time')).toHaveAttribute(
    'title',
    /^New York: \d+\/\d+\/\d{4}, \d+:\d\d:\d\d [AP]M\. Here: /,
  );
  await page.getByRole('link', { name: 'Send again' }).click();
  await expect(page.getByLabel('To', { exact: true })).toHaveValue('+14155550111');
  await expect(page.getByLabel('Message', { exact: true })).toHaveValue(LONG);
  await page.getByRole('link', { name: 'SMS History' }).click();
  await row.getByRole('link').press('Enter');
  await expect(page.getByText(LONG, { exact: true })).toBeVisible();
  expect(complaints.take()).toEqual([]);
  await page.close();
});

test('a message that is not delivered shows its refund, why, and each state as it comes', async () => {
  const page = await openHistory();
  await stack.carrier.misbehave('undelivered', { count: 1 });
  const id = await send('+14155550119', LOST);
  await page.goto(`${stack.url}/dashboard/message?id=${id}`);
  const timeline = page.getByRole('list', { name: 'Timeline' });
  await expect(timeline.getByRole('listitem').last()).toContainText('Undelivered');
  await expect(page.getByText(/^Phone off or out of reach \(30003\)\..*Your 1 credit was refunded\.$/)).toBeVisible();
  await expect(page.getByRole('link', { name: 'What 30003 means' })).toHaveAttribute(
    'href',
    '/docs/delivery-errors/passing#30003',
  );
  await expect(page.getByText('1 credit, 1 refunded')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Ledger entries' }).getByRole('row')).toHaveText([
    /^DateMovementCredits$/,
    /Message−1$/,
    /Refund: not delivered\+1$/,
  ]);
  await expect(page.getByText('1 charged, 1 refunded: this message cost nothing.')).toBeVisible();
  await page.getByRole('link', { name: 'Record' }).click();
  await expect(page).toHaveURL(`${stack.url}/dashboard/messages/${id}/record`);
  await page.reload();
  const last = page.getByRole('table', { name: 'States' }).getByRole('row').nth(4);
  await expect(last).toHaveText(/^Undelivered.*Phone off or out of reach/);
  await expect(page.getByRole('table', { name: 'Ledger entries' }).getByRole('row')).toHaveText([
    /^Entry/,
    /−1/,
    /\+1/,
  ]);
  await expectAccessible(page);
  await page.evaluate(() => document.fonts.ready);
  // A balance of several digits stays on its line.
  const lines = page.getByRole('table', { name: 'Ledger entries' }).locator('td[data-number=true]');
  expect(await lines.evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell).whiteSpace))).toEqual(
    Array(await lines.count()).fill('nowrap'),
  );
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download JSON' }).click();
  const letterhead = page.getByText('Account: Ada Lovelace');
  await expect(letterhead).toBeHidden();
  await page.emulateMedia({ media: 'print' });
  await expect(letterhead).toBeVisible();
  await page.emulateMedia({ media: 'screen' });
  const record = JSON.parse(readFileSync(await (await download).path(), 'utf8')) as object;
  expect(record).toMatchObject({ message_id: id, refund: { credits: 1 }, transitions: { length: 4 } });
  await page.getByRole('link', { name: 'Back to the message' }).click();
  await page.getByRole('link', { name: 'Back to SMS History' }).click();
  await expect(rowOf(page, '+14155550119')).toContainText('Undelivered');
  await page.close();
});

test('a reply arrives by itself, shows its webhook, and is sent to it again', async () => {
  const page = await openHistory('?tab=received');
  await expect(rowOf(page, '+14155550118')).toContainText('The first reply');
  await receive('+14155550120', `${RTL} ${LONG}`);
  const row = rowOf(page, '+14155550120');
  await expect(row).toContainText('Received');
  await expect(page.getByRole('columnheader')).toHaveText(
    'Date ↓,Received From,Message,Segments Used,Status'.split(','),
  );
  await row.getByRole('button', { name: '+ whole message' }).click();
  await expect(page.getByRole('dialog').getByRole('paragraph')).toHaveText(
    new RegExp(`^Msg Id - SM[0-9a-f]{32} ${RTL} ${LONG}$`),
  );
  await page.keyboard.press('Escape');

  await row.getByRole('cell').nth(3).click();
  const popup = page.getByRole('dialog', { name: 'Message from +1 415 555 0120' });
  await popup.getByRole('button', { name: 'message.received' }).click();
  const delivery = page.getByRole('dialog', { name: 'Webhook delivery' });
  await expect(delivery.getByText('HTTP 200')).toHaveCount(1);
  await delivery.getByRole('button', { name: 'Resend' }).click();
  await expect(delivery.getByText('HTTP 200')).toHaveCount(2);
  expect(receiver.callsOf(receiver.ids.at(-1) ?? '')).toHaveLength(2);
  await page.keyboard.press('Escape');

  await popup.getByRole('link', { name: 'Reply' }).click();
  const bubbles = page.getByRole('list', { name: 'Messages' }).getByRole('listitem');
  await expect(bubbles).toHaveText([/You:Please answer/, new RegExp(`They:${RTL} ${LONG}`)]);
  await page.getByLabel('Reply').fill('Here is your answer');
  // The form shows no price for a short text of one credit.
  await expect(page.getByText(/\d segment/)).toHaveCount(0);
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(bubbles.nth(2)).toHaveText(/You:Here is your answer.*Delivered/);
  await expect(page.getByLabel('Reply')).toHaveValue('');
  await page.reload();
  await receive('+14155550120', 'STOP');
  await expect(page.getByText(/^This person opted out on/)).toBeVisible();
  await expect(page.getByLabel('Reply')).toHaveCount(0);
  await expectAccessible(page);
  await page.close();
});

test('tabs turn by keyboard; the page is one for all tables, and shown as far as there are pages', async () => {
  const page = await openHistory();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByText(/^Page 2 of/)).toBeVisible();
  const sent = page.getByRole('tab', { name: 'SMS Sent' });
  await sent.focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'SMS Received' })).toBeFocused();
  await expect(page.getByText('Page 1 of 1')).toBeVisible();
  await expect(page.getByText(/^\d messages?$/)).toBeVisible();
  await page.getByRole('link', { name: 'Billing History' }).click();
  await page.getByRole('link', { name: 'SMS History' }).click();
  await expect(page.getByText(/^Page 2 of/)).toBeVisible();
  await page.close();
});

test('rows of later pages stay where they are, and new messages are a hint', async () => {
  const page = await openHistory();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByText(/^Page 2 of/)).toBeVisible();
  const before = await page.getByRole('table').innerText();
  await send('+14155550113', 'Something new');
  await page.getByRole('button', { name: 'New messages: show them' }).click();
  await expect(page.getByText(/^Page 1 of [2-9]/)).toBeVisible();
  await expect(rowOf(page, '+14155550113')).toBeVisible();
  expect(before).not.toContain(shownNumber('+14155550113'));
  expect(before.split('\n').length).toBeGreaterThan(4);
  await page.close();
});

test('filters stand in the address, find what they say, and are what a CSV file is made of', async () => {
  const page = await openHistory();
  const search = page.getByRole('searchbox', { name: 'Search' });
  await search.pressSequentially('does NOT arrive');
  await expect(page).toHaveURL(/\?search=does\+NOT\+arrive$/);
  await expect(page.getByText(/^[12] of \d+ messages\.$/)).toBeVisible();
  await search.fill('');
  await search.pressSequentially('(415) 555-0112');
  await openFilters(page);
  await page.getByLabel('Status').selectOption('Undelivered');
  await expect(page).toHaveURL(/status=undelivered&search=%28415%29\+555-0112$/);
  await expect(page.getByRole('button', { name: 'Remove the filter Status: Undelivered' })).toBeVisible();
  await page.reload();
  await expect(search).toHaveValue('(415) 555-0112');
  await expect(page.getByText(/^1 of \d+ messages\.$/)).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^pennytext-sent-\d{4}-\d\d-\d\d\.csv$/);
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\r\n');
  expect([lines.length, lines[1]]).toEqual([2, expect.stringContaining(LOST)]);

  await send('+14155550114', 'Another one');
  await page.getByRole('button', { name: 'New messages: search again' }).click();
  await openFilters(page);
  await page.getByLabel('Status').selectOption('Queued');
  await expect(page.getByText('No messages match these filters.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page.getByRole('button', { name: 'Clear filters' })).toHaveCount(0);
  await expect(page).toHaveURL(`${stack.url}/dashboard/messages`);
  await chooseDays(page, '2020-01-01', '2020-01-31');
  await expect(page).toHaveURL(/\?from=2020-01-01&to=2020-01-31$/);
  await expect(page.getByText('0 messages', { exact: true })).toBeVisible();
  await page.close();
});

test('a search that has not looked at everything tells that, and goes on', async () => {
  const page = await openHistory();
  const asked: (string | null)[] = [];
  await page.route('**/api/dashboard/messages/sent?*search=needle*', async (route) => {
    const further = new URL(route.request().url()).searchParams.get('continue');
    asked.push(further);
    const rest = further === '4000' ? { more: false, continue: null, searchedTo: null } : {};
    const empty = { rows: [], page: 1, pages: 1, total: 0, among: 9_000, anchor: 9_001 };
    await route.fulfill({
      json: { ...empty, more: true, searchedTo: '2/1/2026, 12:00:00 PM', continue: 4_000, ...rest },
    });
  });
  await page.getByRole('searchbox', { name: 'Search' }).fill('needle');
  await expect(page.getByText(/^0 found\. Searched back to Feb 1,( 2026,)? 12:00 PM\.$/)).toBeVisible();
  await page.getByRole('button', { name: 'Search further' }).click();
  await expect(page.getByText('0 found further back.')).toBeVisible();
  expect(asked.at(-1)).toBe('4000');
  await page.getByRole('button', { name: 'Back to the newest' }).click();
  await expect(page.getByRole('button', { name: 'Search further' })).toBeVisible();
  await page.close();
});

test('texts are shown as texts, and no character is cut in two', async () => {
  const page = await openHistory();
  await send('+14155550115', HTML);
  await expect(rowOf(page, '+14155550115').getByRole('cell').nth(2)).toHaveText(HTML);
  await send('+14155550116', FAMILY.repeat(12));
  await expect(rowOf(page, '+14155550116').getByRole('cell').nth(2)).toHaveText(FAMILY.repeat(12));
  await send('+14155550117', RTL);
  const cell = rowOf(page, '+14155550117').getByRole('cell').nth(2);
  await expect(cell).toContainText('שלום עולם, זו הודעה ארוכה מאוד...');
  expect(await cell.locator('bdi').evaluate((element) => element.textContent?.length)).toBe(33);
  await page.close();
});

test('an unknown message and a history that cannot be read have states of their own', async () => {
  const page = await openHistory();
  await page.goto(`${stack.url}/dashboard/message?id=SM${'0'.repeat(32)}`);
  await expect(page.getByText('Message not found.')).toBeVisible();
  await page.route('**/api/dashboard/messages/sent?*', (route) => route.abort());
  await page.getByRole('link', { name: 'See all messages' }).click();
  await expect(page.getByRole('alert')).toContainText(
    'Your messages could not be loaded. Pennytext could not be reached.',
  );
  await page.unroute('**/api/dashboard/messages/sent?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText(/^Page 1 of [2-9]/)).toBeVisible();
  await page.close();
});

test('a cut message is on one line with its +, and its segments are shown, at every width', async () => {
  const page = await openHistory();
  await send('+14155550123', LONG);
  const row = rowOf(page, '+14155550123');
  await expect(row).toContainText('Delivered');
  for (const width of [1440, 1280, 900, 601, 390, 320]) {
    await page.setViewportSize({ width, height: 900 });
    const more = row.getByRole('button', { name: '+ whole message' });
    const { lines, gap } = await row.getByRole('link').evaluate(
      (link, button) => {
        const text = link.querySelector('bdi');
        if (!text || !button) throw new Error('the row has no cut text');
        const box = text.getBoundingClientRect();
        return { lines: text.getClientRects().length, gap: button.getBoundingClientRect().left - box.right };
      },
      await more.elementHandle(),
    );
    expect({ width, lines }).toEqual({ width, lines: 1 });
    expect(Math.round(gap)).toBe(8);
    await expect(row.getByRole('cell').filter({ hasText: /^1$/ })).toBeVisible();
  }
  await page.close();
});

test('a phone number is shown in groups, and copied as the API takes it', async () => {
  const page = await openHistory();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const id = await send('+14155550124', 'Hello');
  await page.goto(`${stack.url}/dashboard/message?id=${id}`);
  await page.getByText('+1 415 555 0124', { exact: true }).selectText();
  await page.keyboard.press('ControlOrMeta+c');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('+14155550124');
  await page.close();
});

test('a message’s page begins with what can be done, and its curl sends the message again', async () => {
  const page = await openHistory();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const id = await send('+14155550125', "It's here");
  await page.goto(`${stack.url}/dashboard/message?id=${id}`);
  await expect(page.getByText('Delivered after')).toBeVisible();
  await expect(page.getByRole('main')).toContainText('CountryUSA');
  for (const name of ['Send again', 'Conversation', 'Record', 'JSON'])
    await expect(page.getByRole('link', { name, exact: true })).toBeInViewport();
  await page.getByRole('button', { name: 'Copy as curl' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    [
      `curl ${stack.url}/api/sendsms`,
      "  --data-urlencode to='+14155550125'",
      String.raw`  --data-urlencode message='It'\''s here'`,
      `  --data-urlencode apikey='${apiKey}'`,
    ].join(' \\\n'),
  );
  await page.close();
});

test('nothing scrolls sideways at any width, from the narrowest phone on', async () => {
  // The widest value of each column, together on the first page.
  await stack.carrier.misbehave('undelivered', { count: 1 });
  await untilFinal(await send('+14155550121', LOST));
  await untilFinal(await send('+14155550122', LONG));
  const page = await openHistory();
  await expect(rowOf(page, '+14155550121')).toContainText('Undelivered');
  await expect(rowOf(page, '+14155550122')).toContainText(SHORTENED);
  for (const width of [1920, 1400, 1399, 1280, 1279, 1101, 901, 900, 768, 601, 600, 320]) {
    await page.setViewportSize({ width, height: 900 });
    expect([width, await overflow(page)]).toEqual([width, 0]);
  }
  await page.locator('[data-open]').first().click();
  await expect(page.getByRole('heading', { name: 'Timeline' })).toBeVisible();
  expect(await overflow(page)).toBe(0);
  await page.close();
});

/** SMS History as the shared account sees it, filled. */
async function openHistory(path = ''): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${stack.url}/dashboard/messages${path}`);
  await expect(page.getByRole('status').filter({ hasText: /^Live/ })).toBeVisible();
  if (path === '') await expect(page.getByText(/^\d+ messages$/)).toBeVisible();
  return page;
}

/** The newest row of this number. */
function rowOf(page: Page, number: string): Locator {
  return page.getByRole('row', { name: shownNumber(number) }).first();
}

async function send(to: string, message: string): Promise<string> {
  const outcome = await stack.api.send({ to, message, apikey: apiKey });
  if (outcome.kind !== 'accepted') throw new Error(`Not accepted: ${JSON.stringify(outcome)}`);
  return outcome.answer.message_id;
}

async function sendMany(count: number, to: string): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, n) => send(to, `message ${n + 1}`)));
}

async function untilFinal(id: string): Promise<void> {
  const isFinal = async () => (await stack.api.message(apiKey, id)).finished_at !== null;
  await until('the message has its receipt', isFinal, { timeoutMs: 60_000 });
}

/** Sends a person's reply to a message of the account. */
async function receive(from: string, body: string): Promise<void> {
  await untilFinal(await send(from, 'Please answer'));
  await ask(`${stack.carrier.url}/_control/inbound`, { from, to: OURS, body });
}

/** Signs in at the sandbox's Google, with this email address. */
async function signIn(page: Page, email: string): Promise<void> {
  const chooser = await page.request.get(`${stack.url}/auth/google`);
  const form = { name: 'Ada Lovelace', email, email_verified: 'true' };
  const answer = await page.request.post(chooser.url(), { form });
  expect(new URL(answer.url()).pathname).toBe('/dashboard');
}

async function keyOf(page: Page): Promise<string> {
  return ((await call(page, 'GET', '/api/dashboard/key')) as { apiKey: string }).apiKey;
}

async function call(page: Page, method: 'GET' | 'PUT', path: string, data?: object): Promise<unknown> {
  const headers = { 'sec-fetch-site': 'same-origin' };
  const answer = await page.request.fetch(`${stack.url}${path}`, { method, headers, ...(data && { data }) });
  if (!answer.ok()) throw new Error(`${method} ${path} answered ${answer.status()}`);
  return answer.json();
}
