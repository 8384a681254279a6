import { expect, type Page } from '@playwright/test';
import { Complaints } from '../testing/complaints.js';
import { leave, signIn } from '../testing/signed-in.js';
import { test } from '../testing/product.js';
import { untilWhole } from '../testing/whole-page.js';

const scrolled = (page: Page) => page.evaluate(() => Math.round(window.scrollY));
const scrollTo = (page: Page, top: number) => page.evaluate((y) => window.scrollTo(0, y), top);
const canonical = (page: Page) => page.locator('link[rel=canonical]');

/** A mark that a page load wipes out. */
const mark = (page: Page) => page.evaluate(() => void Object.assign(window, { isMarked: true }));
const isMarked = (page: Page) => page.evaluate(() => Reflect.get(window, 'isMarked') === true);

test('pages open without a page load, from their tops, with their own titles and descriptions', async ({
  page,
  product,
}) => {
  const complaints = new Complaints(page);
  await page.goto(`${product.url}/faq`, { waitUntil: 'networkidle' });
  await mark(page);
  await scrollTo(page, 400);
  await page.getByRole('contentinfo').getByRole('link', { name: 'Supported Regions' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Supported Regions');
  await expect(page).toHaveTitle('Supported Regions – Pennytext');
  await expect(page.locator('title')).toHaveCount(1);
  await expect(page.locator('meta[name=description]')).toHaveCount(1);
  await expect(canonical(page)).toHaveCount(1);
  await expect(canonical(page)).toHaveAttribute('href', `${product.url}/regions`);
  await expect(page.getByRole('main')).toBeFocused();
  expect([await scrolled(page), await isMarked(page)]).toEqual([0, true]);
  expect(complaints.take()).toEqual([]);
});

test('back and forward lead to where the reader was, and fragments to their headings', async ({ page, product }) => {
  await page.goto(`${product.url}/docs/errors`, { waitUntil: 'networkidle' });
  await untilWhole(page);
  await mark(page);
  await scrollTo(page, 1_500);
  await page.getByRole('navigation', { name: 'Documentation' }).getByRole('link', { name: 'Limits' }).click();
  const title = page.getByRole('heading', { level: 1 });
  await expect(title).toHaveText('Limits');
  expect(await scrolled(page)).toBe(0);
  await page.goBack();
  await expect(title).toHaveText('Errors');
  await expect.poll(() => scrolled(page)).toBe(1_500);
  await page.goForward();
  await expect(title).toHaveText('Limits');
  await expect.poll(() => scrolled(page)).toBe(0);
  expect(await isMarked(page)).toBe(true);

  await page.goBack();
  await page.reload({ waitUntil: 'networkidle' });
  await expect.poll(() => scrolled(page)).toBe(1_500);
  const heading = page.getByRole('heading', { level: 2 }).last();
  const last = await heading.innerText();
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: last }).click();
  await expect(heading).toBeInViewport();
  const below = await scrolled(page);
  await page.goBack();
  await expect.poll(() => scrolled(page)).toBe(1_500);
  await page.goForward();
  await expect.poll(() => scrolled(page)).toBe(below);
});

test('a reader who scrolled before the page worked comes back to where they were', async ({ page, product }) => {
  let sendCode = (): void => undefined;
  const isTime = new Promise<void>((resolve) => (sendCode = resolve));
  await page.route(/entry\.client-.*\.js$/, async (route) => {
    await isTime;
    await route.continue();
  });
  await page.goto(`${product.url}/docs/errors`, { waitUntil: 'commit' });
  const title = page.getByRole('heading', { level: 1 });
  await expect(title).toHaveText('Errors');
  await expect(page.getByRole('contentinfo')).toBeAttached();
  await scrollTo(page, 1_500);
  await expect.poll(() => scrolled(page)).toBe(1_500);
  sendCode();
  await untilWhole(page);
  // Fonts that arrive late change the height of what is above; the browser keeps the same lines in view.
  const place = await scrolled(page);
  expect(place).toBeGreaterThan(1_000);
  await mark(page);
  await page.getByRole('navigation', { name: 'Documentation' }).getByRole('link', { name: 'Limits' }).click();
  await expect(title).toHaveText('Limits');
  await page.goBack();
  await expect(title).toHaveText('Errors');
  await expect.poll(() => scrolled(page)).toBe(place);
  expect(await isMarked(page)).toBe(true);
});

test('the code and data of a page are loaded when the pointer or the focus reaches its link', async ({
  page,
  product,
}) => {
  await page.goto(`${product.url}/about`, { waitUntil: 'networkidle' });
  const loaded = [/pricing-page-.*\.js$/, /pricing-page-.*\.css$/, /\/pricing\/page\.json$/].map((address) =>
    page.waitForResponse(address),
  );
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pricing' });
  await link.hover();
  await Promise.all((await Promise.all(loaded)).map((response) => response.finished()));
  await page.context().setOffline(true);
  await link.click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pricing');
});

test('the earlier page stays until the next one and its style sheet are there', async ({ page, product }) => {
  await page.goto(`${product.url}/about`, { waitUntil: 'networkidle' });
  let sendStyles = (): void => undefined;
  const isTime = new Promise<void>((resolve) => (sendStyles = resolve));
  await page.route(/pricing-page-.*\.css$/, async (route) => {
    await isTime;
    await route.continue();
  });
  const title = page.getByRole('heading', { level: 1 });
  const code = page.waitForResponse(/\/pricing\/page\.json$/);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pricing' }).click();
  await (await code).finished();
  await expect(title).toHaveText('About Pennytext');
  sendStyles();
  await expect(title).toHaveText('Pricing');
});

test('a public page whose code cannot be loaded stays readable, and the dashboard reports it', async ({
  browser,
  product,
}) => {
  const { page } = await signIn(browser, product);
  await page.route(/faq-page-.*\.js$/, (route) => route.abort());
  await page.goto(`${product.url}/faq`, { waitUntil: 'networkidle' });
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Questions and answers');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'About' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('About Pennytext');
  // The page counts as just reloaded, which it does by itself once a minute: else the button would
  // go while it is clicked.
  await page.addInitScript(() => sessionStorage.setItem('reloaded-at', String(Date.now())));
  for (const code of [/account-page-.*\.js$/, /dashboard-layout-.*\.js$/]) {
    await page.route(code, (route) => route.abort());
    await page.goto(`${product.url}/dashboard/account`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('This page could not be loaded.');
    await page.unroute(code);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Account');
  }
  await leave(page);
});

test('an unknown address below a known one is 404 with its page', async ({ page, product }) => {
  const complaints = new Complaints(page);
  for (const path of ['/docs/nothing', '/docs/api/nothing', '/nothing']) {
    expect((await page.goto(`${product.url}${path}`, { waitUntil: 'networkidle' }))?.status()).toBe(404);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found.');
    await expect(page).toHaveTitle('Page not found – Pennytext');
    expect(complaints.take().filter((text) => !text.includes('404'))).toEqual([]);
  }
  await page.getByRole('link', { name: 'Go to the start page' }).click();
  await expect(page).toHaveURL(`${product.url}/`);
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found.');
});

test('the views of the dashboard have their titles, and a reload shows the same view', async ({ browser, product }) => {
  const { page } = await signIn(browser, product);
  const complaints = new Complaints(page);
  const menu = page.getByRole('navigation', { name: 'Dashboard' });
  await mark(page);
  for (const name of ['Billing History', 'API Keys', 'Account']) {
    await menu.getByRole('link', { name }).click();
    await expect(page).toHaveTitle(`${name} – Pennytext`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
  }
  expect(await isMarked(page)).toBe(true);
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('API Keys');
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('API Keys');
  await expect(page.locator('meta[name=robots]')).toHaveCount(1);
  expect(complaints.take()).toEqual([]);
  await leave(page);
});
