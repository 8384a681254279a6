import { gunzipSync } from 'node:zlib';
import { expect } from '@playwright/test';
import { quality, serviceStatus } from '#contract/examples.js';
import { regions } from '#contract/regions.js';
import { pressForSearch, searchField } from '../testing/docs-search.js';
import { shifts, untilPainted, watchShifts, whatMoved } from '../testing/layout-shifts.js';
import { test } from '../testing/product.js';
import { expectAccessibleInBothSchemes } from '../testing/view-checks.js';
import type { Stack } from '../testing/stack.js';

let stack: Stack;

test.beforeAll(({ product }) => {
  stack = product;
});

test('the menu shows the current entry on a low window, and fades where there is more', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 640 });
  await page.goto(`${stack.url}/docs`);
  const menu = page.getByRole('navigation', { name: 'Documentation' });
  const column = menu.locator('[data-below]');
  await expect(column).toHaveAttribute('data-below', 'true');
  await expect(column).toHaveAttribute('data-above', 'false');
  expect(await column.evaluate((element) => getComputedStyle(element).maskImage)).toContain('gradient');
  for (const path of ['/docs/cli', '/docs/mcp', '/docs/api/service-status', '/docs/send-sms/java']) {
    await page.goto(`${stack.url}${path}`);
    const current = menu.locator('a[aria-current=page]').filter({ visible: true });
    await expect(current).toBeInViewport({ ratio: 1 });
    expect(await page.evaluate(() => scrollY)).toBe(0);
    // The link is inside of the column too, which clips its content.
    const isShown = await current.evaluate((link) => {
      const frame = link.closest('[data-below]')?.getBoundingClientRect();
      const { top, bottom } = link.getBoundingClientRect();
      return frame !== undefined && top >= frame.top && bottom <= frame.bottom;
    });
    expect([path, isShown]).toEqual([path, true]);
  }
  await page.goto(`${stack.url}/docs`);
  // The page shows the current entry once its code is there.
  await expect(async () => {
    await column.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await expect(column).toHaveAttribute('data-below', 'false', { timeout: 500 });
  }).toPass();
  await expect(column).toHaveAttribute('data-above', 'true');
});

test('the menu of a phone opens whole, with the current entry marked', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${stack.url}/docs/mcp`);
  const menu = page.getByRole('navigation', { name: 'Documentation' });
  await menu.getByText('Documentation menu').click();
  const entries = menu.getByRole('link').filter({ visible: true });
  await expect(entries.first()).toHaveText('Overview');
  await expect(menu.locator('a[aria-current=page]').filter({ visible: true })).toHaveText('AI assistants (MCP)');
  await entries.last().scrollIntoViewIfNeeded();
  await expect(entries.last()).toBeInViewport({ ratio: 1 });
});

test('the package is served, with what npm shows of it', async ({ page, request }) => {
  await page.goto(`${stack.url}/docs/sdk`);
  await expect(page.getByRole('heading', { level: 2 }).first()).toHaveText(/^Install/);
  const command = await page.getByRole('region', { name: 'Code: Install' }).innerText();
  expect(command.trim()).toBe(`npm install ${stack.url}/pennytext.tgz`);
  const tarball = await request.get(`${stack.url}/pennytext.tgz`);
  expect(tarball.status()).toBe(200);
  // Names in a tar file are in the first 100 bytes of blocks of 512.
  const blocks = gunzipSync(await tarball.body());
  const names = Array.from({ length: blocks.length / 512 }, (_, place) =>
    blocks.toString('latin1', place * 512, place * 512 + 100).replace(/\0[^]*/, ''),
  ).filter((name) => name.startsWith('package/'));
  for (const name of ['README.md', 'LICENSE', 'package.json', 'dist/cli.js', 'dist/index.js'])
    expect(names).toContain(`package/${name}`);
});

test("pages of the SDK and its programs begin with the installation and have this site's own address", async ({
  page,
}) => {
  for (const path of ['/docs/clients', '/docs/sdk', '/docs/cli', '/docs/mcp']) {
    await page.goto(`${stack.url}${path}`);
    const article = page.getByRole('article');
    await expect(article.getByRole('heading', { level: 2 }).first()).toHaveText(/^Install/);
    await expect(article).toContainText(stack.url);
    await expect(article).not.toContainText('YOUR_URL');
  }
});

test('a visitor who tries a call learns how; one without a key is made at once', async ({ page }) => {
  await page.goto(`${stack.url}/docs/api/balance`);
  const article = page.getByRole('article');
  await article.getByRole('button', { name: 'Try it' }).click();
  await expect(article).toContainText('makes the call with a test key of your own');
  await expect(article.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/login');
  await page.goto(`${stack.url}/docs/api/service-status`);
  await article.getByRole('button', { name: 'Try it' }).click();
  await expect(page.getByRole('region', { name: 'Code: Your answer, HTTP 200' })).toContainText('"components"');
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('a question opens and closes its answer, and only one is open', async ({ page }) => {
    await page.goto(`${stack.serverUrl}/faq`);
    const cost = page.getByText('You buy credits in packs');
    const trial = page.getByText('Every new user gets 3 free credits');
    await expect(cost).toBeHidden();
    await page.getByText('What does it cost?').click();
    await expect(cost).toBeVisible();
    await page.getByText('Is there a free trial?').click();
    await expect(trial).toBeVisible();
    await expect(cost).toBeHidden();
    await page.getByText('Is there a free trial?').click();
    await expect(trial).toBeHidden();
  });
});

test('the search finds sections despite typos, and opens them by keyboard', async ({ page }) => {
  await page.goto(`${stack.serverUrl}/docs`, { waitUntil: 'networkidle' });
  await pressForSearch(page);
  const field = searchField(page);
  await field.fill('idempotncy');
  const first = page.getByRole('option').first();
  await expect(first).toHaveAttribute('data-highlighted', '');
  await expect(first.locator('mark').first()).toHaveText(/^idempotency$/i);
  await expect(page.getByRole('option', { name: 'Retrying safely' }).first()).toBeVisible();
  await expectAccessibleInBothSchemes(page, '[role=dialog]');
  await field.fill('recipient_opted_out');
  await expect(page.getByRole('option').first()).toContainText('Errors');
  await field.press('ArrowDown');
  await expect(page.getByRole('option').nth(1)).toHaveAttribute('data-highlighted', '');
  await field.press('ArrowUp');
  await field.press('Enter');
  await expect(page).toHaveURL(`${stack.serverUrl}/docs/errors#recipient_opted_out`);
  await expect(page.getByRole('heading', { name: 'recipient_opted_out' })).toBeInViewport();

  await page.getByRole('button', { name: 'Search the docs' }).click();
  await field.fill('qqqqxyzzy');
  await expect(page.getByText('Nothing found.')).toBeVisible();
  await field.press('Escape');
  await expect(field).toBeHidden();
  await expect(page.getByRole('button', { name: 'Search the docs' })).toBeFocused();
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(page).toHaveTitle('Retrying safely – Pennytext');
});

test('programs appear in the language chosen last, on other pages and in other tabs too', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${stack.serverUrl}/docs`);
  const other = await context.newPage();
  await other.goto(`${stack.serverUrl}/docs/bulk`);
  await expect(other.getByRole('region', { name: 'Code: Curl: Send a bulk' })).toContainText('curl ');
  await page.getByRole('radio', { name: 'Python' }).check();
  await expect(page.getByRole('region', { name: 'Code: Python: Send an SMS' })).toContainText('from pennytext import');
  const bulk = other.getByRole('region', { name: 'Code: Python: Send a bulk' });
  await expect(bulk.getByText('from pennytext import')).toBeVisible();
  await expect(bulk.getByText('curl ')).toBeHidden();
  // Bulks have no sample for browsers.
  await page.getByRole('radio', { name: 'Javascript' }).check();
  await expect(other.getByRole('region', { name: 'Code: Curl: Send a bulk' })).toBeVisible();
  await page.reload();
  await page.getByRole('button', { name: 'Copy: Javascript: Send an SMS' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('fetch(');
  await page.getByRole('heading', { name: 'The calls' }).getByRole('link').click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe(`${stack.serverUrl}/docs#the-calls`);
});

test('the documentation is one plain text too, with the address of this installation', async ({ request }) => {
  const answer = await request.get(`${stack.serverUrl}/llms.txt`);
  expect(answer.headers()['content-type']).toBe('text/plain; charset=utf-8');
  const text = await answer.text();
  for (const part of [
    '# Pennytext',
    '# Errors',
    '`no_credits`',
    '# OTP Verification',
    '# AI assistants (MCP)',
    '# Event stream',
    `npm install ${stack.serverUrl}/pennytext.tgz`,
    `curl ${stack.serverUrl}/api/sendsms`,
  ])
    expect(text).toContain(part);
  expect(text).not.toContain('https://pennytext.example');
});

test('the status page shows what works, what does not, and when it is not known', async ({ page }) => {
  const components = page.getByRole('list', { name: 'Components' }).getByRole('listitem');
  expect((await page.goto(`${stack.url}/status`))?.status()).toBe(200);
  await expect(page.getByText('Everything works.')).toBeVisible();
  await expect(components.filter({ hasText: 'Operational' })).toHaveCount(4);
  await expect(page.getByText('None.')).toBeVisible();
  await expect(page.getByText(/^Measured \w{3} \d+, \d{4}, \d+:\d\d:\d\d\s[AP]M, New York\.$/)).toBeVisible();
  const answer = {
    success: 'true',
    measured_at: '2026-11-22T15:04:05.000Z',
    components: [
      { component: 'api', state: 'operational' },
      { component: 'sending', state: 'outage' },
      { component: 'webhooks', state: 'unknown' },
    ],
    incidents: [
      { component: 'sending', state: 'outage', started_at: '2026-11-22T14:58:05.000Z', ended_at: null },
      {
        component: 'email',
        state: 'degraded',
        started_at: '2026-11-20T14:00:00.000Z',
        ended_at: '2026-11-20T15:30:00.000Z',
      },
    ],
    history: [
      {
        component: 'sending',
        available_percent: 99.98,
        days: [
          { day: '2026-11-20', state: 'unknown', available_percent: null, measured_percent: 0 },
          { day: '2026-11-21', state: 'operational', available_percent: 100, measured_percent: 50 },
          { day: '2026-11-22', state: 'outage', available_percent: 99.6, measured_percent: 100 },
        ],
      },
    ],
  };
  await page.route('**/api/status', (route) => route.fulfill({ json: answer }));
  await page.reload();
  await expect(page.getByText('Part of the service is down.')).toBeVisible();
  await expect(components).toHaveText([
    /^API.*Operational90 days ago/,
    /^Sending.*Outage90 days ago/,
    /^Webhooks.*Not measured90 days ago/,
    /^Email.*Not used90 days ago/,
  ]);
  await expect(page.getByText('Measured Nov 22, 2026, 10:04:05 AM, New York.')).toBeVisible();
  const bars = page.getByRole('img', { name: /^Sending: 2 days, 99\.98% available in 2 days, 1 operational/ });
  await expect(bars.locator('span')).toHaveCount(90);
  await expect(bars.locator('span[data-state]')).toHaveCount(2);
  await expect(bars).toHaveAccessibleName(/0 with delays, 1 with an outage, 0 without data\.$/);
  await expect(bars.locator('span').last()).toHaveAttribute('title', 'Nov 22, 2026: Outage, 99.6% available');
  await page.getByText('Every day as a table').click();
  const days = page.getByRole('table', { name: 'History by day' }).getByRole('row');
  await expect(days).toHaveText([
    /Day/,
    /Nov 22, 2026\s*Outage, 99.6% available/,
    /Nov 21, 2026\s*Operational, measured 50% of the day/,
  ]);
  const rows = page.getByRole('table', { name: 'Incidents' }).getByRole('row');
  await expect(rows.nth(1)).toHaveText(/Sending\s*Outage\s*Nov 22, 2026, 9:58\sAM\s*Not yet/);
  await expect(rows.nth(2)).toHaveText(/Email\s*Delayed\s*Nov 20, 2026, 9:00\sAM\s*Nov 20, 2026, 10:30\sAM/);
  await expectAccessibleInBothSchemes(page, 'main');
  await page.unroute('**/api/status');
  await page.route('**/api/status', (route) => route.abort());
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('The status could not be loaded.');
});

test('on a phone a field has its name, whether it is required, and its description without titles', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${stack.url}/docs/send-sms`);
  const fields = page.getByRole('table').first().locator('tbody tr');
  await expect(fields.nth(3)).toContainText('reference');
  await expect(fields.nth(3).getByText('Optional')).toBeVisible();
  await expect(fields.getByText('Required', { exact: true }).filter({ visible: true })).toHaveCount(3);
  const titles = await fields
    .nth(3)
    .evaluate((row) =>
      [...row.children]
        .map((cell) => getComputedStyle(cell, '::before').content)
        .filter((content) => content !== 'none'),
    );
  expect(titles).toEqual([]);
});

test('the status can be subscribed to: the page names a feed that a reader understands', async ({ page, request }) => {
  await page.goto(`${stack.url}/status`);
  const href = await page.locator('head link[type="application/atom+xml"]').getAttribute('href');
  expect(href).toBe('/status.xml');
  await expect(page.getByRole('link', { name: 'Subscribe to changes' })).toHaveAttribute('href', '/status.xml');
  const feed = await request.get(`${stack.url}/status.xml`);
  expect(feed.headers()['content-type']).toBe('application/atom+xml; charset=utf-8');
  const text = await feed.text();
  const root = await page.evaluate((xml) => {
    const { documentElement } = new DOMParser().parseFromString(xml, 'application/xml');
    return [documentElement.namespaceURI, documentElement.localName];
  }, text);
  expect(root).toEqual(['http://www.w3.org/2005/Atom', 'feed']);
});

test('the footer has no link to the delivery quality, and its page few words, while there are no figures', async ({
  page,
}) => {
  // Tests that ran before may have left figures.
  let mark: 'on' | 'off' = 'off';
  await page.route(`${stack.url}/quality`, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/data-figures="\w+"/, `data-figures="${mark}"`);
    await route.fulfill({ response, body });
  });
  await page.route('**/api/quality', (route) => route.fulfill({ json: { ...quality, quality: [] } }));
  await page.goto(`${stack.url}/quality`);
  await expect(page.getByText('Nothing to show yet')).toBeVisible();
  const link = page.getByRole('contentinfo').getByRole('link', { name: 'Delivery quality' });
  await expect(page.getByRole('contentinfo').getByRole('link', { name: 'Status' })).toBeVisible();
  await expect(link).toBeHidden();
  await expect(page.getByText('The share delivered is of the messages')).toBeHidden();
  mark = 'on';
  await page.reload();
  await expect(link).toBeVisible();
  await expect(page.getByText('The share delivered is of the messages')).toBeVisible();
});

const withoutEmail = serviceStatus.components.filter(({ component }) => component !== 'email');
const notMeasured = withoutEmail.map(({ component }) => ({ component, state: 'unknown' }));
for (const [path, ...answers] of [
  ['/status', serviceStatus, { ...serviceStatus, components: notMeasured, incidents: [] }],
  ['/quality', quality, { ...quality, quality: regions.map(({ iso2 }) => ({ ...quality.quality[0], country: iso2 })) }],
] as const)
  for (const font of ['its font', 'a font that comes late'])
    test(`${path} moves nothing when its figures arrive, or do not, in ${font}`, async ({ page }) => {
      await watchShifts(page);
      for (const [turn, json] of [...answers, undefined].entries())
        for (const size of [
          { width: 390, height: 844 },
          { width: 1440, height: 900 },
        ]) {
          let release = (): void => undefined;
          const held = new Promise<void>((resolve) => (release = resolve));
          if (font !== 'its font') await page.route('**/*.woff2', (route) => route.abort());
          await page.route(`**/api${path}`, async (route) => {
            await held;
            await (json ? route.fulfill({ json }) : route.abort());
          });
          await page.setViewportSize(size);
          await page.goto(`${stack.url}${path}`);
          const waiting = page.getByRole('main').getByText('Loading...');
          await expect(waiting.first()).toBeAttached();
          await untilPainted(page);
          release();
          await expect(waiting).toHaveCount(0);
          await untilPainted(page);
          const moved = (await whatMoved(page)).join('\n');
          expect([turn, size.width, await shifts(page)], moved).toEqual([turn, size.width, 0]);
          await page.unrouteAll({ behavior: 'wait' });
        }
    });
