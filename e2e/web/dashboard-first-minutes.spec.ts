import { randomInt } from 'node:crypto';
import { expect, type Browser, type Locator, type Page } from '@playwright/test';
import { Complaints } from '../testing/complaints.js';
import { test } from '../testing/product.js';
import { hydrated, leave, signIn } from '../testing/signed-in.js';
import type { Stack } from '../testing/stack.js';
import { popupOf } from '../testing/view-checks.js';
import { WebhookReceiver } from '../testing/webhook-receiver.js';

const OURS = '+15005550006';
const DESK = { width: 1280, height: 800 };
const CLICKS_MAX = 10;

let stack: Stack;
let receiver: WebhookReceiver;

test.beforeAll(async ({ product }) => {
  stack = product;
  receiver = await WebhookReceiver.start({ failures: 0, answerAfterMs: 0 });
});

test.afterAll(() => receiver?.stop());

const to = (page: Page) => page.getByRole('textbox', { name: 'To', exact: true });
const message = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });
const result = (page: Page) => page.getByRole('main').getByRole('status');
const key = (page: Page, name: 'Live' | 'Test') => page.getByRole('radio', { name: `${name} key` });
const menuLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name, exact: true });

/** Each test texts a person of its own: a conversation belongs to the account that began it. */
const newNumber = () => `+1628556${String(randomInt(10_000)).padStart(4, '0')}`;

test('a message, a webhook and a reply are seen within ten clicks, all of it without scrolling', async ({
  browser,
}) => {
  const { page } = await signIn(browser, stack);
  const complaints = new Complaints(page);
  await page.setViewportSize(DESK);
  let clicks = 0;
  const click = async (target: Locator) => {
    await expect(target).toBeInViewport({ ratio: 1 });
    await target.click();
    clicks += 1;
  };
  const number = newNumber();

  await click(page.getByLabel('Webhook URL to Receive SMS'));
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(receiver.url);
  await page.keyboard.press('Enter');
  await click(page.getByRole('button', { name: 'Send test event' }));
  await expect(popupOf(page)).toContainText('Delivered');
  await click(popupOf(page).getByRole('button', { name: 'Close' }));

  await click(menuLink(page, 'Send SMS'));
  await expect(to(page)).toBeFocused();
  await page.keyboard.type(number);
  await expect(page.getByText('USA: 1 credit per segment')).toBeVisible();
  await click(message(page));
  await page.keyboard.type('Hello from my first minutes');
  await click(page.getByRole('button', { name: 'Send for 1 credit' }));
  await expect(result(page)).toContainText('The message was delivered: 1 segment, 1 credit.');
  await expect(result(page)).not.toContainText('on its way');
  await expect(result(page)).toBeInViewport({ ratio: 1 });

  await stack.carrier.reply(number, OURS, 'I can read you');
  await click(menuLink(page, 'Conversations'));
  await click(page.getByRole('table', { name: 'Conversations' }).getByRole('link').first());
  // On a wide window the list of conversations, beside the messages, has the latest text too.
  const bubbles = page.getByRole('list', { name: 'Messages' });
  await expect(bubbles.getByText('I can read you')).toBeInViewport({ ratio: 1 });
  await expect(page.getByLabel('Reply', { exact: true })).toBeFocused();
  await page.keyboard.type('And I you');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(bubbles).toContainText('And I you');

  expect(clicks).toBeLessThanOrEqual(CLICKS_MAX);
  expect(complaints.take()).toEqual([]);
  await leave(page);
});

test('the first empty field of the composer has the focus, except on a touch screen', async ({ browser }) => {
  const { page } = await signIn(browser, stack);
  await page.goto(`${stack.url}/dashboard/send`);
  await expect(to(page)).toBeFocused();
  await page.goto(`${stack.url}/dashboard/bulk`);
  await expect(page.getByLabel('CSV file')).toBeFocused();
  await page.goto(`${stack.url}/dashboard/opt-outs`);
  await menuLink(page, 'Send SMS').click();
  await expect(to(page)).toBeFocused();
  const state = await page.context().storageState();
  await leave(page);

  const touch = await browser.newContext({ storageState: state, hasTouch: true, isMobile: true });
  const phone = await touch.newPage();
  await phone.goto(`${stack.url}/dashboard/send`);
  await hydrated(phone);
  await expect(to(phone)).toBeVisible();
  await expect(to(phone)).not.toBeFocused();
  await touch.close();
});

test('the key is the live one until a delivery, and then the last one, from every entry', async ({ browser }) => {
  const { page } = await signIn(browser, stack);
  const entries = async (name: 'Live' | 'Test') => {
    await page.goto(`${stack.url}/dashboard/send`);
    await expect(key(page, name)).toBeChecked();
    await menuLink(page, 'Home').click();
    await menuLink(page, 'Send SMS').click();
    await expect(key(page, name)).toBeChecked();
    await page.goto(`${stack.url}/dashboard/bulk`);
    await menuLink(page, 'Send SMS').click();
    await expect(key(page, name)).toBeChecked();
  };
  await page.goto(`${stack.url}/dashboard/send`);
  await key(page, 'Test').check();
  await entries('Live');
  await to(page).fill(newNumber());
  await message(page).fill('Hello');
  await page.getByRole('button', { name: 'Send for 1 credit' }).click();
  await expect(result(page)).toContainText('Delivered');
  await expect(key(page, 'Live')).toBeChecked();
  await entries('Live');
  await key(page, 'Test').check();
  await entries('Test');
  await leave(page);
});

test('without credits the composer leads to Purchase Credits, and a refusal tells what to do', async ({ browser }) => {
  const { page, email } = await signIn(browser, stack);
  await page.setViewportSize(DESK);
  await stack.admin('credits', 'adjust', email, '-3', '--why', 'e2e');
  await page.goto(`${stack.url}/dashboard/send`);
  await to(page).fill(newNumber());
  await message(page).fill('Hello');
  const buy = page.getByRole('main').getByRole('link', { name: 'Purchase Credits' });
  await expect(key(page, 'Test')).toBeChecked();
  await expect(buy).toBeInViewport({ ratio: 1 });
  await key(page, 'Live').check();
  await expect(buy).toBeInViewport({ ratio: 1 });
  await page.getByRole('button', { name: /^Send for/ }).click();
  const refusal = page.getByRole('alert').filter({ hasText: 'Credit Balance is 0.' });
  await expect(refusal).toContainText('You were not charged.');
  await expect(refusal).toContainText('Nothing was sent.');
  await expect(refusal).toBeInViewport({ ratio: 1 });
  await refusal.getByRole('link', { name: 'Purchase Credits' }).click();
  await expect(page).toHaveURL(`${stack.url}/dashboard/purchase`);
  await leave(page);
});

test.describe('a sign-in on the way to an action', () => {
  test('brings back the form for a key with what was typed, once', async ({ browser }) => {
    const { page, signInAgain } = await withOldSession(browser);
    await page.goto(`${stack.url}/dashboard/key`);
    await page.getByRole('button', { name: 'Create key' }).click();
    const form = page.getByRole('dialog', { name: 'Create a key' });
    await form.getByLabel('Name').fill('Newsletter');
    await form.getByRole('radio', { name: 'Test' }).check();
    await form.getByRole('checkbox', { name: 'otp' }).check();
    await form.getByRole('checkbox', { name: 'send' }).uncheck();
    await form.getByLabel('Credits per day').fill('120');
    await form.getByRole('button', { name: 'Create key' }).click();
    await expect(form.getByRole('alert')).toContainText('You come back here, with what you have typed.');
    await signInAgain(form);

    await expect(form.getByLabel('Name')).toHaveValue('Newsletter');
    await expect(form.getByRole('radio', { name: 'Test' })).toBeChecked();
    await expect(form.getByRole('checkbox', { name: 'otp' })).toBeChecked();
    await expect(form.getByRole('checkbox', { name: 'send' })).not.toBeChecked();
    await expect(form.getByLabel('Credits per day')).toHaveValue('120');
    await form.getByRole('button', { name: 'Create key' }).click();
    await expect(page.getByRole('group', { name: 'New key' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Actions for Newsletter' })).toBeVisible();

    await page.goto(`${stack.url}/dashboard/key?create`);
    await expect(form.getByLabel('Name')).toHaveValue('');
    await leave(page);
  });

  test('brings back the question about the account’s key, the deletion, and settings', async ({ browser }) => {
    const { page, email, signInAgain, grow } = await withOldSession(browser);
    await page.goto(`${stack.url}/dashboard/key`);
    await page.getByLabel('Hours the old key keeps working').fill('7');
    await page.getByRole('button', { name: 'Replace key…' }).click();
    const question = page.getByRole('alertdialog', { name: 'Replace your API key?' });
    await question.getByRole('button', { name: 'Replace key' }).click();
    await signInAgain(question);
    await expect(question).toContainText('works for 7 hours more');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(question).toBeHidden();
    await expect(page).toHaveURL(`${stack.url}/dashboard/key`);

    await grow();
    await page.goto(`${stack.url}/dashboard/account`);
    await page.getByRole('checkbox', { name: 'A payment is disputed' }).uncheck();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await signInAgain(page.getByRole('main'));
    await expect(page.getByRole('checkbox', { name: 'A payment is disputed' })).not.toBeChecked();

    await grow();
    await page.getByRole('button', { name: 'Delete account…' }).click();
    const deletion = page.getByRole('alertdialog', { name: 'Delete your account?' });
    await deletion.getByLabel('Email').fill(email);
    await deletion.getByRole('button', { name: 'Delete account' }).click();
    await signInAgain(deletion);
    await expect(deletion.getByLabel('Email')).toHaveValue(email);
    await leave(page);
  });

  test('keeps nothing for another account that signs in', async ({ browser }) => {
    const { page, signInAgain } = await withOldSession(browser);
    await page.goto(`${stack.url}/dashboard/key?create`);
    const form = page.getByRole('dialog', { name: 'Create a key' });
    await form.getByLabel('Name').fill('Newsletter');
    await form.getByRole('button', { name: 'Create key' }).click();
    await expect(form.getByRole('link', { name: 'Sign in again' })).toBeVisible();
    await page.evaluate(() => {
      addEventListener('pagehide', () => {
        const kept = JSON.parse(sessionStorage.getItem('typed-before-sign-in') ?? '{}') as object;
        sessionStorage.setItem('typed-before-sign-in', JSON.stringify({ ...kept, owner: 'another' }));
      });
    });
    await signInAgain(form);
    await expect(form.getByLabel('Name')).toHaveValue('');
    expect(await page.evaluate(() => sessionStorage.getItem('typed-before-sign-in'))).toBeNull();
    await leave(page);
  });

  test('keeps no password', async ({ browser }) => {
    const { page, signInAgain } = await withOldSession(browser);
    await page.goto(`${stack.url}/dashboard/key?create`);
    const form = page.getByRole('dialog', { name: 'Create a key' });
    await form.getByLabel('Name').fill('Newsletter');
    await form.getByRole('button', { name: 'Create key' }).click();
    await expect(form.getByRole('link', { name: 'Sign in again' })).toBeVisible();
    // Nothing renders the form again before it is left, which would put back its type.
    await form.getByLabel('Credits per day').evaluate((field: HTMLInputElement) => {
      field.type = 'password';
      field.value = '98765';
    });
    await page.evaluate(() => {
      addEventListener('pagehide', () =>
        localStorage.setItem('seen', sessionStorage.getItem('typed-before-sign-in') ?? ''),
      );
    });
    await signInAgain(form);
    const kept = JSON.parse((await page.evaluate(() => localStorage.getItem('seen'))) ?? '') as {
      fields: readonly { value: string }[];
    };
    const values = kept.fields.map(({ value }) => value);
    expect(values).toContain('Newsletter');
    expect(values).not.toContain('98765');
    await leave(page);
  });
});

test('“Try it” waits for the key of a reader who is signed in', async ({ browser }) => {
  const { page } = await signIn(browser, stack);
  await page.waitForFunction(() => localStorage.getItem('signed-in') === 'yes');
  let release = (): void => undefined;
  const isHeld = new Promise<void>((resolve) => (release = resolve));
  const asked = page.waitForRequest(/reader-key/);
  await page.route(/reader-key/, async (route) => {
    await isHeld;
    await route.continue();
  });
  await page.goto(`${stack.url}/docs/send-sms`);
  await asked;
  await page.getByRole('button', { name: 'Try it' }).first().click();
  await expect(page.getByRole('button', { name: 'Loading...' })).toBeVisible();
  await expect(page.getByText('this button makes the call with a test key')).toHaveCount(0);
  release();
  await expect(page.getByRole('region', { name: 'Code: Your answer, HTTP 200' })).toContainText('"test": true');
  await leave(page);
});

/** A person whose last sign-in with Google is too long ago for some actions. */
async function withOldSession(browser: Browser) {
  const { page, email, name } = await signIn(browser, stack);
  const grow = () =>
    stack.sql(
      `UPDATE sessions SET authenticated_at = now() - interval '14 minutes'
       FROM accounts a WHERE a.id = account_id AND a.email = $1`,
      [email],
    );
  await grow();
  /** Signs in through the account chooser, as a person does. */
  const signInAgain = async (within: Locator) => {
    await within.getByRole('link', { name: 'Sign in again' }).click();
    await page.locator('summary', { hasText: 'Use another account' }).click();
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Email address').fill(email);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(/\/dashboard\//);
    await hydrated(page);
  };
  return { page, email, name, grow, signInAgain };
}
