import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { Complaints } from '../testing/complaints.js';
import { test } from '../testing/product.js';
import { takeScreenshots } from '../testing/screenshots.js';
import { Stack } from '../testing/stack.js';
import { expectGoodView } from '../testing/view-checks.js';

const OFF = 'Custom sign-in is currently unavailable. Use Sign in with Google.';
const GOOD_PASSWORD = 'Analytical1!';
const NEXT_PASSWORD = 'C0rrect!horse';

let stack: Stack;
let custom: Stack;

test.beforeAll(async ({ product }) => {
  stack = product;
  custom = await Stack.start({
    servers: 1,
    receiptDelayMs: 100,
    logFolder: test.info().outputPath('logs'),
    env: { CUSTOM_SIGN_IN_ENABLED: 'true' },
  });
  await custom.startWorker();
});

test.afterAll(() => custom?.stop());

test.describe('with Google', () => {
  test('a person signs in, comes to the dashboard, and is led there from the login and from the old address', async ({
    page,
  }) => {
    const complaints = new Complaints(page);
    await page.goto(`${stack.url}/dashboard`);
    await expect(page).toHaveURL(`${stack.url}/login`);
    await page.getByRole('link', { name: 'Sign In with Google' }).click();
    await page.getByRole('listitem').first().getByRole('button').click();
    await expect(page).toHaveURL(`${stack.url}/dashboard`);
    await page.goto(`${stack.url}/dashboardpage`);
    await expect(page).toHaveURL(`${stack.url}/dashboard`);
    // The dashboard notes that this browser is signed in, which public pages then show.
    await expect(page.getByText(/^Welcome, /)).toBeVisible();
    await page.goto(`${stack.url}/pricing`);
    const menu = page.getByRole('navigation', { name: 'Main' });
    await expect(menu.getByRole('link', { name: 'Login' })).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'Login to Buy Credits' })).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'Buy Credits' })).toHaveAttribute('href', '/dashboard/purchase');
    await menu.getByRole('link', { name: /^Dashboard [\d,]+ credits$/ }).click();
    await expect(page).toHaveURL(`${stack.url}/dashboard`);
    await page.goto(`${stack.url}/login`);
    await expect(page).toHaveURL(`${stack.url}/dashboard`);
    expect(complaints.take()).toEqual([]);
  });

  test('the login page shows in red that the sign-in was canceled', async ({ page }) => {
    await page.goto(`${stack.url}/login`);
    await page.getByRole('link', { name: 'Sign In with Google' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    const alert = page.getByRole('alert');
    await expect(alert).toHaveText(/^Sign-in error: .+/);
    expect(await alert.evaluate((element) => getComputedStyle(element).color)).toBe('rgb(179, 38, 30)');
    await expect(page).toHaveURL(`${stack.url}/login`);
    const [text = ''] = await alert.allTextContents();
    await page.reload();
    await expect(page.getByRole('link', { name: 'Sign In with Google' })).toBeVisible();
    await expect(alert).toHaveCount(0);
    // The same words in a link of another site are no message of the server.
    await page.goto(`${stack.url}/login?${new URLSearchParams({ error: text, next: '/dashboard/key' }).toString()}`);
    await expect(page).toHaveURL(`${stack.url}/login?next=%2Fdashboard%2Fkey`);
    await expect(alert).toHaveCount(0);
  });

  test('the login page shows no text of its address', async ({ page }) => {
    for (const text of ['Call us at 555', 'Sign-in error: Call us at 555', 'Failed to create user record: Call us']) {
      await page.goto(`${stack.url}/login?error=${encodeURIComponent(text)}`);
      await expect(page.getByRole('link', { name: 'Sign In with Google' })).toBeVisible();
      await expect(page.getByText('Call us')).toHaveCount(0);
    }
  });
});

test.describe('while custom sign-in is off', () => {
  test('a sign-up is checked in order and keeps what was typed; a valid one is refused', async ({ page }) => {
    await page.goto(`${stack.url}/signup`);
    await signUp(page, { username: 'Ada', email: '', password: 'weak' });
    await expect(page.getByRole('alert')).toHaveText('All fields are mandatory');
    await signUp(page, { email: 'ada@nowhere' });
    await expect(page.getByLabel('Email')).toHaveAccessibleDescription('Please enter a valid email address');
    await signUp(page, { email: 'ada@example.com' });
    await expect(page.getByLabel('Password')).toHaveAccessibleDescription(
      'Password must be at least 8 characters. Use 1 uppercase, 1 lowercase, 1 number, and 1 special character.',
    );
    await expect(page.getByLabel('Email')).not.toHaveAttribute('aria-invalid');
    await signUp(page, { password: GOOD_PASSWORD });
    await expect(page.getByRole('alert')).toHaveText(OFF);
    await expect(page).toHaveURL(`${stack.url}/signup`);
    await expect(page.getByLabel('Username')).toHaveValue('Ada');
    await expect(page.getByLabel('Password')).toHaveValue(GOOD_PASSWORD);
  });
});

test.describe('while custom sign-in is on', () => {
  test('a person signs up once, with no common password, and comes in again with it', async ({ page, browser }) => {
    const complaints = new Complaints(page);
    const email = `grace-${randomUUID()}@example.com`;
    await page.goto(`${custom.url}/signup`);
    await signUp(page, { username: 'Grace', email, password: 'Passw0rd!' });
    await expect(page.getByLabel('Password')).toHaveAccessibleDescription(
      'This password is easy to guess. Choose a longer or more unusual one.',
    );
    await expect(page).toHaveURL(`${custom.url}/signup`);
    await signUp(page, { password: GOOD_PASSWORD });
    await expect(page).toHaveURL(`${custom.url}/dashboard`);
    expect(complaints.take().filter((one) => !/status of 400/.test(one))).toEqual([]);

    const elsewhere = await (await browser.newContext()).newPage();
    await elsewhere.goto(`${custom.url}/login`);
    await elsewhere.getByRole('link', { name: 'Sign Up' }).click();
    // Both pages have a field for the username: which of them is shown must be sure.
    await expect(elsewhere.getByRole('heading', { name: 'Sign Up' })).toBeVisible();
    await signUp(elsewhere, { username: 'Grace', email, password: GOOD_PASSWORD });
    await expect(elsewhere.getByLabel('Email')).toHaveAccessibleDescription('Email already in use');
    await elsewhere.getByRole('main').getByRole('link', { name: 'Login' }).click();
    await expect(elsewhere.getByRole('heading', { name: 'Login' })).toBeVisible();
    await logIn(elsewhere, email, 'not the one');
    await expect(elsewhere.getByRole('alert')).toHaveText(/^Sign-in error: .+/);
    await logIn(elsewhere, email, GOOD_PASSWORD);
    await expect(elsewhere).toHaveURL(`${custom.url}/dashboard`);
    await elsewhere.context().close();
  });

  test('an address is confirmed by the link in the email alone, after signing in where it was opened', async ({
    page,
    browser,
  }) => {
    const email = await newcomer(page);
    await page.goto(`${custom.url}/dashboard/account?verify=${'x'.repeat(43)}`);
    await expect(page.getByRole('main').getByRole('alert')).toHaveText(
      'Your address was not confirmed. This link is no longer valid.',
    );
    await page.goto(`${custom.url}/dashboard/account`);
    await expect(page.getByText('Not yet', { exact: true })).toBeVisible();
    await expect(page.getByText('Your address is not confirmed yet.')).toBeVisible();
    await takeScreenshots(page, 'account-unconfirmed');
    await expectGoodView(page);
    await page.getByRole('button', { name: 'Send the link again' }).click();
    await expect(page.getByRole('alert')).toHaveText('The link is on its way.');
    const links = await linksTo(email, 'Confirm your email address', 2);

    const elsewhere = await (await browser.newContext()).newPage();
    await elsewhere.goto(links[0] ?? '');
    await expect(elsewhere.getByRole('heading', { name: 'Login' })).toBeVisible();
    await logIn(elsewhere, email, GOOD_PASSWORD);
    await expect(elsewhere.getByText('Yes', { exact: true })).toBeVisible();
    await expect(elsewhere).toHaveURL(`${custom.url}/dashboard/account`);
    await elsewhere.context().close();

    await page.goto(`${custom.url}/dashboard/account?verify=${'x'.repeat(43)}`);
    await expect(page.getByText('Yes', { exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Send the link again' })).toHaveCount(0);
  });

  test('a forgotten password is replaced by the link in the email, once', async ({ page, browser }) => {
    const complaints = new Complaints(page);
    const email = await newcomer(page);
    const elsewhere = await (await browser.newContext()).newPage();
    await elsewhere.goto(`${custom.url}/login`);
    await takeScreenshots(elsewhere, 'login-custom');
    await elsewhere.getByRole('link', { name: 'Forgot your password?' }).click();
    await expect(elsewhere.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible();
    const ask = elsewhere.getByRole('button', { name: 'Send the link' });
    await ask.click();
    await expect(elsewhere.getByLabel('Email')).toHaveAccessibleDescription('All fields are mandatory');
    await elsewhere.getByLabel('Email').fill('ada@nowhere');
    await ask.click();
    await expect(elsewhere.getByLabel('Email')).toHaveAccessibleDescription('Please enter a valid email address');
    await takeScreenshots(elsewhere, 'forgot-password');
    await elsewhere.getByLabel('Email').fill(email);
    await ask.click();
    await expect(elsewhere.getByRole('status')).toContainText('If this address has an account, a link is on its way.');
    await takeScreenshots(elsewhere, 'forgot-password-sent');
    const [link = ''] = await linksTo(email, 'Set a new password', 1);

    await elsewhere.goto(link);
    await expect(elsewhere.getByRole('heading', { name: 'Set a new password' })).toBeVisible();
    const password = elsewhere.getByLabel('New password');
    const set = elsewhere.getByRole('button', { name: 'Set the password' });
    for (const [text, fault] of [
      ['short', /^Password must be at least 8 characters/],
      ['Qwerty123!', 'This password is easy to guess. Choose a longer or more unusual one.'],
    ] as const) {
      await password.fill(text);
      await set.click();
      await expect(password).toHaveAccessibleDescription(fault);
    }
    await takeScreenshots(elsewhere, 'reset-password');
    await expectGoodView(elsewhere);
    await password.fill(NEXT_PASSWORD);
    await set.click();
    await expect(elsewhere.getByRole('status')).toHaveText('Your password was changed.');
    await takeScreenshots(elsewhere, 'reset-password-done');
    await elsewhere.getByRole('link', { name: 'Go to the login' }).click();
    await logIn(elsewhere, email, GOOD_PASSWORD);
    await expect(elsewhere.getByRole('alert')).toHaveText(/^Sign-in error: .+/);
    await logIn(elsewhere, email, NEXT_PASSWORD);
    await expect(elsewhere).toHaveURL(`${custom.url}/dashboard`);
    await linksTo(email, 'Your password was changed', 1);

    // The session in the first browser has ended, and the link is used up.
    await page.goto(`${custom.url}/dashboard`);
    await expect(page).toHaveURL(`${custom.url}/login`);
    await page.goto(link);
    await page.getByLabel('New password').fill('An0ther!secret');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await expect(page.getByLabel('New password')).toHaveAccessibleDescription('This link is no longer valid.');
    await page.getByRole('main').getByRole('link', { name: 'Get a new link' }).click();
    await expect(page).toHaveURL(`${custom.url}/forgot-password`);
    expect(complaints.take().filter((one) => !/status of (400|401)/.test(one))).toEqual([]);
    await elsewhere.context().close();
  });

  test('a password is changed on the account page', async ({ page }) => {
    await newcomer(page);
    await page.goto(`${custom.url}/dashboard/account`);
    const [current, next] = [page.getByLabel('Current password'), page.getByLabel('New password')];
    const change = page.getByRole('button', { name: 'Change password' });
    await change.click();
    await expect(current).toHaveAccessibleDescription('Enter your password.');
    await current.fill('Wr0ng!!!');
    await next.fill(NEXT_PASSWORD);
    await change.click();
    await expect(current).toHaveAccessibleDescription('The password is wrong.');
    await current.fill(GOOD_PASSWORD);
    await change.click();
    await expect(page.getByText('Your password was changed. All other devices are signed out.')).toBeVisible();
    await expect(current).toHaveValue('');
  });

  for (const [what, path, act, refused, done, hows] of [
    [
      'saving what is in a form',
      '/dashboard/account',
      async (page: Page) => {
        await page.getByRole('checkbox', { name: 'A payment is disputed' }).uncheck();
        await page.getByRole('button', { name: 'Save', exact: true }).click();
      },
      (page: Page) => page.getByRole('main'),
      'Your settings were saved.',
      ['Enter', 'the button'],
    ],
    [
      'creating a key in a dialog',
      '/dashboard/key',
      async (page: Page) => {
        await page.getByRole('button', { name: 'Create key' }).click();
        await page.getByRole('dialog').getByLabel('Name').fill('Shop');
        await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
      },
      (page: Page) => page.getByRole('dialog'),
      'Copy your key now.',
      ['Enter'],
    ],
    [
      'replacing the key after a question',
      '/dashboard/key',
      async (page: Page) => {
        await page.getByRole('button', { name: 'Replace key…' }).click();
        await page.getByRole('alertdialog').getByRole('button', { name: 'Replace key' }).click();
      },
      (page: Page) => page.getByRole('alertdialog'),
      'You have a new API key.',
      ['Enter'],
    ],
  ] as const)
    for (const how of hows)
      test(`${what} goes on after the password is confirmed by ${how}`, async ({ page }) => {
        const email = await newcomer(page);
        await custom.sql(
          `UPDATE sessions SET authenticated_at = now() - interval '1 hour'
           FROM accounts a WHERE a.id = account_id AND a.email = $1`,
          [email],
        );
        await page.goto(`${custom.url}${path}`);
        await act(page);
        const notice = refused(page).getByRole('alert').filter({ hasText: 'this needs a recent sign-in' });
        const password = notice.getByLabel('Password', { exact: true });
        const confirm = notice.getByRole('button', { name: 'Confirm' });
        await password.pressSequentially('Wr0ng!!!');
        await confirm.click();
        await expect(password).toHaveAccessibleDescription(/./);
        await expect(password).toBeFocused();
        await password.fill('');
        await password.pressSequentially(GOOD_PASSWORD);
        if (how === 'Enter') await password.press('Enter');
        else await confirm.click();
        await expect(notice).toContainText('You can continue now.');
        // The password is not in the address.
        await expect(page).toHaveURL((url) => url.pathname === path && !url.href.includes(GOOD_PASSWORD));
        const again = refused(page).getByRole('button', { name: /^(Save|Create key|Replace key)$/ });
        await again.click();
        await expect(page.getByText(done).first()).toBeVisible();
      });

  test('each failure is shown on the login page, and what was typed stays', async ({ page }) => {
    await page.goto(`${custom.url}/login`);
    for (const [what, answer, text] of [
      ['an answer that is none', { status: 502, body: '<html>' }, 'Something went wrong. Please try again.'],
      ['a lost connection', undefined, 'Pennytext could not be reached. Check your connection and try again.'],
      [
        'too many attempts',
        {
          status: 429,
          headers: { 'Retry-After': '30' },
          json: failure('Sign-in error: Too many attempts. Please try again later.', 'too_many_attempts'),
        },
        'Sign-in error: Too many attempts. Please try again later. You can try again in 30 seconds.',
      ],
      [
        'a fault of the server’s',
        { status: 500, json: failure('Something went wrong. Please try again.', 'internal') },
        'Something went wrong. Please try again.',
      ],
    ] as const)
      await test.step(what, async () => {
        await page.route('**/auth/login', (route) => (answer ? route.fulfill(answer) : route.abort()));
        await logIn(page, 'ada@example.com', GOOD_PASSWORD);
        await expect(page.getByRole('alert')).toHaveText(text);
        await expect(page.getByLabel(/^Username/)).toHaveValue('ada@example.com');
        await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeEnabled();
        await page.unroute('**/auth/login');
      });
  });
});

/** Signs a new person up, by the call of the form, and returns the address. */
async function newcomer(page: Page): Promise<string> {
  const email = `grace-${randomUUID()}@example.com`;
  const answer = await page.request.post(`${custom.url}/auth/signup`, {
    headers: { 'sec-fetch-site': 'same-origin' },
    data: { username: 'Grace', email, password: GOOD_PASSWORD },
  });
  expect(answer.status()).toBe(201);
  return email;
}

/** Waits for so many emails with a subject and returns their links, oldest first. */
async function linksTo(email: string, subject: string, count: number): Promise<string[]> {
  const mails = async () => (await custom.vendors.mails(email)).filter((mail) => mail.subject === subject);
  await expect.poll(async () => (await mails()).length).toBe(count);
  return (await mails()).map(({ text }) => /https?:\/\/\S+/.exec(text ?? '')?.[0] ?? '');
}

function failure(error: string, code: string) {
  return { success: 'false', error, code, detail: '' };
}

async function signUp(page: Page, fields: { username?: string; email?: string; password?: string }): Promise<void> {
  if (fields.username !== undefined) await page.getByLabel('Username').fill(fields.username);
  if (fields.email !== undefined) await page.getByLabel('Email').fill(fields.email);
  if (fields.password !== undefined) await page.getByLabel('Password').fill(fields.password);
  await page.getByRole('button', { name: 'Sign Up' }).click();
}

async function logIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel(/^Username/).fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
}
