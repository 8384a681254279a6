import { expect, type Browser, type Locator, type Page } from '@playwright/test';
import { Complaints } from '../testing/complaints.js';
import { test } from '../testing/product.js';
import { plantHistory } from '../testing/planted-history.js';
import { shownNumber } from '../testing/shown-number.js';
import { leave, type SignedIn, signIn } from '../testing/signed-in.js';
import type { Stack } from '../testing/stack.js';
import { expectWhole, overflow } from '../testing/view-checks.js';
import { Visitor } from '../testing/visitor.js';
import { WebhookReceiver } from '../testing/webhook-receiver.js';

const OURS = '+15005550006';
const LONG = 'Your parcel arrives today between 2 and 4 pm. Reply STOP to opt out of these messages at any time.';
const RTL = 'שלום עולם, זו הודעה ארוכה מאוד באמת';

let stack: Stack;
let receiver: WebhookReceiver;

test.beforeAll(async ({ product }) => {
  stack = product;
  receiver = await WebhookReceiver.start({ failures: 0, answerAfterMs: 0 });
});

test.afterAll(() => receiver?.stop());

test('an account without messages sees what comes here, and what to do next', async ({ browser }) => {
  const { page } = await signIn(browser, stack);
  const complaints = new Complaints(page);
  await menuLink(page, 'Conversations').click();
  await expect(page).toHaveTitle(/^Conversations/);
  await expect(page.getByText('No replies yet.')).toBeVisible();
  await tab(page, 'Unanswered 0').click();
  await expect(page.getByText('No unanswered replies.')).toBeVisible();
  await tab(page, 'All').click();
  await expect(page.getByText('No conversations yet.')).toBeVisible();
  await expectWhole(page, 'conversations-empty');
  await page.getByRole('main').getByRole('link', { name: 'Send SMS' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Send SMS');
  expect(complaints.take()).toEqual([]);
  await leave(page);
});

test('it opens on those who have replied, whatever else was sent, with a count of the unanswered', async ({
  browser,
}) => {
  const { page, account } = await openFilled(browser);
  const [ada, bob, eve] = account.numbers;
  const complaints = new Complaints(page);
  await account.receive(ada, 'Do you open at 8?');
  await account.receive(bob, 'See you there');
  for (let n = 10; n < 40; n += 1) await account.send(`${ada.slice(0, -2)}${n}`, `Message ${n}`);
  await menuLink(page, 'Home').click();
  await expect(menuLink(page, 'Conversations')).toHaveAccessibleDescription('2 unanswered');
  await menuLink(page, 'Conversations').click();
  await expect(tab(page, 'With replies')).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('columnheader')).toHaveText(['Date', 'Number', 'Latest Reply', 'State']);
  await expectPeople(page, [bob, ada]);
  await expect(page.getByText('2 conversations.')).toBeVisible();
  await expect(people(page).last()).toContainText('Do you open at 8?');
  await expectWhole(page, 'conversations');

  // Another tab of the same person: both follow what happens.
  const other = await page.context().newPage();
  await other.goto(`${stack.url}/dashboard/conversations?tab=unanswered`);
  await expectPeople(other, [bob, ada]);
  await expect(tab(other, 'Unanswered 2')).toBeVisible();
  await people(page).last().getByRole('link').click();
  await page.getByLabel('Reply').pressSequentially('Yes, we do');
  await page.getByRole('button', { name: 'Send' }).click();
  await expectPeople(other, [bob]);
  await expect(tab(other, 'Unanswered 1')).toBeVisible();
  await expect(menuLink(page, 'Conversations')).toHaveAccessibleDescription('1 unanswered');
  await page.getByRole('link', { name: 'Back to Conversations' }).click();
  await expect(people(page).last().getByRole('cell').last()).toHaveText('Answered');

  await people(other).first().getByRole('link').click();
  await other.getByRole('button', { name: 'Mark as answered' }).click();
  await expect(other.getByRole('button', { name: 'Mark as answered' })).toHaveCount(0);
  await expect(menuLink(page, 'Conversations')).toHaveAccessibleDescription('');
  await other.getByRole('link', { name: 'Back to Conversations' }).click();
  await expect(other).toHaveURL(/\?tab=unanswered$/);
  await expect(other.getByText('No unanswered replies.')).toBeVisible();
  await account.receive(eve, 'Hello?');
  await expectPeople(other, [eve]);
  await expectPeople(page, [eve, bob, ada]);
  expect(complaints.take()).toEqual([]);
  await leave(page);
});

test('a text is found letter by letter, in messages of either direction', async ({ browser }) => {
  const { page, account } = await openFilled(browser);
  const [ada, , eve] = account.numbers;
  await account.send(eve, 'Your table is ready');
  await account.receive(ada, 'Is my TABLE free?');
  const field = page.getByLabel('Number or text');
  await field.pressSequentially('table', { delay: 30 });
  await expect(field).toBeFocused();
  await expect(page.getByRole('columnheader')).toHaveText(['Date', 'Number', 'Message Found', 'State']);
  await expectPeople(page, [ada, eve]);
  await expect(people(page).last()).toContainText('You: Your table is ready');
  await tab(page, 'With replies').click();
  await expect(page).toHaveURL(/\?text=table$/);
  await expectPeople(page, [ada]);
  await field.pressSequentially('au');
  await expect(page.getByText('No one with this text has replied.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear search' }).click();
  await expect(field).toHaveValue('');
  await expectPeople(page, [ada]);
  await leave(page);
});

test('people are listed by their latest message, live; a row opens by click and by Enter', async ({ browser }) => {
  const { page, account } = await openFilled(browser);
  const [ada, bob, eve] = account.numbers;
  const complaints = new Complaints(page);
  await expect(page.getByRole('columnheader')).toHaveText(['Date', 'Number', 'Latest Message', 'State']);
  await expectPeople(page, [eve, bob, ada]);
  await expect(people(page).first()).toContainText(`You: ${LONG}`);

  await account.receive(ada, RTL);
  await expectPeople(page, [ada, eve, bob]);
  const row = people(page).first();
  await expect(row.getByRole('cell').nth(2)).toHaveText(RTL);
  await expect(people(page).last().getByRole('cell').nth(3)).toHaveText('Delivered');
  await expect(row.getByRole('cell').nth(3)).toHaveText('Unanswered');
  await row.getByRole('cell').nth(2).click();
  await expect(page).toHaveURL(`${stack.url}/dashboard/conversations/${encodeURIComponent(ada)}`);
  await expect(menuLink(page, 'Conversations')).toHaveAttribute('aria-current', 'page');
  // On a wide screen the list stands beside the open conversation.
  const beside = page.getByRole('complementary', { name: 'Other conversations' }).getByRole('link');
  await expect(beside).toHaveCount(3);
  await expect(beside.first()).toHaveAttribute('aria-current', 'page');
  await page.getByLabel('Reply').fill('Here is your answer');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByRole('list', { name: 'Messages' }).getByRole('listitem').last()).toContainText('Delivered');
  await page.getByRole('link', { name: 'Back to Conversations' }).click();
  await expect(row).toContainText('You: Here is your answer');
  await expect(page).toHaveURL(/\?tab=all$/);
  await expect(row).not.toContainText('Unanswered');

  await account.receive(bob, 'STOP');
  await expectPeople(page, [bob, ada, eve]);
  await expect(row.getByRole('cell').nth(3)).toHaveText('Opted out');
  await row.getByRole('link').press('Enter');
  await expect(page.getByText(/^This person opted out on .* so a reply cannot be sent/)).toBeInViewport();
  await page.getByRole('link', { name: 'See opt-outs' }).click();
  await expect(page.getByRole('table', { name: 'Opt-outs' }).getByRole('link')).toHaveText([shownNumber(bob)]);
  expect(complaints.take()).toEqual([]);
  await leave(page);
});

test('a number finds its conversation, and opens it, also a new one', async ({ browser }) => {
  const { page, account } = await openFilled(browser);
  const [, bob] = account.numbers;
  const other = `(628) 555-${bob.slice(-4, -1)}9`;
  const field = page.getByLabel('Number or text');
  await field.fill(bob.slice(-4));
  await expect(page).toHaveURL(new RegExp(`\\?tab=all&number=${bob.slice(-4)}$`));
  await expectPeople(page, [bob]);
  await page.reload();
  await expect(field).toHaveValue(bob.slice(-4));
  await expect(page.getByText('1 conversation.')).toBeVisible();
  await field.fill(other);
  await expect(page.getByText('No one with this number.')).toBeVisible();
  const whole = `${bob.slice(0, -1)}9`;
  await expect(page.getByRole('link', { name: `Open ${shownNumber(whole)}` })).toBeVisible();
  await field.press('Enter');
  await expect(page).toHaveURL(`${stack.url}/dashboard/conversations/${encodeURIComponent(whole)}`);
  await expect(page.getByText('You have exchanged no messages with this number.')).toBeVisible();
  await page.getByRole('link', { name: 'Back to Conversations' }).click();
  await tab(page, 'All').click();
  await expect(people(page)).toHaveCount(3);
  await leave(page);
});

test('later pages have everyone else, and a page that read enough messages shows how far back', async ({ browser }) => {
  const { page, account } = await openFilled(browser);
  const [ada] = account.numbers;
  for (let n = 10; n < 40; n += 1) await account.send(`${ada.slice(0, -2)}${n}`, `Message ${n}`);
  await expect(people(page).first()).toContainText('Message 39');
  await expect(people(page)).toHaveCount(25);
  await expect(page.getByText('The latest 25 conversations.')).toBeVisible();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(people(page)).toHaveCount(8);
  await expect(people(page).last()).toContainText(shownNumber(ada));
  // A person who writes now belongs on the first page.
  await account.receive(ada, 'Hello again');
  await expect(people(page)).toHaveCount(7);
  await page.getByRole('button', { name: 'Previous' }).click();
  await expect(people(page).first()).toContainText('Hello again');

  await stack.admin('credits', 'adjust', account.email, '1000', '--why', 'e2e');
  await plantHistory(stack, account.email, 1_000);
  await page.reload();
  await expect(page.getByText(/^The latest 2 conversations\. Searched back to [A-Z][a-z]{2} \d+, \d+:/)).toBeVisible();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(people(page)).toHaveCount(25);
  await leave(page);
});

test('a conversation opens at its end with the reply at the bottom, on a desk and on a phone', async ({ browser }) => {
  const { page, email } = await signIn(browser, stack);
  await stack.admin('credits', 'adjust', email, '300', '--why', 'e2e');
  await plantHistory(stack, email, 200);
  const apikey = await Visitor.of(stack, page.request).apiKey();
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto(`${stack.url}/dashboard/conversations/${encodeURIComponent('+14155550100')}`);
    const bubbles = page.getByRole('list', { name: 'Messages' }).getByRole('listitem');
    await expect(bubbles.last()).toBeInViewport();
    await expect(bubbles.first()).not.toBeInViewport();
    const reply = page.getByLabel('Reply');
    await expect(reply).toBeInViewport({ ratio: 1 });
    // A message that arrives while the end is in sight stays in sight.
    await stack.api.send({ to: '+14155550100', message: 'The newest one', apikey });
    await expect(bubbles.last()).toContainText('The newest one');
    await expect(bubbles.last()).toBeInViewport({ ratio: 1 });
    await page.mouse.move(width / 2, 300);
    await page.mouse.wheel(0, -2_000);
    await expect(bubbles.last()).not.toBeInViewport();
    await expect(reply).toBeInViewport({ ratio: 1 });
    // The recipient and the sender stay in sight too; the reply takes one line.
    await expect(page.getByRole('heading', { level: 1, name: shownNumber('+14155550100') })).toBeInViewport({
      ratio: 1,
    });
    await expect(page.getByText(`From ${shownNumber(OURS)}`)).toBeInViewport({ ratio: 1 });
    const form = page.locator('form', { has: reply });
    const height = async () => (await form.boundingBox())?.height ?? 0;
    expect(await height()).toBeLessThan(60);
    await reply.fill('Two\nlines');
    expect(await height()).toBeGreaterThan(60);
    await expect(page.getByText(/characters left/)).toHaveCount(0);
    await reply.fill('a'.repeat(120));
    await expect(page.getByText(/1 segment · 40 characters left/)).toBeVisible();
    await reply.fill('');
    await stack.api.send({ to: '+14155550100', message: 'Another one', apikey });
    await expect(bubbles.last()).toContainText('Another one');
    await expect(bubbles.last()).not.toBeInViewport();
    expect(await overflow(page)).toBe(0);
    // A zoomed page is so low that the reply would leave no room for messages.
    await page.setViewportSize({ width: 720, height: 450 });
    await page.mouse.wheel(0, -1_000);
    await expect(reply).not.toBeInViewport();
  }
  await leave(page);
});

test('on a phone each person has two lines', async ({ browser }) => {
  const { page, account } = await openFilled(browser, { width: 390, colorScheme: 'dark' });
  await account.receive(account.numbers[0], LONG);
  const row = people(page).first();
  await expect(row).toContainText('Unanswered');
  const heights = await people(page).evaluateAll((rows) => rows.map((one) => one.getBoundingClientRect().height));
  expect(Math.max(...heights)).toBeLessThan(80);
  await expect(row.getByRole('cell')).toHaveCount(4);
  await expectWhole(page, 'conversations-phone');
  await page.setViewportSize({ width: 320, height: 844 });
  expect(await overflow(page)).toBe(0);
  await row.getByRole('cell').nth(2).click();
  await expect(page.getByLabel('Reply')).toBeVisible();
  await leave(page);
});

/** Expects exactly these people, in this order. */
async function expectPeople(page: Page, numbers: readonly string[]): Promise<void> {
  await expect(people(page).getByRole('link')).toHaveText(numbers.map(shownNumber));
}

const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });

const menuLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name, exact: true });

/** The rows without the head, once they are loaded. */
function people(page: Page): Locator {
  return page.getByRole('table', { name: 'Conversations' }).locator('tbody tr:not([aria-hidden])');
}

interface Account extends SignedIn {
  /**
   * Numbers that the account has texted: a conversation belongs to the account that began it, so
   * each test has numbers of its own.
   */
  readonly numbers: readonly [string, string, string];
  readonly send: (to: string, message: string) => Promise<void>;
  /** Sends a person's reply. */
  readonly receive: (from: string, body: string) => Promise<void>;
}

let accounts = 0;

/** The list of a new account that has texted three numbers, in their order. */
async function openFilled(browser: Browser, look: Omit<Parameters<typeof signIn>[2] & object, 'name'> = {}) {
  const person = await signIn(browser, stack, look);
  const visitor = Visitor.of(stack, person.page.request);
  await stack.admin('credits', 'adjust', person.email, '100', '--why', 'e2e');
  await visitor.call('PUT', '/api/dashboard/webhook-url', { webhookUrl: receiver.url });
  const apikey = await visitor.apiKey();
  accounts += 1;
  const numberOf = (n: number) => `+1628555${String(accounts * 100 + n).padStart(4, '0')}`;
  const account: Account = {
    ...person,
    numbers: [numberOf(1), numberOf(2), numberOf(3)],
    send: async (to, message) => {
      expect(await stack.api.send({ to, message, apikey })).toMatchObject({ kind: 'accepted' });
    },
    receive: async (from, body) => void (await stack.carrier.reply(from, OURS, body)),
  };
  for (const to of account.numbers) await account.send(to, LONG);
  const isDelivered = async () => (await stack.api.messages(apikey)).every(({ status }) => status === 'delivered');
  await expect.poll(isDelivered).toBe(true);
  const { page } = person;
  await page.goto(`${stack.url}/dashboard/conversations?tab=all`);
  await expect(page.getByRole('status').filter({ hasText: /^Live/ })).toBeVisible();
  await expect(people(page)).toHaveCount(3);
  return { page, account };
}
