import { randomBytes } from 'node:crypto';
import { expect, type Browser, type BrowserContextOptions, type Page } from '@playwright/test';
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
  readonly colorScheme?: BrowserContextOptions['colorScheme'];
}

/**
 * Opens a browser window in which a new person signs in at the account chooser and comes to the
 * dashboard.
 */
export async function signIn(browser: Browser, stack: Stack, person: Person = {}): Promise<SignedIn> {
  const { name = 'Ada Lovelace', width = 1280, colorScheme = 'light' } = person;
  const email = `e2e-${randomBytes(6).toString('hex')}@pennytext.example`;
  const context = await browser.newContext({ viewport: { width, height: 844 }, colorScheme });
  const page = await context.newPage();
  // The chooser's own form, as it is sent without JavaScript; the pages of the sign-in have tests
  // of their own.
  const chooser = await page.request.get(`${stack.url}/auth/google`);
  await page.request.post(chooser.url(), { form: { name, email, email_verified: 'true' } });
  await page.goto(`${stack.url}/dashboard`);
  await hydrated(page);
  return { page, email, name };
}

/** The dashboard takes keys and clicks once its menu is no longer inert. */
export function hydrated(page: Page): Promise<void> {
  return expect(page.locator('aside[inert]')).toHaveCount(0);
}
