import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, expect, type Browser, type Page } from '@playwright/test';
import { repository } from '../testing/repository.js';
import { signIn } from '../testing/signed-in.js';
import { test } from '../testing/product.js';
import type { Stack } from '../testing/stack.js';
import { Visitor } from '../testing/visitor.js';

/**
 * Thirty-two pictures look as in e2e/web/pictures, drawn by Chromium on Linux with the Liberation
 * fonts alone. Parts that differ from run to run are covered. docs/testing.md tells how to replace
 * the pictures.
 */
const fontFolder = '/usr/share/fonts/truetype/liberation';
const isComparable = process.platform === 'linux' && existsSync(`${fontFolder}/LiberationMono-Regular.ttf`);
const HOST = 'http://pennytext.example';
const SIZE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

let stack: Stack;
let browser: Browser;
let page: Page;

test.beforeAll(async ({ product, launchOptions }) => {
  test.skip(!isComparable, 'the pictures are of Chromium on Linux with the Liberation fonts');
  stack = product;
  browser = await chromium.launch({ ...launchOptions, env: { ...process.env, FONTCONFIG_FILE: fontsFile() } });
  ({ page } = await signIn(browser, stack, { name: 'Ada Lovelace' }));
  const apikey = await Visitor.of(stack, page.request).apiKey();
  for (const to of ['+12025550161', '+12025550162'])
    expect(await stack.api.send({ to, message: 'Your parcel arrives today.', apikey })).toMatchObject({
      kind: 'accepted',
    });
  await expect
    .poll(async () => (await stack.api.messages(apikey)).map(({ status }) => status))
    .toEqual(['delivered', 'delivered']);
  await page.setViewportSize(SIZE);
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' });
  // Public pages are compared as most visitors see them.
  await page.addInitScript(() => window.localStorage.removeItem('signed-in'));
  // A time decides how wide the columns of a table are.
  await page.route(/\/api\/dashboard\/(messages\/[^/]+|conversations)\?/, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-10-12T16:30:00.000Z');
    return route.fulfill({ response, body });
  });
  // The fonts are shown however late they come. The style sheets come from the build, because the
  // page may be gone before the server has answered.
  await page.route('**/*.css', async (route) => {
    const sheet = await readFile(join(repository, 'dist/web/client', new URL(route.request().url()).pathname), 'utf8');
    const body = sheet.replaceAll(/font-display:\s*optional/g, 'font-display:block');
    return route.fulfill({ contentType: 'text/css', body });
  });
  // The address of the product is part of samples.
  await page.route(
    (url) => url.origin === new URL(stack.url).origin && !url.pathname.startsWith('/api/'),
    async (route) => {
      if (route.request().resourceType() !== 'document') return route.fallback();
      const response = await route.fetch();
      // The policy has the hashes of the page's scripts as they were.
      const { 'content-security-policy': _policy, ...headers } = response.headers();
      return route.fulfill({ response, headers, body: (await response.text()).replaceAll(stack.url, HOST) });
    },
  );
});

test.afterAll(() => browser?.close());

const desk = [
  ['home', '/', 'View Full Documentation'],
  ['docs', '/docs/send-sms/curl', 'Send an SMS with'],
  ['pricing', '/pricing', 'Starter'],
  ['faq', '/faq', 'What does it cost?'],
  ['regions', '/regions', 'Germany'],
  ['about', '/about', 'About Pennytext'],
  ['otp', '/otp', 'One-time'],
  ['errors', '/docs/errors', 'Errors'],
  ['webhooks', '/docs/webhooks', 'Webhooks'],
  ['signup', '/signup', 'Sign Up'],
  ['dashboard', '/dashboard', 'Messages by day'],
  ['send', '/dashboard/send', 'Send with'],
  ['messages', '/dashboard/messages', '2 messages'],
  ['received', '/dashboard/messages?tab=received', 'No received SMS history available.'],
  ['conversations', '/dashboard/conversations?tab=all', '2 conversations.'],
  ['bulk', '/dashboard/bulk', 'Send in Bulk'],
  ['billing', '/dashboard/billing', 'No billing history available.'],
  ['purchase', '/dashboard/purchase', 'Supported Regions'],
  ['redeem', '/dashboard/redeem', 'Redeem Code'],
  ['webhook', '/dashboard/webhook', 'Deliveries'],
  ['dashboard-otp', '/dashboard/otp', 'No codes yet.'],
] as const;
/** At a phone's width, in the dark. */
const phone = desk.filter(([name]) =>
  [
    'home',
    'docs',
    'pricing',
    'regions',
    'dashboard',
    'send',
    'messages',
    'conversations',
    'bulk',
    'purchase',
    'dashboard-otp',
  ].includes(name),
);

for (const [name, path, shown] of desk) test(`${name} looks as before`, () => compare(name, path, shown));

test.describe('on a phone in the dark', () => {
  test.beforeAll(async () => {
    await page.setViewportSize(PHONE);
    await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'dark' });
  });
  for (const [name, path, shown] of phone) test(`${name} looks as before`, () => compare(`${name}-phone`, path, shown));
});

async function compare(name: string, path: string, shown: string): Promise<void> {
  await page.goto(`${stack.url}${path}`);
  await expect(page.getByText(shown).filter({ visible: true }).first()).toBeVisible();
  await expect(page.getByText('Loading...')).toHaveCount(0);
  if (path.startsWith('/dashboard')) await expect(page.getByRole('status').filter({ hasText: /^Live/ })).toBeVisible();
  await page.evaluate(() => document.fonts.ready);
  await expect(page).toHaveScreenshot(`${name}.png`, { maxDiffPixelRatio: 0.003, mask: changing() });
}

/** Keys, times, and figures of days. */
function changing() {
  return [
    page.getByRole('group', { name: 'API Key' }),
    page.getByRole('main').getByRole('img'),
    page.getByRole('slider'),
    page.getByRole('cell', { name: /\d+\/\d+\/\d{4}/ }),
    page.getByText(/[0-9a-f]{4}_test/),
  ];
}

/**
 * A configuration of fontconfig that knows the Liberation fonts alone, whatever else is installed.
 */
function fontsFile(): string {
  const folder = test.info().outputPath('fonts');
  mkdirSync(folder, { recursive: true });
  const alias = (generic: string, family: string) =>
    `<alias><family>${generic}</family><prefer><family>${family}</family></prefer></alias>`;
  const file = `${folder}/fonts.conf`;
  writeFileSync(
    file,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<dir>${fontFolder}</dir><cachedir>${folder}</cachedir>
${alias('sans-serif', 'Liberation Sans')}${alias('monospace', 'Liberation Mono')}</fontconfig>\n`,
  );
  return file;
}
