import { expect, type Page } from '@playwright/test';
import { plantHistory, rareNumber } from '../testing/planted-history.js';
import { expectLedgerClean } from '../testing/invariants.js';
import { leave, signIn } from '../testing/signed-in.js';
import { test } from '../testing/product.js';
import type { Stack } from '../testing/stack.js';
import { Visitor } from '../testing/visitor.js';

const MANY = 20_000;

let stack: Stack;

test.beforeAll(({ product }) => {
  stack = product;
});

test.afterAll(() => expectLedgerClean(stack));

const rows = (page: Page) => page.getByRole('main').getByRole('row');
const next = (page: Page) => page.getByRole('button', { name: 'Next' }).click();
const isLive = (page: Page) => expect(page.getByRole('status').filter({ hasText: /^Live\b/ })).toBeVisible();

test('a history of 20,000 messages: first page, next, a number’s, and the last', async ({ browser }) => {
  const { page, email } = await signIn(browser, stack);
  await stack.admin('credits', 'adjust', email, String(MANY), '--why', 'e2e');
  await plantHistory(stack, email, MANY);
  await page.goto(`${stack.url}/dashboard/messages`);
  await expect(page.getByText('20,000 messages')).toBeVisible();
  await expect(page.getByText('Page 1 of 2,000')).toBeVisible();
  await expect(rows(page).nth(1)).toContainText('Planted 20000');
  await next(page);
  await expect(rows(page).nth(1)).toContainText('Planted 19990');
  await page.goto(`${stack.url}/dashboard/messages?${new URLSearchParams({ number: rareNumber }).toString()}`);
  await expect(page.getByText('200 of 20,000 messages.')).toBeVisible();
  await expect(rows(page)).toHaveCount(11);
  // Two thousand turns of a page would bring a person there; the same call does.
  await page.route('**/messages/sent?*', (route) =>
    route.continue({ url: route.request().url().replace('page=1', 'page=2000') }),
  );
  await page.goto(`${stack.url}/dashboard/messages`);
  await expect(rows(page).last()).toContainText('Planted 1');
  await expect(page.getByText('Page 2,000 of 2,000')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Next' })).toBeDisabled();
  await leave(page);
});

test('pages of the ledger stay where they are while credits move; the first one takes them in', async ({ browser }) => {
  const { page, email } = await signIn(browser, stack);
  await stack.admin('credits', 'adjust', email, '100', '--why', 'e2e');
  await plantHistory(stack, email, 30);
  await page.goto(`${stack.url}/dashboard/billing`);
  await page.getByRole('tab', { name: 'Credit ledger' }).click();
  await expect(page.getByText('Page 1 of 4')).toBeVisible();
  await isLive(page);
  await next(page);
  await expect(page.getByText('Page 2 of 4')).toBeVisible();
  const before = await rows(page).allTextContents();
  const readAgain = page.waitForResponse(/\/api\/dashboard\/ledger\?/);
  await stack.admin('credits', 'adjust', email, '7', '--why', 'came meanwhile');
  await (await readAgain).finished();
  await expect(page.getByText('Balance: 80 credits')).toBeVisible();
  await expect(rows(page)).toHaveText(before);
  await next(page);
  await expect(page.getByText('Page 3 of 4')).toBeVisible();
  await page.getByRole('button', { name: 'Previous' }).click();
  await expect(rows(page)).toHaveText(before);
  await page.getByRole('button', { name: 'Previous' }).click();
  await expect(rows(page).nth(1)).toContainText('came meanwhile');
  await leave(page);
});

test.describe('what arrived while the page was disconnected is there afterwards', () => {
  const open = async (page: Page, email: string) => {
    await stack.admin('credits', 'adjust', email, '100', '--why', 'e2e');
    await plantHistory(stack, email, 1);
    await page.goto(`${stack.url}/dashboard/messages`);
    await expect(rows(page)).toHaveCount(2);
  };

  test('the server was started again', async ({ browser }) => {
    const { page, email } = await signIn(browser, stack);
    await open(page, email);
    await isLive(page);
    await stack.program('server-0').stop();
    await expect(page.getByText('Connecting...')).toBeVisible();
    await plantHistory(stack, email, 1);
    await stack.startServer(0);
    await expect(rows(page).nth(1)).toContainText('Planted 2');
    await isLive(page);
    await leave(page);
  });

  test('the line broke without a word', async ({ browser }) => {
    const { page, email } = await signIn(browser, stack);
    await open(page, email);
    await isLive(page);
    // The process behind the stream is lost: it sends nothing any more, not even an end.
    await stack.program('server-0').crash();
    await expect(page.getByText('Connecting...')).toBeVisible();
    await plantHistory(stack, email, 1);
    await stack.startServer(0);
    await expect(rows(page).nth(1)).toContainText('Planted 2');
    await leave(page);
  });

  test('there was too much of it to be told row by row', async ({ browser }) => {
    const { page, email } = await signIn(browser, stack);
    let tell = () => {};
    const isTime = new Promise<void>((resolve) => (tell = resolve));
    let told = 0;
    // One stream sends only `many`, and later streams send nothing: the page shows the effect of
    // that event. The open page is left, because its own stream would take the first answer.
    await page.goto('about:blank');
    await page.route('**/api/dashboard/events', async (route) => {
      await isTime;
      told += 1;
      if (told > 1) return route.abort();
      return route.fulfill({ contentType: 'text/event-stream', body: 'event: many\ndata: {}\n\n' });
    });
    await open(page, email);
    await plantHistory(stack, email, 1);
    tell();
    await expect(rows(page).nth(1)).toContainText('Planted 2');
    const { balance } = await stack.api.balance(await Visitor.of(stack, page.request).apiKey());
    await expect(page.getByText(`Balance: ${balance} credits`)).toBeVisible();
    await leave(page);
  });
});
