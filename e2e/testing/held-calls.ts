import type { CDPSession, Page } from '@playwright/test';

/**
 * Calls of a page that wait until they are released. They are stopped by Chromium's own protocol:
 * with a route, Playwright would load all files of each page without a cache.
 */
export class HeldCalls {
  private isHolding = true;
  private readonly held: string[] = [];

  private constructor(private readonly session: CDPSession) {}

  /** `pattern` is of addresses, with `*` for any text. */
  static async of(page: Page, pattern: string): Promise<HeldCalls> {
    const session = await page.context().newCDPSession(page);
    const calls = new HeldCalls(session);
    session.on('Fetch.requestPaused', ({ requestId }) => void calls.take(requestId));
    await session.send('Fetch.enable', { patterns: [{ urlPattern: pattern }] });
    return calls;
  }

  /** Later calls wait. */
  hold(): void {
    this.isHolding = true;
  }

  /** Calls that wait go on, and later calls do not wait. */
  async release(): Promise<void> {
    this.isHolding = false;
    for (const requestId of this.held.splice(0)) await this.session.send('Fetch.continueRequest', { requestId });
  }

  private async take(requestId: string): Promise<void> {
    if (this.isHolding) this.held.push(requestId);
    else await this.session.send('Fetch.continueRequest', { requestId });
  }
}
