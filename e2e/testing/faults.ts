import { expect, type Page, type Request } from '@playwright/test';
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

/**
 * Has every matching call meet the fault in `now`; undefined lets it through. The stream of live
 * events stays closed, as its start repeats failed reads.
 */
export class Faulty {
  now: Fault | undefined;

  private constructor(
    private readonly page: Page,
    private readonly isMeant: (request: Request) => boolean,
  ) {}

  static async on(page: Page, isMeant: (request: Request) => boolean): Promise<Faulty> {
    const faulty = new Faulty(page, isMeant);
    await page.route('**/*', async (route) => {
      if (route.request().url().endsWith(dashboardEventsPath)) await route.abort();
      else if (!faulty.now || !faulty.isMeant(route.request())) await route.fallback();
      else if (faulty.now.answer) await route.fulfill(faulty.now.answer);
      else await route.abort();
    });
    return faulty;
  }

  async end(): Promise<void> {
    await this.page.unrouteAll({ behavior: 'wait' });
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
