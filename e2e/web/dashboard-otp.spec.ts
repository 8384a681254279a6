import { expect, type Page } from '@playwright/test';
import { test } from '../testing/product.js';
import { takeScreenshots } from '../testing/screenshots.js';
import { signIn } from '../testing/signed-in.js';
import type { Stack } from '../testing/stack.js';
import { expectGoodView } from '../testing/view-checks.js';

let stack: Stack;

test.beforeAll(({ product }) => {
  stack = product;
});

const main = (page: Page) => page.getByRole('main');

/**
 * Pauses codes after two unverified ones, and returns a call that sends one to a number of one
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
  const { page } = await signIn(browser, stack);
  const send = await sender(page);
  try {
    await page.goto(`${stack.url}/dashboard/otp`);
    const reset = main(page).getByRole('button', { name: 'Reset the guard' });
    await expect(main(page).getByText('No codes are paused.')).toBeVisible();
    await expect(reset).toBeDisabled();

    for (const n of [0, 1]) expect(await send(n)).toBe(200);
    expect(await send(2)).toBe(429);
    await page.reload();
    await expect(main(page).getByText(/paused, because too few of them were verified/)).toBeVisible();
    const row = main(page).getByRole('region', { name: 'Refused within the last hour' }).getByRole('row').last();
    await expect(row).toContainText(/US.*conversion_hour.*2.*0.*1.*Paused/s);
    await takeScreenshots(page, 'otp');
    await expectGoodView(page);

    await reset.click();
    await expect(page.getByText('The fraud guard was reset.')).toBeVisible();
    await expect(main(page).getByText('No codes are paused.')).toBeVisible();
    await expect(reset).toBeDisabled();
    await expect(main(page).getByText(/Next reset possible at/)).toBeVisible();
    expect(await send(3)).toBe(200);
  } finally {
    await stack.sql(`UPDATE otp_rules SET sends_max = 30 WHERE rule = 'conversion_hour'`, []);
  }
  await page.context().close();
});

test('the page of one-time passwords switches whether a verification has to name the recipient', async ({
  browser,
}) => {
  const { page } = await signIn(browser, stack);
  const answer = await page.request.get(`${stack.url}/api/dashboard/key`);
  const { apiKey: apikey } = (await answer.json()) as { apiKey: string };
  const verify = async () =>
    (await page.request.post(`${stack.url}/api/verifyotp`, { data: { otp: '111111', apikey } })).status();
  await page.goto(`${stack.url}/dashboard/otp`);
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
  await page.context().close();
});
