import type { Page } from '@playwright/test';

/**
 * What a browser complains of while a page is open: errors in its console, scripts that threw, what
 * the page's policy stopped.
 */
export class Complaints {
  private readonly heard: string[] = [];

  constructor(page: Page) {
    page.on('console', (message) => {
      if (message.type() === 'error') this.heard.push(`${page.url()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => this.heard.push(`${page.url()}: ${error.message}`));
  }

  /** What was heard since the last time. */
  take(): string[] {
    return this.heard.splice(0);
  }
}
