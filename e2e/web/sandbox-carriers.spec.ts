import { expect, test, type Page } from '@playwright/test';
import { Complaints } from '../testing/complaints.js';
import { Stack, type TestAccount } from '../testing/stack.js';
import { expectAccessible, overflow } from '../testing/view-checks.js';

let stack: Stack;
let account: TestAccount;
let sent = 0;

test.beforeAll(async () => {
  const logFolder = test.info().outputPath('logs');
  stack = await Stack.start({ servers: 1, receiptDelayMs: 1_500, logFolder });
  await stack.startWorker();
  account = await stack.account(100);
});

test.afterAll(async () => {
  await stack?.stop();
});

/** Sends a message to a number of its own; returns the number as the page shows it. */
async function send(): Promise<string> {
  sent += 1;
  const outcome = await stack.api.send({
    apikey: account.apiKey,
    to: `+1415555${2_000 + sent}`,
    message: `Number ${sent}`,
  });
  expect(outcome.kind).toBe('accepted');
  return `+1 415 555 ${2_000 + sent}`;
}

const rowOf = (page: Page, number: string) => page.getByRole('row').filter({ hasText: number });

test('the page of the carriers lets a carrier fail, and shows messages as they move', async ({ page }) => {
  const complaints = new Complaints(page);
  await page.goto(`${stack.carrier.url}/carriers`);
  const twilio = page.getByRole('region', { name: 'Twilio' });
  await expect(twilio.getByRole('status')).toHaveText('Working');
  await expect(page.getByRole('region', { name: 'SMPP' })).toHaveCount(0);

  const before = Number(await twilio.getByRole('strong').textContent());
  const first = await send();
  await expect(rowOf(page, first)).toContainText('Queued');
  await expect(rowOf(page, first)).toContainText('Delivered');
  await expect(twilio.getByRole('strong')).toHaveText(String(before + 1));

  await twilio.getByRole('combobox', { name: 'Fault' }).selectOption('Refuses our account');
  await twilio.getByRole('combobox', { name: 'For' }).selectOption('5 minutes');
  await twilio.getByRole('button', { name: 'Start fault' }).click();
  await expect(twilio.getByRole('status')).toHaveText('Refuses our account');
  await expect(twilio).toContainText(/Ends in (5:00|4:5\d)/);
  await expect(twilio).toContainText(/Ends in 4:5[0-7]/);
  const second = await send();
  await expect(twilio).toContainText(/met by \d+ request/);
  await expect(rowOf(page, second)).toHaveCount(0);
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    await expectAccessible(page, { within: 'main' });
    expect([width, await overflow(page)]).toEqual([width, 0]);
  }

  await twilio.getByRole('button', { name: 'End fault' }).click();
  await expect(twilio.getByRole('status')).toHaveText('Working');
  await expect(rowOf(page, second)).toContainText('Delivered');
  expect(complaints.take()).toEqual([]);

  await rowOf(page, second).getByRole('link').click();
  await expect(page.getByRole('log')).toContainText(`Number ${sent}`);
});

test('the page of the carriers states that the sandbox is not there, and goes on when it is', async ({ page }) => {
  await page.goto(`${stack.carrier.url}/carriers`);
  await expect(page.getByRole('region', { name: 'Twilio' })).toBeVisible();
  await stack.program('sandbox').stop();
  await expect(page.getByRole('alert')).toContainText('The sandbox does not answer.');
  await stack.startSandbox();
  await expect(page.getByRole('region', { name: 'Twilio' })).toBeVisible();
});
