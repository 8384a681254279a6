import { randomBytes } from 'node:crypto';
import type { KeysAnswer } from '#contract/account.js';
import { WatchingPage } from './watching-page.js';

/** A customer signed in with email and password, with the calls of the dashboard's pages. */
export class Customer {
  private constructor(
    private readonly serverUrl: string,
    readonly email: string,
    private readonly cookie: string,
  ) {}

  /** The server must have CUSTOM_SIGN_IN_ENABLED=true. */
  static async signUp(serverUrl: string): Promise<Customer> {
    const email = `e2e-${randomBytes(6).toString('hex')}@pennytext.example`;
    const answer = await fetch(`${serverUrl}/auth/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ username: 'Ada', email, password: 'Analytical1!' }),
    });
    if (!answer.ok) throw new Error(`The sign-up answered ${answer.status}: ${await answer.text()}`);
    const cookie = answer.headers.getSetCookie().map((one) => one.split(';')[0]);
    return new Customer(serverUrl, email, cookie.join('; '));
  }

  async apiKey(): Promise<string> {
    return (await this.call<KeysAnswer>('GET', '/api/dashboard/key')).apiKey;
  }

  /** Opens the dashboard's live updates. */
  watch(): Promise<WatchingPage> {
    return WatchingPage.open(this.serverUrl, this.cookie);
  }

  async call<Answer>(method: 'GET' | 'PUT' | 'POST', path: string, body?: object): Promise<Answer> {
    const answer = await fetch(`${this.serverUrl}${path}`, {
      method,
      headers: {
        cookie: this.cookie,
        'sec-fetch-site': 'same-origin',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(10_000),
    });
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Answer;
  }
}
