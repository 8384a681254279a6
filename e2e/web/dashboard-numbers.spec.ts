import { expect, type Browser, type Page } from '@playwright/test';
import { Complaints } from '../testing/complaints.js';
import { test } from '../testing/product.js';
import { shownNumber } from '../testing/shown-number.js';
import { leave, signIn } from '../testing/signed-in.js';
import type { Stack } from '../testing/stack.js';
import { expectWhole, overflow, popupOf } from '../testing/view-checks.js';
import { Visitor } from '../testing/visitor.js';
import { WebhookReceiver } from '../testing/webhook-receiver.js';

const CARD = '4242 4242 4242 4242';
const MINUTE_MS = 60_000;

let stack: Stack;
let receiver: WebhookReceiver;
let people = 0;

test.beforeAll(async ({ product }) => {
  stack = product;
  receiver = await WebhookReceiver.start({ failures: 0, answerAfterMs: 0 });
});

test.afterAll(() => receiver?.stop());

const newPerson = () => {
  people += 1;
  return `+1628556${String(people).padStart(4, '0')}`;
};

/** A customer who has bought 250 credits, at the numbers. */
async function openNumbers(browser: Browser): Promise<{ page: Page; visitor: Visitor; email: string }> {
  const { page, email } = await signIn(browser, stack);
  const visitor = Visitor.of(stack, page.request);
  const { page: checkout } = await visitor.checkout('basic');
  await visitor.pay(checkout, CARD, email);
  await expect.poll(() => visitor.balance()).toBeGreaterThan(250);
  await visitor.call('PUT', '/api/dashboard/webhook-url', { webhookUrl: receiver.url });
  await page.goto(`${stack.url}/dashboard/numbers`);
  return { page, visitor, email };
}

const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });

/** Buys the first number that the page lists, and returns it in E.164. */
async function buyFirst(page: Page, label?: string): Promise<string> {
  await tab(page, 'Buy').click();
  const buy = page.getByRole('table', { name: 'Numbers for sale' }).getByRole('button').first();
  const number = ((await buy.getAttribute('aria-label')) ?? '').replace(/[^+\d]/g, '');
  await buy.click();
  if (label !== undefined) await popupOf(page).getByLabel('Label').fill(label);
  await popupOf(page).getByRole('button', { name: 'Buy for 50 credits' }).click();
  await expect(page.getByText(`${shownNumber(number)} is yours. It cost 50 credits.`)).toBeVisible();
  return number;
}

test('a number bought here sends and receives within the minute', async ({ browser }) => {
  const { page, visitor } = await openNumbers(browser);
  const complaints = new Complaints(page);
  await expect(page.getByText('No numbers yet.')).toBeVisible();
  await expect(page.getByRole('tabpanel')).toContainText(
    'A local number costs 50 credits, about $2 a month, a toll-free one 100 credits, about $4 a month.',
  );
  await expectWhole(page, 'numbers-empty');
  const startedMs = Date.now();
  await page.getByRole('button', { name: 'Buy a number' }).click();
  await page.getByLabel('Area code').fill('212');
  const sold = page.getByRole('table', { name: 'Numbers for sale' });
  await expect(sold.getByRole('row').nth(1)).toContainText('+1 212');
  await expect(sold.getByRole('row').nth(1)).toContainText('50 credits, about $2 a month');
  await expectWhole(page, 'numbers-buy');
  const number = await buyFirst(page, 'Shop');
  expect(await visitor.balance()).toBe(203);

  await expect(page.getByRole('link', { name: 'Send from it' })).toBeVisible();
  await page.getByRole('button', { name: /^More about / }).click();
  await page.getByRole('menuitem', { name: 'Open' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Shop');
  await expect(page).toHaveTitle('Shop – Pennytext');
  await page.getByRole('link', { name: 'Send from it' }).click();
  await expect(page.getByLabel('From')).toHaveValue(number);
  const person = newPerson();
  await page.getByLabel('To').fill(person);
  await page.getByRole('textbox', { name: 'Message' }).fill('Hello from my own number');
  await page.getByRole('radio', { name: 'Live key' }).check();
  // Figures of earlier input are dimmed.
  await expect(page.getByRole('button', { name: 'Send for 1 credit' })).toBeVisible();
  await expect(page.getByRole('main').locator('[aria-busy=true]')).toHaveCount(0);
  await expectWhole(page, 'numbers-send');
  await page.getByRole('button', { name: 'Send for 1 credit' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Delivered' })).toBeVisible();

  const stranger = newPerson();
  await stack.carrier.reply(stranger, number, 'I saw your sign');
  await page.goto(`${stack.url}/dashboard/conversations`);
  await expect(page.getByRole('table', { name: 'Conversations' })).toContainText('I saw your sign');
  expect(Date.now() - startedMs).toBeLessThan(MINUTE_MS);

  const messages = await stack.api.messages(await visitor.apiKey());
  expect(messages).toMatchObject([{ to: person, from: number, status: 'delivered' }]);
  expect(complaints.take()).toEqual([]);
  await leave(page);
});

test('a number is released at once without its credits, and can be bought again', async ({ browser }) => {
  const { page, visitor } = await openNumbers(browser);
  const number = await buyFirst(page);
  await page.getByRole('button', { name: /^More about / }).click();
  await page.getByRole('menuitem', { name: 'Release…' }).click();
  await expect(popupOf(page).getByRole('radio', { name: /^When the paid month ends/ })).toBeChecked();
  await expect(popupOf(page)).not.toContainText('not returned');
  await popupOf(page)
    .getByRole('radio', { name: /^Now\./ })
    .check();
  await expect(popupOf(page)).toContainText('Its 50 credits are not returned.');
  await popupOf(page).getByRole('button', { name: 'Release now' }).click();
  await expect(page.getByText(`${shownNumber(number)} is released.`)).toBeVisible();
  await tab(page, 'Released').click();
  await expect(page.getByRole('table', { name: 'Released numbers' })).toContainText(shownNumber(number));
  expect(await visitor.balance()).toBe(203);
  await expectWhole(page, 'numbers-released');
  await page.getByRole('button', { name: 'Buy again' }).click();
  await popupOf(page).getByRole('button', { name: 'Buy for 50 credits' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(shownNumber(number));
  expect(await visitor.balance()).toBe(153);
  await leave(page);
});

test('pools share numbers, and a number shows its traffic, its settings and its release', async ({ browser }) => {
  const { page, visitor } = await openNumbers(browser);
  const complaints = new Complaints(page);
  const [one, two] = [await buyFirst(page, 'Support'), await buyFirst(page)];
  await tab(page, 'Pools').click();
  await expectWhole(page, 'pools-empty');
  await page.getByRole('button', { name: 'Create a pool' }).click();
  await popupOf(page).getByLabel('Name').fill('Newsletter');
  await popupOf(page)
    .getByRole('checkbox', { name: shownNumber(one) })
    .check();
  await popupOf(page)
    .getByRole('checkbox', { name: shownNumber(two) })
    .check();
  await expectWhole(page, 'pool-dialog');
  await popupOf(page).getByRole('button', { name: 'Save pool' }).click();
  const members = page.getByRole('list', { name: 'Numbers of Newsletter' }).getByRole('link');
  await expect(members).toHaveText([shownNumber(one), shownNumber(two)]);
  await expectWhole(page, 'pools');
  await page.getByRole('button', { name: 'Create a pool' }).click();
  await popupOf(page).getByLabel('Name').fill(' Newsletter ');
  await popupOf(page).getByRole('button', { name: 'Save pool' }).click();
  await expect(popupOf(page)).toContainText('You have a pool “Newsletter”. Change it, or choose another name.');
  await popupOf(page).getByLabel('Name').fill('N'.repeat(61));
  await popupOf(page).getByRole('button', { name: 'Save pool' }).click();
  await expect(popupOf(page)).toContainText('Enter a name of up to 60 characters.');
  await popupOf(page).getByRole('button', { name: 'Close' }).click();
  await expect(members).toHaveText([shownNumber(one), shownNumber(two)]);

  const apikey = await visitor.apiKey();
  for (let n = 0; n < 4; n += 1) await stack.api.send({ to: newPerson(), message: `Message ${n}`, apikey });
  await expect
    .poll(async () => (await stack.api.messages(apikey)).map(({ status }) => status))
    .toEqual(Array(4).fill('delivered'));
  const senders = new Set((await stack.api.messages(apikey)).map(({ from }) => from));
  expect([...senders].every((sender) => sender === one || sender === two)).toBe(true);

  await tab(page, 'Yours').click();
  const table = page.getByRole('table', { name: 'Your numbers' });
  await expect(table).toContainText('Newsletter');
  await expectWhole(page, 'numbers');
  await table.getByRole('link', { name: shownNumber(one) }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Support');
  await page.getByLabel('Label').fill('Customer care');
  await page.getByRole('checkbox', { name: /^Renew it every month/ }).uncheck();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Customer care');
  await expect(page.getByRole('main')).toContainText('and is then released');
  await expect(page.getByRole('main')).not.toContainText('rent is paid');
  await expectWhole(page, 'number');
  await page.getByRole('button', { name: /^More about / }).click();
  await page.getByRole('menuitem', { name: 'Release…' }).click();
  await expect(popupOf(page)).toContainText('Its place in 1 pool.');
  await expectWhole(page, 'number-release');
  await popupOf(page).getByRole('button', { name: 'Keep it' }).click();

  await page.setViewportSize({ width: 320, height: 844 });
  expect(await overflow(page)).toBe(0);
  for (const name of ['', '?tab=buy', '?tab=pools']) {
    await page.goto(`${stack.url}/dashboard/numbers${name}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Numbers');
    expect(await overflow(page)).toBe(0);
  }
  expect(complaints.take()).toEqual([]);
  await leave(page);
});

test('a search is kept in the address, and what cannot be searched for is explained', async ({ browser }) => {
  const { page } = await signIn(browser, stack);
  await page.goto(`${stack.url}/dashboard/numbers`);
  await tab(page, 'Buy').click();
  const sold = page.getByRole('table', { name: 'Numbers for sale' });
  await page.getByLabel('Area code').fill('21');
  await expect(page.getByText('Three digits, such as 212.')).toBeVisible();
  await page.getByLabel('Area code').fill('212');
  await expect(sold.getByRole('row').nth(1)).toContainText('+1 212');
  await page.getByLabel('Kind').selectOption('Toll-free');
  await expect(
    page.getByText('Toll-free numbers begin with 800, 833, 844, 855, 866, 877 or 888.', { exact: false }),
  ).toBeVisible();
  await page.getByLabel('Kind').selectOption('Local');
  await page.getByLabel('Contains').fill('shop!');
  await expect(page.getByText('Only digits, letters and *.')).toBeVisible();
  await page.getByLabel('Contains').fill('5-5');
  await expect(page).toHaveURL(/area_code=212&contains=55$/);
  await expect(page.getByLabel('Contains')).toHaveValue('55');
  await page.reload();
  await expect(page.getByLabel('Area code')).toHaveValue('212');
  await expect(page.getByLabel('Contains')).toHaveValue('55');
  await page.getByLabel('Contains').fill('9999999999');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page.getByLabel('Area code')).toHaveValue('');
  await expect(sold.getByRole('row').nth(1)).toBeVisible();
  await page.goBack();
  await expect(tab(page, 'Yours')).toHaveAttribute('aria-selected', 'true');
  await leave(page);
});

test('a number is used for all messages once it is put into the default pool', async ({ browser }) => {
  const { page, visitor } = await openNumbers(browser);
  const number = await buyFirst(page);
  await page.getByRole('button', { name: 'Use it for all messages' }).click();
  await expect(page.getByText('It is in your default pool “Numbers” now.')).toBeVisible();
  const second = await buyFirst(page);
  await page.getByRole('button', { name: 'Use it for all messages' }).click();
  await expect(page.getByRole('button', { name: 'Use it for all messages' })).toHaveCount(0);
  await tab(page, 'Pools').click();
  const members = page.getByRole('list', { name: 'Numbers of Numbers' }).getByRole('link');
  await expect(members).toHaveText([shownNumber(number), shownNumber(second)]);
  const apikey = await visitor.apiKey();
  await stack.api.send({ to: newPerson(), message: 'Without a sender', apikey });
  await expect
    .poll(async () => (await stack.api.messages(apikey)).map(({ from }) => from === number || from === second))
    .toEqual([true]);
  await leave(page);
});

test('a conversation with several numbers names each where it changes, and answers from the latest', async ({
  browser,
}) => {
  const { page, visitor } = await openNumbers(browser);
  const [first, second] = [await buyFirst(page), await buyFirst(page)];
  const person = newPerson();
  const bubbles = page.getByRole('list', { name: 'Messages' }).getByRole('listitem');
  await stack.carrier.reply(person, first, 'One');
  await page.goto(`${stack.url}/dashboard/conversations/${encodeURIComponent(person)}`);
  await expect(bubbles).toHaveText([/^(?!.*\bto \+).*One/s]);
  await stack.carrier.reply(person, first, 'Two');
  await expect(bubbles).toHaveCount(2);
  await stack.carrier.reply(person, second, 'Three');
  await expect(bubbles).toHaveCount(3);
  await expect(bubbles.nth(0)).toContainText(`to ${shownNumber(first)}`);
  await expect(bubbles.nth(1)).not.toContainText('to +');
  await expect(bubbles.nth(2)).toContainText(`to ${shownNumber(second)}`);
  await page.getByLabel('Reply').fill('Four');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(bubbles).toHaveCount(4);
  await expect(bubbles.nth(3)).toContainText('Delivered');
  await expect(bubbles.nth(3)).not.toContainText('from +');
  expect(await stack.api.messages(await visitor.apiKey())).toMatchObject([{ to: person, from: second }]);
  await expectWhole(page, 'numbers-conversation');
  await leave(page);
});

test('a number that was taken meanwhile is answered with similar ones, and too few credits with the price', async ({
  browser,
}) => {
  const { page, visitor, email } = await openNumbers(browser);
  await tab(page, 'Buy').click();
  const buy = page.getByRole('table', { name: 'Numbers for sale' }).getByRole('button').first();
  const number = ((await buy.getAttribute('aria-label')) ?? '').replace(/[^+\d]/g, '');
  await stack.carrier.take(number);
  await buy.click();
  await popupOf(page).getByRole('button', { name: 'Buy for 50 credits' }).click();
  await expect(popupOf(page).getByRole('alert')).toContainText('This number is not available.');
  await expectWhole(page, 'number-taken');
  const similar = popupOf(page).getByRole('alert').getByRole('button');
  const instead = (await similar.first().textContent()) ?? '';
  expect(instead).toBe(shownNumber(instead));
  await similar.first().click();
  await popupOf(page).getByRole('button', { name: 'Buy for 50 credits' }).click();
  await expect(page.getByText(`${shownNumber(instead)} is yours.`)).toBeVisible();
  expect(await visitor.balance()).toBe(203);

  await stack.admin('credits', 'adjust', email, String(39 - 203), '--why', 'e2e');
  await tab(page, 'Buy').click();
  await buy.click();
  await popupOf(page).getByRole('button', { name: 'Buy for 50 credits' }).click();
  await expect(popupOf(page).getByRole('alert')).toContainText(
    'You do not have enough credits. This number costs 50 credits now, and you have 39. You were not charged.',
  );
  await expect(popupOf(page)).not.toContainText('Failed to send');
  await leave(page);
});

test('without a paid purchase of credits, the first number is refused with a way on', async ({ browser }) => {
  const { page, email } = await signIn(browser, stack);
  await stack.admin('credits', 'adjust', email, '100', '--why', 'e2e');
  await page.goto(`${stack.url}/dashboard/numbers?tab=buy`);
  await expect(page.getByText('Your first number needs a purchase of credits.')).toBeVisible();
  await page.getByRole('table', { name: 'Numbers for sale' }).getByRole('button').first().click();
  await popupOf(page).getByRole('button', { name: 'Buy for 50 credits' }).click();
  await expect(popupOf(page).getByRole('alert')).toContainText('after the first paid purchase of credits');
  await popupOf(page).getByRole('link', { name: 'Purchase credits' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Purchase Credits');
  await leave(page);
});
