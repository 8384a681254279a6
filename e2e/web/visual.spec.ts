import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { chromium, expect, type Browser, type Page } from '@playwright/test';
import { signIn } from '../testing/signed-in.js';
import { test } from '../testing/product.js';
import type { Stack } from '../testing/stack.js';
import { Visitor } from '../testing/visitor.js';

/**
 * Ten pages look as in e2e/web/pictures, drawn by Chromium on Linux with the Liberation fonts alone. What differs from run to run is
 * covered. docs/testing.md tells how to replace the pictures.
 */
const fontFolder = '/usr/share/fonts/truetype/liberation';
const isComparable = process.platform === 'linux' && existsSync(`${fontFolder}/LiberationMono-Regular.ttf`);
const HOST = 'http://pennytext.example';
const SIZE = { width: 1280, height: 800 };

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

for (const [name, path, shown] of [
  ['home', '/', 'View Full Documentation'],
  ['docs', '/docs/send-sms/curl', 'Send an SMS with'],
  ['pricing', '/pricing', 'Starter'],
  ['faq', '/faq', 'What does it cost?'],
  ['regions', '/regions', 'Germany'],
  ['dashboard', '/dashboard', 'Messages by day'],
  ['send', '/dashboard/send', 'Send with'],
  ['messages', '/dashboard/messages', '2 messages'],
  ['purchase', '/dashboard/purchase', 'Supported Regions'],
  ['webhook', '/dashboard/webhook', 'Deliveries'],
] as const)
  test(`${name} looks as before`, async () => {
    await page.goto(`${stack.url}${path}`);
    await expect(page.getByText(shown).first()).toBeVisible();
    await expect(page.getByText('Loading...')).toHaveCount(0);
    if (path.startsWith('/dashboard'))
      await expect(page.getByRole('status').filter({ hasText: /^Live/ })).toBeVisible();
    await page.evaluate(() => document.fonts.ready);
    await expect(page).toHaveScreenshot(`${name}.png`, { maxDiffPixelRatio: 0.01, mask: changing() });
  });

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

/** A configuration of fontconfig that knows the Liberation fonts alone, whatever else is installed. */
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
