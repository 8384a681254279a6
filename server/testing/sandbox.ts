import { startSandbox, type RunningSandbox } from '../../sandbox/sandbox.js';

/** Choice on the account chooser: a person signs in with an address, or refuses. */
export type GoogleChoice =
  | { readonly email: string; readonly name?: string; readonly email_verified?: 'true' | 'false' }
  | { readonly outcome: 'access_denied' | 'server_error' };

const google = { googleClientId: 'client', googleClientSecret: 'secret' };

/** A sandbox in this process, for a server with the given `variables`. */
export class TestSandbox {
  /** Environment variables that make the server use this sandbox. */
  readonly variables: Record<string, string>;

  private constructor(private readonly running: RunningSandbox) {
    this.variables = {
      GOOGLE_CLIENT_ID: google.googleClientId,
      GOOGLE_CLIENT_SECRET: google.googleClientSecret,
      GOOGLE_BASE_URL: running.url,
    };
  }

  static async start(publicProductUrl = 'https://pennytext.test'): Promise<TestSandbox> {
    return new TestSandbox(await startSandbox({ publicProductUrl, ...google }));
  }

  get url(): string {
    return this.running.url;
  }

  /** Makes a choice on Google's page at `authorizeUrl`. Returns path and query of the callback. */
  async choose(authorizeUrl: string, choice: GoogleChoice): Promise<string> {
    const answer = await fetch(authorizeUrl, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ ...choice }),
    });
    const { pathname, search } = new URL(answer.headers.get('location') ?? '');
    return `${pathname}${search}`;
  }

  /** Makes a service fail until the next call. */
  async fail(service: 'google' | 'stripe', mode: 'none' | 'timeout' | '500'): Promise<void> {
    const answer = await fetch(`${this.url}/_control/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ service, mode }),
    });
    if (!answer.ok) throw new Error(`The sandbox rejected the fault: ${await answer.text()}`);
  }

  close(): Promise<void> {
    return this.running.close();
  }
}
