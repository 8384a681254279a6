import { randomBytes } from 'node:crypto';
import { expect } from '@playwright/test';
import { launch, type Page } from 'puppeteer-core';
import { findCommand } from '../../tools/testkit/redis.js';
import { test } from '../testing/product.js';

// Playwright drives builds of Firefox of its own; Puppeteer drives the Firefox that people have,
// over WebDriver BiDi.
const firefox = process.env.FIREFOX_PATH ?? findCommand('firefox-esr', 'firefox');
const STARTED_WITHIN_MS = 60_000;
const SHOWN_WITHIN_MS = 60_000;
/**
 * Half of the processor time: no processes kept ready for pages that are never opened, and few
 * frames.
 */
const cheapPreferences = {
  'dom.ipc.processPrelaunch.enabled': false,
  'dom.ipc.processCount': 1,
  'layout.frame_rate': 5,
  'ui.prefersReducedMotion': 1,
};
const TO = '+12025550157';

test('a person signs in with Firefox, sends a message and sees that it is delivered', async ({ product }) => {
  test.skip(firefox === undefined, 'Firefox is not installed');
  test.setTimeout(2 * STARTED_WITHIN_MS + 120_000);
  const browser = await launch({
    browser: 'firefox',
    executablePath: firefox ?? '',
    timeout: STARTED_WITHIN_MS,
    protocolTimeout: STARTED_WITHIN_MS,
    defaultViewport: { width: 1280, height: 900 },
    extraPrefsFirefox: cheapPreferences,
  });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(SHOWN_WITHIN_MS);
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(`${page.url()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => complaints.push(`${page.url()}: ${String(error)}`));
    await countViolations(page);

    const email = `e2e-${randomBytes(6).toString('hex')}@pennytext.example`;
    await page.goto(`${product.url}/login`);
    await page.locator('::-p-aria(Sign In with Google)').click();
    await page.locator('details.fold summary').click();
    await page.locator('input[name="name"]').fill('Ada Lovelace');
    await page.locator('input[name="email"]').fill(email);
    await page.locator('button.primary').click();
    await page.locator('::-p-text(Welcome, Ada Lovelace)').wait();

    await page.locator('::-p-aria([name="Send SMS"][role="link"])').click();
    await page.locator('::-p-aria([name="To"][role="textbox"])').fill(TO);
    await page.locator('::-p-aria([name="Message"][role="textbox"])').fill('Hello from Firefox');
    await page.locator('label::-p-text(Live key)').click();
    await page.locator('main form button[type="submit"]').click();
    await page.locator('main ::-p-text(Delivered)').wait();

    expect((await product.carrier.messages(TO)).map(({ body }) => body)).toEqual(['Hello from Firefox']);
    expect(complaints).toEqual([]);
    expect(await page.evaluate(() => Reflect.get(window, 'violations') as string[])).toEqual([]);
  } finally {
    await browser.close();
  }
});

/** Collects what the page's content security policy stops. */
async function countViolations(page: Page): Promise<void> {
  await page.evaluateOnNewDocument(() => {
    const violations: string[] = [];
    Object.assign(window, { violations });
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) =>
      violations.push(`${violatedDirective} ${blockedURI} ${sourceFile}`),
    );
  });
}
