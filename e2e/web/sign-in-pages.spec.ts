import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { Complaints } from '../testing/complaints.js';
import { test } from '../testing/product.js';
import { Stack } from '../testing/stack.js';

const OFF = 'Custom sign-in is currently unavailable. Use Sign in with Google.';
const GOOD_PASSWORD = 'Penny!text1';

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
    await page.goto(`${stack.url}/pricing`);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Login' }).click();
    await expect(page).toHaveURL(`${stack.url}/dashboard`);
    expect(complaints.take()).toEqual([]);
  });

  test('the login page says in red that the sign-in was canceled', async ({ page }) => {
    await page.goto(`${stack.url}/login`);
    await page.getByRole('link', { name: 'Sign In with Google' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    const alert = page.getByRole('alert');
    await expect(alert).toHaveText(/^Sign-in error: .+/);
    expect(await alert.evaluate((element) => getComputedStyle(element).color)).toBe('rgb(179, 38, 30)');
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
  test('the login shows its form, disabled, and says why', async ({ page }) => {
    await page.goto(`${stack.url}/login`);
    await expect(page.getByText(OFF)).toBeVisible();
    for (const label of [/^Username/, 'Password']) await expect(page.getByLabel(label)).toBeDisabled();
    for (const name of ['Sign In', 'Sign Up'])
      await expect(page.getByRole('button', { name, exact: true })).toBeDisabled();
  });

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
  test('a person signs up once, and comes in again with the password', async ({ page, browser }) => {
    const complaints = new Complaints(page);
    const email = `grace-${randomUUID()}@example.com`;
    await page.goto(`${custom.url}/signup`);
    await signUp(page, { username: 'Grace', email, password: GOOD_PASSWORD });
    await expect(page).toHaveURL(`${custom.url}/dashboard`);
    expect(complaints.take()).toEqual([]);

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

  for (const [what, answer, text] of [
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
    ['an answer that is none', { status: 502, body: '<html>' }, 'Something went wrong. Please try again.'],
  ] as const) {
    test(`${what} is shown on the login page, and what was typed stays`, async ({ page }) => {
      await page.route('**/auth/login', (route) => (answer ? route.fulfill(answer) : route.abort()));
      await page.goto(`${custom.url}/login`);
      await logIn(page, 'ada@example.com', GOOD_PASSWORD);
      await expect(page.getByRole('alert')).toHaveText(text);
      await expect(page.getByLabel(/^Username/)).toHaveValue('ada@example.com');
      await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeEnabled();
    });
  }
});

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
