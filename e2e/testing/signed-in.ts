import { randomBytes } from 'node:crypto';
import { expect, type Browser, type BrowserContext, type Page } from '@playwright/test';
import type { Stack } from './stack.js';

/** A person who has just signed in with Google, and the open page. */
export interface SignedIn {
  readonly page: Page;
  readonly email: string;
  readonly name: string;
}

interface Person {
  readonly name?: string;
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
}

interface Look {
  readonly width: number;
  readonly colorScheme: 'light' | 'dark';
}

/** Looks of the contexts that people sign in with. */
const looks = new WeakMap<BrowserContext, Look>();
/** Contexts that people have left: their cache has the product's files, with the code compiled. */
const idle = new WeakMap<Browser, BrowserContext[]>();

/**
 * Opens a browser window in which a new person signs in at the account chooser and comes to the
 * dashboard. The browser has no cookies, storage or permissions; its cache may be of an earlier
 * person: see {@link leave}.
 */
export async function signIn(browser: Browser, stack: Stack, person: Person = {}): Promise<SignedIn> {
  const { name = 'Ada Lovelace', width = 1280, colorScheme = 'light' } = person;
  const email = `e2e-${randomBytes(6).toString('hex')}@pennytext.example`;
  const context = await contextWith(browser, { width, colorScheme });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin: stack.url, storageTypes: 'local_storage' });
  await session.detach();
  // The chooser's own form, as it is sent without JavaScript; the pages of the sign-in have tests
  // of their own.
  const chooser = await page.request.get(`${stack.url}/auth/google`);
  await page.request.post(chooser.url(), { form: { name, email, email_verified: 'true' } });
  await page.goto(`${stack.url}/dashboard`);
  await hydrated(page);
  return { page, email, name };
}

/**
 * Closes the windows of a person, whose browser keeps its cache for the next person with the same
 * look: loading and compiling the dashboard again would double the processor time of a sign-in.
 */
export async function leave(page: Page): Promise<void> {
  const context = page.context();
  const browser = context.browser();
  if (!browser || !looks.has(context)) return context.close();
  await Promise.all(context.pages().map((one) => one.close()));
  await context.unrouteAll();
  await context.setOffline(false);
  await context.clearPermissions();
  await context.clearCookies();
  idle.set(browser, [...(idle.get(browser) ?? []), context]);
}

/** A context that was left, or a new one. */
async function contextWith(browser: Browser, look: Look): Promise<BrowserContext> {
  const { width, colorScheme } = look;
  const hasLook = (context: BrowserContext) => {
    const its = looks.get(context);
    return its?.width === width && its.colorScheme === colorScheme;
  };
  const left = idle.get(browser) ?? [];
  const found = left.find(hasLook);
  if (found) {
    idle.set(
      browser,
      left.filter((one) => one !== found),
    );
    return found;
  }
  const context = await browser.newContext({ viewport: { width, height: 844 }, colorScheme });
  looks.set(context, look);
  return context;
}

/** The dashboard takes keys and clicks once its menu is no longer inert. */
export function hydrated(page: Page): Promise<void> {
  return expect(page.locator('aside[inert]')).toHaveCount(0);
}
