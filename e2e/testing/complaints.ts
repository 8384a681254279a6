import type { Page } from '@playwright/test';

/**
 * Complaints of a browser while a page is open: errors in its console, scripts that threw, and
 * violations of the page's policy.
 */
export class Complaints {
  private readonly heard: string[] = [];

  constructor(page: Page) {
    page.on('console', (message) => {
      if (message.type() === 'error') this.heard.push(`${page.url()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => this.heard.push(`${page.url()}: ${error.message}`));
  }

  /** Returns the complaints since the last call. */
  take(): string[] {
    return this.heard.splice(0);
  }
}
