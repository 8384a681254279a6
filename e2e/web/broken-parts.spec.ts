import { type Browser, expect, type Page } from '@playwright/test';
import { serviceStatus } from '#contract/examples.js';
import { Complaints } from '../testing/complaints.js';
import { pressForSearch, searchField } from '../testing/docs-search.js';
import { leave, signIn } from '../testing/signed-in.js';
import { test } from '../testing/product.js';
import type { Stack } from '../testing/stack.js';

const INDEX = '**/docs/search.json';

let stack: Stack;

test.beforeAll(({ product }) => {
  stack = product;
});

async function openSearch(page: Page): Promise<void> {
  await page.goto(`${stack.serverUrl}/docs`, { waitUntil: 'networkidle' });
  await pressForSearch(page);
}

test.describe('the search of the documentation', () => {
  test('takes each letter in a fresh tab, before and after its index is there', async ({ page }) => {
    const complaints = new Complaints(page);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(INDEX, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${stack.serverUrl}/docs`, { waitUntil: 'networkidle' });
    for (const query of ['send', 'a webhook', 'status=canceled', 'message_too_long', 'idempotency-key'])
      await test.step(query, async () => {
        await pressForSearch(page);
        for (const [place, letter] of [...query].entries()) {
          await page.keyboard.type(letter);
          await expect(searchField(page)).toHaveValue(query.slice(0, place + 1));
          if (query === 'send' && place === 0) {
            await expect(page.getByRole('dialog').getByText('Loading...')).toBeVisible();
            release();
          }
          await expect(page.getByText(/^(First )?\d+ results?$/)).toBeVisible();
        }
        const first = page.getByRole('option').first();
        await expect(first).toHaveAttribute('data-highlighted', '');
        await expect(page.locator('[role=option] mark').first()).toBeVisible();
        const [heading = ''] = await first.locator('strong').allTextContents();
        await page.keyboard.press('Enter');
        await expect(searchField(page)).toHaveCount(0);
        await expect(page.getByRole('heading', { name: heading, exact: true }).first()).toBeInViewport();
      });
    expect(complaints.take()).toEqual([]);
  });

  test('keeps what is typed while its code loads, and returns the focus to its button', async ({ page }) => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(/\/assets\/docs-search-.*\.js$/, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${stack.serverUrl}/docs`, { waitUntil: 'networkidle' });
    const button = page.getByRole('button', { name: 'Search the docs' });
    await page.keyboard.press('/');
    await page.keyboard.type('send smx');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('s');
    release();
    await expect(searchField(page)).toHaveValue('send sms');
    await expect(searchField(page)).toBeFocused();
    await page.keyboard.type(' now');
    await expect(searchField(page)).toHaveValue('send sms now');
    await page.keyboard.press('Escape');
    await expect(searchField(page)).toHaveCount(0);
    await expect(button).toBeFocused();
    // The text is typed at once, with the code there.
    await page.keyboard.type('/send sms');
    await expect(searchField(page)).toHaveValue('send sms');
  });

  test('does not open after Escape, however late its code comes', async ({ page }) => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const file = /\/assets\/docs-search-.*\.js$/;
    await page.route(file, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${stack.serverUrl}/docs`, { waitUntil: 'networkidle' });
    await page.keyboard.press('/');
    await page.keyboard.press('Escape');
    const loaded = page.waitForResponse(file);
    release();
    await (await loaded).finished();
    await page.keyboard.press('Tab');
    await expect(searchField(page)).toHaveCount(0);
  });

  test('shows why its index is missing, and has it on another try or with the connection', async ({ page }) => {
    await page.route(INDEX, (route) => route.fulfill({ status: 500, body: 'broken' }));
    await openSearch(page);
    const failed = page.getByRole('dialog').getByRole('alert');
    await expect(failed).toContainText('The search could not be loaded. Check your connection and try again.');
    await page.keyboard.type('send');
    await page.unroute(INDEX);
    await failed.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('option').first()).toBeVisible();
    await expect(failed).toHaveCount(0);

    // The code of the search is there already; its index is not.
    await page.route(INDEX, (route) => route.fulfill({ status: 200, body: '<p>Sign in to this network' }));
    await openSearch(page);
    await expect(failed).toBeVisible();
    await page.unroute(INDEX);
    await page.context().setOffline(true);
    await failed.getByRole('button', { name: 'Try again' }).click();
    await expect(failed).toBeVisible();
    await page.context().setOffline(false);
    await expect(failed).toHaveCount(0);
    await searchField(page).fill('send');
    await expect(page.getByRole('option').first()).toBeVisible();
  });

  test('opens on another try when its code could not be loaded', async ({ page }) => {
    await page.route('**/assets/docs-search-*.js', (route) => route.abort(), { times: 1 });
    await page.goto(`${stack.serverUrl}/docs`, { waitUntil: 'networkidle' });
    const button = page.getByRole('button', { name: 'Search the docs' });
    // A click before the page's script runs has no effect.
    await expect(async () => {
      await button.click();
      await expect(page.getByRole('alert')).toHaveText(
        'The search could not be loaded. Check your connection and try again.',
        { timeout: 5_000 },
      );
    }).toPass({ timeout: 60_000 });
    await button.click();
    await expect(searchField(page)).toBeFocused();
  });

  test('leaves the page there when it breaks, and opens again', async ({ page }) => {
    await page.route(INDEX, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replaceAll('"heading":', '"other":') });
    });
    await openSearch(page);
    await page.keyboard.type('send');
    const broken = page.getByRole('dialog').getByRole('alert');
    await expect(broken).toContainText('Something went wrong on our side.');
    await broken.getByRole('button', { name: 'Try again' }).click();
    await expect(searchField(page)).toHaveValue('');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Documentation');
  });
});

test('a public page that breaks keeps the menu, and is shown on another try', async ({ page }) => {
  const incident = { component: 'email', state: 'outage', started_at: '2026-11-20T14:00:00.000Z', ended_at: null };
  await page.route('**/api/status', (route) => route.fulfill({ json: { ...serviceStatus, incidents: [incident] } }));
  await page.goto(`${stack.serverUrl}/docs`, { waitUntil: 'networkidle' });
  const date = await breakDates(page);
  await page.getByRole('navigation', { name: 'Footer' }).getByRole('link', { name: 'Status' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This page could not be shown.');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'FAQ' }).click();
  await expect(page.getByText('What does it cost?')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This page could not be shown.');
  await date.repair();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('table', { name: 'Incidents' })).toContainText('Nov 20, 2026');
});

test.describe('in the dashboard', () => {
  const signedIn = async (browser: Browser) => {
    const { page } = await signIn(browser, stack);
    await expect(page.getByText(/^Welcome, /)).toBeVisible();
    return page;
  };

  test('a view that breaks keeps the menu, and is shown on another try', async ({ browser }) => {
    const page = await signedIn(browser);
    const title = page.getByRole('heading', { level: 1 });
    const open = (name: string) =>
      page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name, exact: true }).click();
    await open('Redeem Code');
    await expect(title).toHaveText('Redeem Code');
    const date = await breakDates(page);
    await open('Account');
    await expect(title).toHaveText('This page could not be shown.');
    await open('Redeem Code');
    await expect(title).toHaveText('Redeem Code');
    await open('Account');
    await expect(title).toHaveText('This page could not be shown.');
    await date.repair();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(title).toHaveText('Account');
    await leave(page);
  });

  test('the palette of commands that breaks leaves the view, and is shown on another try', async ({ browser }) => {
    const page = await signedIn(browser);
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Search commands' });
    await expect(field).toBeFocused();
    await page.evaluate(() => {
      const owner: object = String.prototype;
      const { value: trim } = Object.getOwnPropertyDescriptor(owner, 'trim') as { value: () => string };
      const broken = function (this: string) {
        if (this.startsWith('se')) throw new Error('broken by the test');
        return trim.call(this);
      };
      Object.defineProperty(owner, 'trim', { value: broken });
    });
    await page.keyboard.type('se');
    const broken = page.getByRole('dialog').getByRole('alert');
    await expect(broken).toContainText('Something went wrong on our side.');
    await broken.getByRole('button', { name: 'Try again' }).click();
    await expect(field).toHaveValue('');
    await page.keyboard.press('Escape');
    await expect(page.getByText(/^Welcome, /)).toBeVisible();
    await leave(page);
  });

  test('popups open without the code of the library', async ({ browser }) => {
    const page = await signedIn(browser);
    await page.addInitScript(() => Object.assign(window, { requestIdleCallback: () => 0 }));
    await page.route('**/assets/popup-*.js', (route) => route.abort());
    await page.goto(`${stack.url}/dashboard?transaction=canceled`);
    const popup = page.getByRole('dialog', { name: 'Payment canceled' });
    await expect(popup).toContainText('You were not charged.');
    await page.keyboard.press('Escape');
    await expect(popup).toHaveCount(0);
    await expect(page).toHaveURL(`${stack.url}/dashboard`);
    await leave(page);
  });
});

/** Makes every page throw that shows a date, as a fault of the code would. */
async function breakDates(page: Page): Promise<{ readonly repair: () => Promise<void> }> {
  const real = await page.evaluateHandle(() => {
    const fail = () => {
      throw new Error('broken by the test');
    };
    const descriptors = [
      [Date.prototype, 'toLocaleString'],
      [Intl.DateTimeFormat.prototype, 'format'],
    ] as const;
    const before = descriptors.map(([owner, name]) => Object.getOwnPropertyDescriptor(owner, name) ?? {});
    for (const [owner, name] of descriptors) Object.defineProperty(owner, name, { get: fail, configurable: true });
    return () => {
      for (const [index, [owner, name]] of descriptors.entries()) {
        const descriptor = before[index];
        if (descriptor) Object.defineProperty(owner, name, descriptor);
      }
    };
  });
  return { repair: () => real.evaluate((repair) => repair()) };
}
