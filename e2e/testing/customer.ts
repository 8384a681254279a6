import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { KeysAnswer } from '#contract/dashboard-account.js';
import { dashboardEventsPath } from '#contract/dashboard-events.js';

/** A customer signed in with e-mail and password, who calls what the dashboard's pages call. */
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

  /** What a page that is open hears, until `signal` ends it: each event's name and data. */
  async *events(signal: AbortSignal): AsyncGenerator<{ name: string; data: unknown }> {
    // A connection of its own: fetch would open another one for what comes next, and hold the server's stop up by it.
    const call = request(`${this.serverUrl}${dashboardEventsPath}`, {
      headers: { cookie: this.cookie },
      agent: false,
      signal,
    });
    call.end();
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    if (answer.statusCode !== 200) throw new Error(`The stream was answered with ${answer.statusCode}`);
    let text = '';
    for await (const chunk of answer.setEncoding('utf8')) {
      const blocks = `${text}${String(chunk)}`.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const name = /^event: ?(.*)$/m.exec(block)?.[1];
        const data = /^data: ?(.*)$/m.exec(block)?.[1];
        // Anything else is a sign of life.
        if (name !== undefined && data !== undefined) yield { name, data: JSON.parse(data) as unknown };
      }
    }
  }

  async apiKey(): Promise<string> {
    return (await this.call<KeysAnswer>('GET', '/api/dashboard/key')).apiKey;
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
