import {
  expect,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Locator,
  type Page,
} from '@playwright/test';
import { Complaints } from '../testing/complaints.js';
import { takeScreenshots } from '../testing/screenshots.js';
import { shownNumber } from '../testing/shown-number.js';
import { leave, signIn } from '../testing/signed-in.js';
import { shifts, watchShifts } from '../testing/layout-shifts.js';
import { test } from '../testing/product.js';
import type { Stack } from '../testing/stack.js';
import { expectAccessible } from '../testing/view-checks.js';
import { Visitor } from '../testing/visitor.js';

const TO = '+12025550177';

let stack: Stack;
/** Cookies and storage of a browser with a signed-in person. */
let signedIn: NonNullable<BrowserContextOptions['storageState']>;
let apiKey: string;
let shared: BrowserContext | undefined;

test.beforeAll(async ({ browser, product }) => {
  stack = product;
  const { page } = await signIn(browser, stack);
  apiKey = await Visitor.of(stack, page.request).apiKey();
  // The dashboard leaves the hint by which documentation pages know a reader with a session.
  await page.waitForFunction(() => window.localStorage.getItem('signed-in') === 'yes');
  signedIn = await page.context().storageState();
  await leave(page);
});

test.afterAll(() => shared?.close());

test('the composer says as one types what a message is, where it goes and what it costs', async ({ browser }) => {
  const { page, complaints } = await open(browser, '/dashboard/send');
  const figure = (name: string) => page.getByText(name, { exact: true }).locator('xpath=following-sibling::dd');
  await recipient(page).fill('+49');
  await expect(page.getByText('Germany: 5 credits per segment')).toBeVisible();
  await recipient(page).fill('+4915123456789');
  await message(page).fill('a'.repeat(161));
  await expect(figure('Encoding')).toHaveText('GSM-7');
  await expect(figure('Segments')).toHaveText('2');
  await expect(figure('Left')).toHaveText('145');
  await expect(figure('Price')).toHaveText('10 credits');
  await message(page).fill('Привет 😀');
  await expect(figure('Encoding')).toHaveText('Unicode (UCS-2)');
  await expect(page.getByText('Unicode because of')).toContainText('😀');
  await expect(figure('Left')).toHaveText('61');
  // A new account starts with the live key: its free credits are there to see a message arrive.
  await expect(act(page)).toHaveText('Send for 5 credits');
  await page.getByRole('radio', { name: 'Test key' }).check();
  await expect(act(page)).toHaveText('Send test');
  await expect(page.getByText('A test charges nothing: your balance stays 3 credits.')).toBeVisible();
  await page.getByRole('radio', { name: 'Live key' }).check();
  await expect(page.getByText('The balance does not cover the price of this message.')).toBeVisible();
  await recipient(page).fill(TO);
  await expect(page.getByText('Your balance is 3 credits; 2 credits are left afterwards.')).toBeVisible();
  await recipient(page).fill('+1415');
  await message(page).focus();
  await expect(recipient(page)).toHaveAccessibleDescription(/^This is not a valid phone number/);
  expect(complaints.take()).toEqual([]);
  await page.close();
});

test('a test charges and sends nothing; a live message is followed until it has arrived', async ({ browser }) => {
  const { page, complaints } = await open(browser, '/dashboard/send');
  await write(page, TO, 'Hello from the composer');
  await page.getByRole('radio', { name: 'Test key' }).check();
  await message(page).press('ControlOrMeta+Enter');
  await expect(page.getByRole('main').getByRole('status')).toContainText(
    'The test passed. Nothing was sent, and you were not charged.',
  );
  await expect(message(page)).toHaveValue('Hello from the composer');
  expect((await stack.api.balance(apiKey)).balance).toBe(3);
  expect(await stack.carrier.messages(TO)).toEqual([]);
  await takeScreenshots(page, 'dashboard-send-tested');

  await page.getByRole('button', { name: 'Send it for real for 1 credit' }).click();
  await expect(page.getByRole('radio', { name: 'Live key' })).toBeChecked();
  const answer = page.getByRole('main').getByRole('status');
  await expect(answer).toContainText('The message was delivered: 1 segment, 1 credit.');
  await expect(answer).toContainText('Delivered');
  await expect(message(page)).toHaveValue('');
  await expect(recipient(page)).toHaveValue(TO);
  await expect(page.getByText('Your balance is 2 credits')).toBeVisible();
  expect(await stack.carrier.messages(TO)).toHaveLength(1);
  await answer.getByRole('link', { name: /^SM[0-9a-f]{32}$/ }).click();
  await expect(page).toHaveURL(/\/dashboard\/message\?id=SM[0-9a-f]{32}$/);
  expect(complaints.take()).toEqual([]);
  await page.close();
});

test('a message is scheduled, shown with its time, and canceled after a question', async ({ browser }) => {
  const { page: own } = await signIn(browser, stack);
  const key = await Visitor.of(stack, own.request).apiKey();
  const storageState = await own.context().storageState();
  await leave(own);
  const context = await browser.newContext({ timezoneId: 'Europe/Berlin', storageState });
  const page = await context.newPage();
  const complaints = new Complaints(page);
  await page.goto(`${stack.url}/dashboard/send`);
  await write(page, TO, 'See you tomorrow');
  await page.getByRole('radio', { name: 'Live key' }).check();
  await page.getByRole('radio', { name: 'Later' }).check();
  const picker = page.getByLabel('Date and time, in your time zone');
  await picker.fill('2020-01-01T09:00');
  await act(page).click();
  await expect(picker).toHaveAccessibleDescription('This time is over. Choose a later one.');
  const at = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 86_400_000);
  const local = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin', dateStyle: 'short', timeStyle: 'short' });
  await picker.fill(local.format(at).replace(' ', 'T'));
  const newYork = new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', month: 'short', day: 'numeric' });
  await expect(picker).toHaveAccessibleDescription(
    /your time, .* in New York\. Charged now; you can cancel it until it leaves\.$/,
  );
  await takeScreenshots(page, 'dashboard-send-later');
  await act(page).click();
  const answer = page.getByRole('main').getByRole('status');
  await expect(answer).toContainText(/The message leaves on .* New York time: 1 segment, 1 credit\./);
  await expect(answer).toContainText('Scheduled');
  expect((await stack.api.balance(key)).balance).toBe(2);

  await page.goto(`${stack.url}/dashboard/messages?status=scheduled`);
  const row = page.getByRole('row').filter({ hasText: 'See you tomorrow' });
  await expect(row.getByText('Scheduled')).toBeVisible();
  await expect(row.getByRole('time').last()).toContainText(newYork.format(at));
  await takeScreenshots(page, 'dashboard-messages-scheduled');
  await row.getByRole('button', { name: `Cancel the message to ${shownNumber(TO)}` }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Cancel this message?' });
  await expect(dialog).toContainText('It will not be sent, and 1 credit will be refunded.');
  await takeScreenshots(page, 'dashboard-cancel-message');
  await dialog.getByRole('button', { name: 'Keep message' }).click();
  await expect(row.getByText('Scheduled')).toBeVisible();
  await row.getByRole('button', { name: `Cancel the message to ${shownNumber(TO)}` }).click();
  await dialog.getByRole('button', { name: 'Cancel message' }).click();
  await expect(dialog).toBeHidden();
  await page.goto(`${stack.url}/dashboard/messages?status=canceled`);
  await expect(page.getByRole('row').filter({ hasText: 'See you tomorrow' })).toContainText('Canceled');
  await page.getByRole('row').filter({ hasText: 'See you tomorrow' }).getByRole('link').first().click();
  await expect(page.getByRole('list', { name: 'Timeline' })).toContainText(/Scheduled.*Canceled/s);
  await expect(page.getByRole('button', { name: /Cancel/ })).toBeHidden();
  await takeScreenshots(page, 'dashboard-message-canceled');
  expect((await stack.api.balance(key)).balance).toBe(3);
  expect(await stack.carrier.messages(TO)).not.toContainEqual(expect.objectContaining({ body: 'See you tomorrow' }));
  await expectAccessible(page, { within: 'main' });
  expect(complaints.take()).toEqual([]);
  await context.close();
});

test('typographic characters are replaced where that costs less, at the price that is shown', async ({ browser }) => {
  const { page } = await signIn(browser, stack);
  const complaints = new Complaints(page);
  const key = await Visitor.of(stack, page.request).apiKey();
  await page.goto(`${stack.url}/dashboard/send`);
  const text = `Doors open at 8 – 10 pm. ${'Bring your ticket. '.repeat(4)}`;
  await write(page, '+12025550144', text);
  await expect(page.getByText('Unicode (UCS-2)', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Replace – by - and pay 1 credit instead of 2' }).click();
  await expect(page.getByLabel('Message', { exact: true })).toHaveValue(text.replace('–', '-'));
  await expect(page.getByRole('button', { name: /^Replace/ })).toHaveCount(0);
  await page.getByText('Encoding and reference').click();
  await page.getByLabel('Reference').fill('order-4711');
  await page.getByRole('radio', { name: 'Live key' }).check();
  await page.getByRole('button', { name: 'Send for 1 credit' }).click();
  await expect(page.getByRole('main').getByText(/1 segment, 1 credit\.$/)).toBeVisible();
  expect(await stack.api.messages(key)).toMatchObject([{ reference: 'order-4711', credits: 1 }]);
  // A plain text that costs the same, or that stays Unicode, is not offered.
  await write(page, '+12025550144', 'Doors open at 8 – 10 pm 😀');
  await expect(page.getByText('Unicode because of')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Replace/ })).toHaveCount(0);
  expect(complaints.take()).toEqual([]);
  await leave(page);
});

test('several recipients get the same text in bulk', async ({ browser }) => {
  const { page } = await open(browser, '/dashboard/send');
  await page.getByLabel('Message', { exact: true }).fill('For all of you');
  await page.getByRole('link', { name: 'Several recipients' }).click();
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('For all of you');
  await page.close();
});

test('a message whose answer was lost is tried again and sent once', async ({ browser }) => {
  const { page } = await open(browser, '/dashboard/send');
  const to = '+12025550143';
  const { balance } = await stack.api.balance(apiKey);
  await write(page, to, 'Only once');
  await page.getByRole('radio', { name: 'Live key' }).check();
  await page.route('**/api/sendsms', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await act(page).click();
  await expect(page.getByRole('alert')).toContainText(
    'You can send it again unchanged: it is sent and charged only once.',
  );
  await expect(message(page)).toHaveValue('Only once');
  await page.unroute('**/api/sendsms');
  await act(page).click();
  await expect(page.getByRole('main').getByRole('status')).toContainText('Delivered');
  expect(await stack.carrier.messages(to)).toHaveLength(1);
  expect((await stack.api.balance(apiKey)).balance).toBe(balance - 1);
  await page.close();
});

test('a reached daily limit shows before anything is sent, for the live key only', async ({ browser }) => {
  const { page, email } = await signIn(browser, stack);
  await stack.admin('account', 'limit', email, '0');
  await page.goto(`${stack.url}/dashboard/send`);
  await write(page, TO, 'Hello');
  const told = page.getByText('This account has reached its daily limit. You were not charged.');
  await page.getByRole('radio', { name: 'Live key' }).check();
  await expect(told).toBeVisible();
  await page.getByLabel('Test key').check();
  await expect(told).toBeHidden();
  await leave(page);
});

test('a refusal stands in the words of the API, its detail beside the field, and what was typed stays', async ({
  browser,
}) => {
  const { page } = await open(browser, '/dashboard/send');
  await act(page).click();
  await expect(page.getByText('Missing required fields: "to", "message" or "apikey"')).toBeVisible();
  await write(page, TO, 'Look: https://bit.ly/x');
  await act(page).click();
  await expect(page.getByText('Failed to send SMS')).toBeVisible();
  await expect(message(page)).toHaveAccessibleDescription(/^"https:\/\/bit\.ly\/x" is a shortened URL\./);
  await expect(message(page)).toHaveValue('Look: https://bit.ly/x');
  await takeScreenshots(page, 'dashboard-send-refused');
  await write(page, TO, 'Look');
  await expect(page.getByText('Failed to send SMS')).toBeHidden();
  await expect(message(page)).not.toHaveAttribute('aria-invalid');

  for (const [status, headers, text] of [
    [429, { 'Retry-After': '20' }, 'You can try again in 20 seconds.'],
    [500, {}, 'Something went wrong on our side.'],
  ] as const) {
    const json = {
      success: 'false',
      error: 'Failed to send SMS',
      code: 'any',
      detail: 'Something went wrong on our side.',
    };
    await page.route('**/api/sendsms', (route) => route.fulfill({ status, headers, json }));
    await act(page).click();
    await expect(page.getByRole('alert')).toContainText(text);
    await page.unroute('**/api/sendsms');
  }
  await page.close();
});

test('the curl beside it sends what was typed, and its copy carries the key that is masked on the page', async ({
  browser,
}) => {
  const { page } = await open(browser, '/dashboard/send');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await write(page, TO, "It's 5 o'clock");
  const shown = page.getByRole('region', { name: 'Code: Curl: this message' });
  await expect(shown).toContainText(`--data-urlencode message='It'\\''s 5 o'\\''clock'`);
  await expect(shown).not.toContainText(apiKey);
  await page.getByRole('button', { name: 'Copy: Curl: this message' }).click();
  await expect(page.getByRole('alert')).toHaveText('Code copied to clipboard!');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`apikey='${apiKey}_test'`);
  // The field is empty after a send; the curl shows the sent message until another is written.
  await page.getByRole('radio', { name: 'Live key' }).check();
  await page.getByRole('button', { name: /^Send for/ }).click();
  await expect(message(page)).toHaveValue('');
  const sent = page.getByRole('region', { name: 'Code: Curl: the message that was sent' });
  await expect(sent).toContainText(`--data-urlencode message='It'\\''s 5 o'\\''clock'`);
  await message(page).fill('Another one');
  await expect(shown).toContainText("message='Another one'");
  await page.close();
});

test('an answer that comes late does not overwrite the figures of what stands there now', async ({ browser }) => {
  const { page } = await open(browser, '/dashboard/send');
  let release = (): void => undefined;
  const isHeld = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/dashboard/quote', async (route) => {
    const isSlow = route.request().postData()?.includes('slow') ?? false;
    if (isSlow) await isHeld;
    await route.continue();
  });
  const asked = page.waitForRequest((request) => request.postData()?.includes('slow') ?? false);
  await message(page).fill(`slow ${'a'.repeat(400)}`);
  await asked;
  await message(page).fill('quick');
  const left = page.getByText('Left', { exact: true }).locator('xpath=following-sibling::dd');
  await expect(left).toHaveText('155');
  release();
  await message(page).fill('quickly');
  await expect(left).toHaveText('153');
  await page.close();
});

test('the composer is whole at 320 px with texts of both directions, before and after a test', async ({ browser }) => {
  const { page, complaints } = await open(browser, '/dashboard/send');
  await page.setViewportSize({ width: 320, height: 844 });
  await write(page, TO, 'שלום! مرحبا <b>bold</b> 😀'.repeat(8));
  await expect(page.getByText('Unicode because of')).toBeVisible();
  await act(page).click();
  await expect(page.getByRole('main').getByRole('status')).toContainText('The test passed.');
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
  await expectAccessible(page, { within: 'main' });
  expect(complaints.take()).toEqual([]);
  await page.close();
});

test.describe('the documentation', () => {
  test('carries the reader’s test key, asked for once, and moves nothing for it', async ({ browser }) => {
    const { page, complaints } = await open(browser, '/pricing');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('reader-key')) asked.push(request.url());
    });
    await watchShifts(page);
    await page.goto(`${stack.url}/docs/send-sms/curl`);
    const sample = page.getByRole('region', { name: 'Code: Curl: Send an SMS' });
    await expect(sample).toContainText(/apikey='pt_test_••••••••[0-9a-f]{4}'/);
    const [masked = ''] = /pt_test_•+[0-9a-f]{4}/.exec((await sample.textContent()) ?? '') ?? [];
    expect(await shifts(page)).toBeLessThan(0.01);
    await expect(page.getByRole('article')).not.toContainText("'YOUR_API_KEY'");
    await page.getByRole('button', { name: 'Copy: Curl: Send an SMS' }).click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    const [testKey = ''] = /pt_test_[0-9a-f]{40}/.exec(copied) ?? [];
    expect(testKey.slice(-4)).toBe(masked.slice(-4));
    for (const path of ['/docs/send-sms/python', '/docs/send-sms/java', '/docs/send-sms/csharp', '/otp']) {
      await page.evaluate((to) => {
        const link = document.querySelector<HTMLAnchorElement>(`a[href="${to}"]`);
        link?.click();
      }, path);
      await expect(page).toHaveURL(`${stack.url}${path}`);
      await expect(page.getByRole('article')).toContainText(masked);
      await expect(page.getByRole('article')).not.toContainText(testKey);
    }
    expect(asked).toHaveLength(1);
    expect(complaints.take()).toEqual([]);
    await page.close();
  });

  test('sends a sample with the test key, and shows what came back', async ({ browser }) => {
    const { page, complaints } = await open(browser, '/docs/send-sms');
    const before = await stack.api.balance(apiKey);
    await expect(page.getByRole('article')).toContainText('pt_test_••••');
    await page.getByRole('button', { name: 'Try it' }).first().click();
    const answer = page.getByRole('region', { name: 'Code: Your answer, HTTP 200: Request as JSON' });
    await expect(answer).toContainText('"test": true');
    await expect(answer.locator('span[class*=number]', { hasText: 'true' })).toBeVisible();
    await takeScreenshots(page, 'docs-send-sms-tried');
    await page.goto(`${stack.url}/otp`);
    const texts = [...Array<string>(7).fill('"test": true'), 'OTP verified', '"status": "verified"'];
    for (const [place, text] of texts.entries()) {
      await page.getByRole('button', { name: 'Try it' }).nth(place).click();
      await expect(page.getByRole('region', { name: 'Code: Your answer, HTTP 200: ' }).nth(place)).toContainText(text);
    }
    for (const path of ['send-sms', 'balance', 'find-message', 'cancel-message', 'find-batch', 'message-record']) {
      await page.goto(`${stack.url}/docs/api/${path}`);
      await expect(page.getByRole('region', { name: 'Code: Curl' })).toContainText('pt_test_••••');
      await page.getByRole('button', { name: 'Try it' }).click();
      const tried = page.getByRole('region', { name: 'Code: Your answer, HTTP 200: Curl' });
      await expect(tried).toContainText('"test": true');
    }
    expect(await stack.api.balance(apiKey)).toEqual(before);
    await expectAccessible(page);
    expect(complaints.take()).toEqual([]);
    await page.close();
  });

  test('asks for the balance only after a sign-in, and not after a sign-out', async ({ page }) => {
    const complaints = new Complaints(page);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (/\/(api|auth)\//.test(request.url())) asked.push(request.url());
    });
    await page.goto(`${stack.url}/docs/send-sms/curl`, { waitUntil: 'networkidle' });
    await expect(page.getByRole('article')).toContainText("'YOUR_API_KEY'");
    expect(asked).toEqual([]);

    // The session is over, but its hint is still there.
    await page.evaluate(() => localStorage.setItem('signed-in', 'yes'));
    await page.reload();
    await expect.poll(() => page.evaluate(() => localStorage.getItem('signed-in'))).toBeNull();
    await expect(page.getByRole('article')).toContainText("'YOUR_API_KEY'");
    expect(complaints.take()).toEqual([]);
  });
});

/** A page of the shared account, whose browser keeps nothing of earlier tests but its cache. */
async function open(browser: Browser, path: string): Promise<{ page: Page; complaints: Complaints }> {
  shared ??= await browser.newContext();
  await shared.setStorageState(signedIn);
  const page = await shared.newPage();
  const complaints = new Complaints(page);
  await page.goto(`${stack.url}${path}`);
  return { page, complaints };
}

function recipient(page: Page): Locator {
  return page.getByRole('textbox', { name: 'To', exact: true });
}

function message(page: Page): Locator {
  return page.getByRole('textbox', { name: 'Message', exact: true });
}

/** The button of the form, with its action and the price. */
function act(page: Page): Locator {
  return page.getByRole('button', { name: /^(Send|Schedule)( test| for [\d,]+ credits?)?$/ });
}

async function write(page: Page, to: string, text: string): Promise<void> {
  await recipient(page).fill(to);
  await message(page).fill(text);
}
