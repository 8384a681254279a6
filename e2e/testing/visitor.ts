import { request, type APIRequestContext, type APIResponse } from '@playwright/test';
import type { CheckoutAnswer, CheckoutStatusAnswer } from '#contract/billing.js';
import type { KeysAnswer, SessionAnswer } from '#contract/account.js';
import type { Stack } from './stack.js';

/** A page as a visitor sees it. */
export interface VisitedPage {
  readonly url: URL;
  readonly status: number;
  readonly html: string;
}

/** Address of the pages, and the API behind them. */
type VisitedProduct = Pick<Stack, 'url' | 'api'>;

const ANSWER_WITHIN_MS = 30_000;

/**
 * A person with a browser: keeps cookies, follows redirects from the product to Google or Stripe
 * and back, and sends the forms of their pages, which work without JavaScript. `call` does what our
 * own pages do by script.
 */
export class Visitor {
  private constructor(
    private readonly stack: VisitedProduct,
    private readonly browser: APIRequestContext,
  ) {}

  static async to(stack: VisitedProduct): Promise<Visitor> {
    return new Visitor(stack, await request.newContext({ timeout: ANSWER_WITHIN_MS }));
  }

  /** Visitor with the cookies of a browser of the test, in which a person has signed in. */
  static of(stack: Stack, browser: APIRequestContext): Visitor {
    return new Visitor(stack, browser);
  }

  async leave(): Promise<void> {
    await this.browser.dispose();
  }

  /** Opens an address; a path is one of the product's. */
  async open(address: string): Promise<VisitedPage> {
    return pageOf(await this.browser.get(new URL(address, this.stack.url).href));
  }

  /** Sends a form of the page to the page's own address, as the sandbox's forms do. */
  async submit({ url }: VisitedPage, form: Record<string, string>): Promise<VisitedPage> {
    return pageOf(await this.browser.post(url.href, { form }));
  }

  /** Signs in through the account chooser. `choice` is what the chooser's form says. */
  async signIn(choice: Record<string, string>): Promise<VisitedPage> {
    return this.submit(await this.open('/auth/google'), choice);
  }

  /** The signed-in person, or null. */
  async account(): Promise<SessionAnswer | null> {
    const answer = await this.call('GET', '/auth/me');
    return answer.ok() ? ((await answer.json()) as SessionAnswer) : null;
  }

  async apiKey(): Promise<string> {
    return ((await (await this.call('GET', '/api/dashboard/key')).json()) as KeysAnswer).apiKey;
  }

  async balance(): Promise<number> {
    return (await this.stack.api.balance(await this.apiKey())).balance;
  }

  /** Opens a checkout, as the dashboard does, and goes to Stripe's page. */
  async checkout(pack: string): Promise<{ sessionId: string; page: VisitedPage }> {
    const answer = await this.call('POST', '/api/checkout', { pack });
    if (!answer.ok()) throw new Error(`No checkout of ${pack}: ${answer.status()} ${await answer.text()}`);
    const { sessionId, url } = (await answer.json()) as CheckoutAnswer;
    return { sessionId, page: await this.open(url) };
  }

  pay(page: VisitedPage, number: string, email: string): Promise<VisitedPage> {
    return this.submit(page, { act: 'pay', number, email, expiry: '12 / 34', cvc: '123', name: 'Test Buyer' });
  }

  /** Reads a checkout as the dashboard does when the browser comes back from Stripe. */
  async cameBack(sessionId: string): Promise<CheckoutStatusAnswer> {
    return (await (await this.call('GET', `/api/checkout/${sessionId}`)).json()) as CheckoutStatusAnswer;
  }

  /** A call of one of our own pages. */
  call(method: 'GET' | 'POST' | 'PUT', path: string, data?: object): Promise<APIResponse> {
    const headers = { 'sec-fetch-site': 'same-origin' };
    return this.browser.fetch(`${this.stack.url}${path}`, { method, headers, ...(data && { data }) });
  }
}

async function pageOf(answer: APIResponse): Promise<VisitedPage> {
  return { url: new URL(answer.url()), status: answer.status(), html: await answer.text() };
}
