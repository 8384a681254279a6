import { expect, type CDPSession, type Page } from '@playwright/test';
import { dashboardEventsPath } from '#contract/dashboard.js';

/**
 * Failure of a call from our pages, and the words that a person then reads; without an answer, the
 * connection is lost.
 */
export interface Fault {
  readonly name: string;
  readonly answer?: {
    readonly status: number;
    readonly headers?: Record<string, string>;
    readonly json: object;
  };
  readonly words: string;
}

const failure = (error: string, code: string) => ({ success: 'false', error, code, detail: '' });

/** Faults that keep a person on the page. */
export const faults: readonly Fault[] = [
  { name: 'a lost connection', words: 'Pennytext could not be reached. Check your connection and try again.' },
  {
    name: 'too many calls',
    answer: { status: 429, headers: { 'Retry-After': '30' }, json: failure('Too many.', 'rate_limited') },
    words: 'Too many. You can try again in 30 seconds.',
  },
  {
    name: 'a fault of the server’s',
    answer: {
      status: 500,
      headers: { 'X-Request-Id': '4f0c' },
      json: failure('It broke. Please try again.', 'internal'),
    },
    words: 'It broke. Please try again.',
  },
];

export const sessionEnded: Fault = {
  name: 'an ended session',
  answer: { status: 401, json: failure('Please sign in.', 'not_signed_in') },
  words: 'Please log in to view the dashboard.',
};

/** A call that a page makes. */
export interface PageCall {
  readonly method: string;
  readonly url: string;
}

/**
 * Has every matching call meet the fault in `now`; undefined lets it through. The stream of live
 * events stays closed, as its start repeats failed reads. Only calls are stopped on their way, by
 * Chromium's own protocol: with a route, Playwright would load all files of each page without a
 * cache.
 */
export class Faulty {
  now: Fault | undefined;

  private constructor(
    private readonly session: CDPSession,
    private readonly isMeant: (call: PageCall) => boolean,
  ) {}

  static async on(page: Page, isMeant: (call: PageCall) => boolean): Promise<Faulty> {
    const session = await page.context().newCDPSession(page);
    const faulty = new Faulty(session, isMeant);
    session.on('Fetch.requestPaused', ({ requestId, request }) => void faulty.answer(requestId, request));
    await session.send('Fetch.enable', { patterns: [{ urlPattern: '*/api/*' }, { urlPattern: '*/auth/*' }] });
    return faulty;
  }

  /** Later calls meet no fault. */
  async end(): Promise<void> {
    await this.session.send('Fetch.disable');
    await this.session.detach();
  }

  private async answer(requestId: string, call: PageCall): Promise<void> {
    try {
      const isFaulty = this.now !== undefined && this.isMeant(call);
      if (call.url.endsWith(dashboardEventsPath) || (isFaulty && !this.now?.answer))
        await this.session.send('Fetch.failRequest', { requestId, errorReason: 'Failed' });
      else if (isFaulty && this.now?.answer) {
        const { status, headers, json } = this.now.answer;
        const responseHeaders = Object.entries({ 'Content-Type': 'application/json', ...headers }).map(
          ([name, value]) => ({ name, value }),
        );
        const body = Buffer.from(JSON.stringify(json)).toString('base64');
        await this.session.send('Fetch.fulfillRequest', { requestId, responseCode: status, responseHeaders, body });
      } else await this.session.send('Fetch.continueRequest', { requestId });
    } catch (error) {
      // The page has been left, and its call with it, or the faults have ended: then the browser goes on by itself.
      if (!/Invalid InterceptionId|Target page, context or browser has been closed|not enabled/.test(String(error)))
        throw error;
    }
  }
}

/** The page says that the session is over, and its sign-in leads back to this view. */
export async function expectLoginBackTo(page: Page, path: string): Promise<void> {
  await expect(page.getByText(sessionEnded.words)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Login' })).toHaveAttribute(
    'href',
    path === '/dashboard' ? '/login' : `/login?${new URLSearchParams({ next: path }).toString()}`,
  );
}
