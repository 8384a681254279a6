import type { LightMyRequestResponse } from 'fastify';
import { Sessions } from '#core/accounts/sessions/sessions.js';
import type { TestAccount } from '#core/testing/test-accounts.js';
import type { TestCore } from '#core/testing/test-core.js';
import { sessionCookieName } from '../auth/session.guard.js';
import { testVariables } from '#core/testing/test-config.js';
import type { TestServer } from './test-server.js';

/** The session cookie of tests, whose public URL is https. */
export const SESSION_COOKIE = sessionCookieName(testVariables['PUBLIC_URL'] ?? '');

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A browser on our own pages: keeps cookies and sends `Sec-Fetch-Site: same-origin`. */
export class TestBrowser {
  readonly cookies = new Map<string, string>();

  constructor(private readonly server: TestServer) {}

  /** A browser with a session of the account. */
  static async signedIn(server: TestServer, accountId: string): Promise<TestBrowser> {
    const browser = new TestBrowser(server);
    browser.cookies.set(SESSION_COOKIE, await newSession(server, accountId));
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

/** Headers of a request from a browser with a new session of the account. */
export async function signIn(server: Pick<TestCore, 'get'>, { id }: TestAccount): Promise<Record<string, string>> {
  return { cookie: `${SESSION_COOKIE}=${await newSession(server, id)}`, 'sec-fetch-site': 'same-origin' };
}

/** Headers of a request from our own pages without a session. */
export const signedOut = { 'sec-fetch-site': 'same-origin' };

function newSession(server: Pick<TestCore, 'get'>, accountId: string): Promise<string> {
  return server.get(Sessions).start(accountId, { method: 'google', earlierToken: undefined });
}
