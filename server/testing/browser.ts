import type { LightMyRequestResponse } from 'fastify';
import { Sessions } from '#core/accounts/sessions/sessions.js';
import type { TestServer } from './test-server.js';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A person's browser on our pages: keeps cookies, and says that its calls come from them. */
export class TestBrowser {
  readonly cookies = new Map<string, string>();

  constructor(private readonly server: TestServer) {}

  /** A browser in which this account is signed in already. */
  static async signedIn(server: TestServer, accountId: string): Promise<TestBrowser> {
    const browser = new TestBrowser(server);
    const token = await server.get(Sessions).start(accountId, { method: 'google', earlierToken: undefined });
    browser.cookies.set('pennytext_session', token);
    return browser;
  }

  async call(
    method: Method,
    url: string,
    body?: object,
    headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' },
  ): Promise<LightMyRequestResponse> {
    const answer = await this.server.inject({
      method,
      url,
      headers: {
        ...headers,
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { payload: JSON.stringify(body) }),
    });
    for (const { name, value, maxAge, expires } of answer.cookies) {
      const isGone = maxAge === 0 || (expires !== undefined && expires.getTime() <= Date.now());
      if (isGone) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  }

  get = (url: string): Promise<LightMyRequestResponse> => this.call('GET', url);
}
