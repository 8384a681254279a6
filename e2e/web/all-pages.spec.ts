import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, type Browser, type Page } from '@playwright/test';
import { Complaints } from '../testing/complaints.js';
import { shifts, untilPainted, watchShifts } from '../testing/layout-shifts.js';
import { takeScreenshots } from '../testing/screenshots.js';
import { test } from '../testing/product.js';
import { expectAccessible } from '../testing/view-checks.js';
import type { Stack } from '../testing/stack.js';
import { typedText } from '../testing/typed-text.js';
import { untilWhole } from '../testing/whole-page.js';

const NARROWEST = 320;
const WIDTHS = [390, 768, 1280] as const;
const SCRIPT_BYTES_MAX = 110_000;
const HEADING = 'Send and Receive SMS with our simple API';

let stack: Stack;
/** Every public page, as the site itself tells search engines. */
let paths: string[];

test.beforeAll(async ({ product }) => {
  stack = product;
  const sitemap = await (await fetch(`${stack.url}/sitemap.xml`)).text();
  paths = [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url = '']) => new URL(url).pathname);
});

test('the sitemap names the pages of the route table', () => {
  const wanted = [
    '/',
    '/login',
    '/signup',
    '/docs',
    '/pricing',
    '/faq',
    '/about',
    '/privacy',
    '/tos',
    '/regions',
    '/otp',
  ];
  expect(paths).toEqual(expect.arrayContaining(wanted));
});

test('every page is whole at every width, in light and in dark', async ({ browser }) => {
  test.setTimeout(600_000);
  // No color is in transition: the checks see the final colors.
  const page = await openPage(browser, { width: WIDTHS[0], reducedMotion: 'reduce' });
  const complaints = new Complaints(page);
  const isFirstOfFolder = (path: string) => paths.find((one) => folderOf(one) === folderOf(path)) === path;
  // The pages of the calls are generated from one template, and the pages of the languages from
  // another: one page stands for all of its template.
  const isShown = (path: string) =>
    !/^\/docs\/(api|send-sms)\//.test(path) || ['/docs/api/send-sms', '/docs/send-sms/java'].includes(path);
  for (const path of paths.filter(isShown)) {
    await test.step(path, async () => {
      await page.setViewportSize({ width: WIDTHS[0], height: 844 });
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
      await openWhole(page, path);
      await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
      await expectAccessible(page);
      // 320 px is also what a reader sees at 640 px and twice the size.
      for (const width of [NARROWEST, ...WIDTHS]) {
        await page.setViewportSize({ width, height: 844 });
        expect([width, await overflow(page)]).toEqual([width, 0]);
      }
      // The colors differ by scheme, menus and columns by width, and pages of one folder share
      // these.
      await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
      await expectAccessible(page, { rules: isFirstOfFolder(path) ? 'all' : 'colors' });
      expect(complaints.take()).toEqual([]);
      await takeScreenshots(page, nameOf(path));
      // The list includes code that loads after the page is shown, which its HTML does not name.
      const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
      const scripts = loaded.map((url) => new URL(url).pathname).filter((file) => file.endsWith('.js'));
      expect(await scriptBytes(scripts)).toBeLessThan(SCRIPT_BYTES_MAX);
    });
  }
  await page.context().close();
});

test('every page describes itself to search engines and shared links', async ({ request }) => {
  const titles = new Set<string>();
  for (const path of paths) {
    const html = await (await request.get(`${stack.url}${path}`)).text();
    const [head = ''] = html.split('</head>');
    titles.add(/<title>(.*?)<\/title>/.exec(head)?.[1] ?? '');
    const url = `${stack.url}${path}`;
    expect(attributeOf(head, /<link[^>]*rel="canonical"[^>]*>/, 'href')).toBe(url);
    expect(attributeOf(head, /<meta[^>]*property="og:url"[^>]*>/, 'content')).toBe(url);
    expect(attributeOf(head, /<meta[^>]*name="description"[^>]*>/, 'content').length).toBeGreaterThan(40);
  }
  expect(titles.size).toBe(paths.length);
  const picture = await request.get(`${stack.url}/og.png`);
  expect([picture.status(), picture.headers()['content-type']]).toEqual([200, 'image/png']);
});

test('no page names more than 110 kB of JavaScript, gzipped', async () => {
  const heavy: string[] = [];
  for (const path of paths) {
    const html = await (await fetch(`${stack.url}${path}`)).text();
    const bytes = await scriptBytes([...html.matchAll(/\/assets\/[\w.-]+\.js/g)].map(([script]) => script));
    if (bytes > SCRIPT_BYTES_MAX) heavy.push(`${path}: ${bytes}`);
  }
  expect(heavy).toEqual([]);
});

test.describe('the menu', () => {
  const links = ['OTP', 'Pricing', 'Docs', 'FAQ', 'About', 'Login'];

  for (const javaScriptEnabled of [true, false]) {
    test(`opens behind its button at 768 px, and closes on a choice, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async ({
      browser,
    }) => {
      const page = await openPage(browser, { width: 768, javaScriptEnabled });
      await page.goto(stack.url);
      const toggle = page.getByRole('button', { name: 'Menu' });
      await expect(mainLinks(page)).toHaveCount(0);
      await toggle.click();
      await expect(mainLinks(page)).toHaveText(links);
      if (javaScriptEnabled) await expect(toggle).toHaveAttribute('aria-expanded', 'true');
      await page.getByRole('link', { name: 'FAQ' }).click();
      await expect(page).toHaveURL(`${stack.url}/faq`);
      await expect(mainLinks(page)).toHaveCount(0);
      await expect(toggle).toHaveAttribute('aria-expanded', 'false');
      await page.context().close();
    });
  }

  test('closes on Escape and gives the keyboard back to its button', async ({ browser }) => {
    const page = await openPage(browser, { width: 390 });
    await page.goto(stack.url);
    const toggle = page.getByRole('button', { name: 'Menu' });
    await toggle.press('Enter');
    await expect(mainLinks(page)).toHaveText(links);
    await page.keyboard.press('Escape');
    await expect(mainLinks(page)).toHaveCount(0);
    await expect(toggle).toBeFocused();
    await page.context().close();
  });
});

test.describe('the home page', () => {
  for (const [width, height] of [
    [1280, 720],
    [390, 844],
  ] as const) {
    test(`shows heading and buttons at once at ${width} × ${height}`, async ({ browser }) => {
      const page = await openPage(browser, { width, height });
      await page.goto(stack.url);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(HEADING);
      for (const name of ['Login to Buy Credits', 'View Full Documentation'])
        await expect(page.getByRole('link', { name })).toBeInViewport({ ratio: 1 });
      await page.context().close();
    });
  }

  test('types the sample whole, then the message arrives', async ({ page }) => {
    await page.clock.install();
    await openWhole(page, '/');
    const phone = page.getByRole('figure', { name: 'The recipient’s phone' });
    const bubble = phone.getByText('Hello from Pennytext');
    await page.clock.pauseAt(Date.now() + 1_000);
    await page.clock.runFor(20_000);
    expect(await typedText(page)).toMatch(/^import json[^]*print\(json\.load\(response\)\)$/);
    await expect(bubble).toBeVisible();

    await page.getByRole('radio', { name: 'ruby' }).check();
    await expect(bubble).toBeHidden();
    // The message is being written meanwhile: the phone is never empty.
    await expect(phone.locator('p[aria-hidden]')).toBeVisible();
    await page.clock.runFor(20_000);
    await expect(phone.locator('p[aria-hidden]')).toHaveCount(0);
    expect(await typedText(page)).toMatch(/^require "net\/http"[^]*puts response\.body$/);
    await expect(bubble).toBeVisible();
  });

  test('shows the sample whole to people who prefer reduced motion', async ({ browser }) => {
    const page = await openPage(browser, { width: 1280, reducedMotion: 'reduce' });
    await page.goto(stack.url);
    await page.getByRole('radio', { name: 'curl' }).check();
    await expect.poll(() => typedText(page)).toContain("apikey='YOUR_API_KEY'");
    await page.context().close();
  });

  test('has samples that name this very host, and copies them', async ({ page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(stack.url);
    await page.getByRole('radio', { name: 'curl' }).check();
    await page.getByRole('button', { name: 'Copy: curl' }).click();
    await expect(page.getByRole('alert')).toHaveText('Code copied to clipboard!');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`${stack.url}/api/sendsms`);
  });

  test('is readable and leads on without JavaScript', async ({ browser }) => {
    const page = await openPage(browser, { width: 1280, javaScriptEnabled: false });
    await page.goto(stack.url);
    await expect(page.getByText('New users get 3 free credits.')).toBeVisible();
    await expect(page.getByText('print(json.load(response))')).toBeVisible();
    await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Service' }).click();
    await expect(page).toHaveURL(`${stack.url}/tos`);
    await page.context().close();
  });

  test('moves nothing while it loads, though the sample arrives after the text beside it', async ({ page }) => {
    await watchShifts(page);
    const slow = await SlowPage.of(stack.url, '<fieldset');
    try {
      await page.goto(slow.url, { waitUntil: 'commit' });
      await page.getByRole('heading', { level: 1 }).waitFor();
      // The text is painted before the rest comes.
      await untilPainted(page);
      slow.sendRest();
      await untilWhole(page);
      expect(await shifts(page)).toBeLessThan(0.01);
    } finally {
      slow.close();
    }
  });
});

test('a page that cannot be loaded keeps the menu, and opens on a second try', async ({ page, context }) => {
  await page.goto(`${stack.url}/faq`, { waitUntil: 'networkidle' });
  await context.setOffline(true);
  await page.getByRole('link', { name: 'Pricing' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This page could not be loaded.');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('alert')).toHaveText(/^Pennytext could not be reached\./);
  await expectAccessible(page);
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pricing');
  await expect(mainLinks(page).first()).toBeVisible();
});

test('the keyboard can skip the menu', async ({ page }) => {
  await page.goto(stack.url);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
});

function attributeOf(html: string, tag: RegExp, name: string): string {
  return new RegExp(`${name}="([^"]*)"`).exec(tag.exec(html)?.[0] ?? '')?.[1] ?? '';
}

interface Wanted {
  readonly width: number;
  readonly height?: number;
  readonly colorScheme?: 'light' | 'dark';
  readonly javaScriptEnabled?: boolean;
  readonly reducedMotion?: 'reduce';
}

async function openPage(browser: Browser, { width, height = 844, ...options }: Wanted): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height }, ...options });
  return context.newPage();
}

/** Opens a page and waits until the browser has taken it over, fonts and all. */
async function openWhole(page: Page, path: string): Promise<void> {
  await page.goto(`${stack.url}${path}`);
  await untilWhole(page);
}

/** A server before ours that holds back the home page from a text on. */
class SlowPage {
  private constructor(
    readonly url: string,
    readonly sendRest: () => void,
    readonly close: () => void,
  ) {}

  static async of(upstream: string, heldFrom: string): Promise<SlowPage> {
    let sendRest = (): void => undefined;
    const isTime = new Promise<void>((resolve) => (sendRest = resolve));
    const forward = async ({ url = '/' }: IncomingMessage, response: ServerResponse) => {
      const answer = await fetch(`${upstream}${url}`);
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
      const body = Buffer.from(await answer.arrayBuffer());
      const held = url === '/' ? body.indexOf(heldFrom) : 0;
      response.write(body.subarray(0, held));
      if (url === '/') await isTime;
      response.end(body.subarray(held));
    };
    const server = createServer((request, response) => {
      forward(request, response).catch((error: Error) => response.destroy(error));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    return new SlowPage(`http://127.0.0.1:${port}/`, sendRest, () => {
      server.close();
      server.closeAllConnections();
    });
  }
}

function mainLinks(page: Page) {
  return page.getByRole('navigation', { name: 'Main' }).getByRole('link');
}

/** Pixels by which a page is wider than the window. */
function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
}

function folderOf(path: string): string | undefined {
  return path.split('/')[1];
}

function nameOf(path: string): string {
  return path === '/' ? 'home' : path.slice(1).replaceAll('/', '-');
}

const scriptSizes = new Map<string, number>();

/** Bytes of these scripts in a browser that takes gzip; there are always more than two scripts. */
async function scriptBytes(scripts: readonly string[]): Promise<number> {
  const different = new Set(scripts);
  expect(different.size).toBeGreaterThan(2);
  let bytes = 0;
  for (const script of different) {
    const size = scriptSizes.get(script) ?? (await gzippedBytes(script));
    scriptSizes.set(script, size);
    bytes += size;
  }
  return bytes;
}

/** Bytes that the server sends to a browser that takes gzip. */
async function gzippedBytes(path: string): Promise<number> {
  const { hostname, port } = new URL(stack.url);
  const [response] = (await once(
    get({ hostname, port, path, headers: { 'Accept-Encoding': 'gzip' } }),
    'response',
  )) as [IncomingMessage];
  expect(response.headers['content-encoding']).toBe('gzip');
  let bytes = 0;
  for await (const chunk of response) bytes += (chunk as Buffer).length;
  return bytes;
}
