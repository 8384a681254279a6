import twilio, { type Twilio } from 'twilio';
import { readEnv } from '../env.js';
import { startSandbox, type RunningSandbox } from '../sandbox.js';
import { ProductStub } from './product-stub.js';

/** A sandbox that listens on a free port, the real SDK pointed at it, and a product that takes its posts. */
export class TestSandbox {
  readonly product = new ProductStub();
  readonly errors: unknown[] = [];
  private running: RunningSandbox | undefined;

  get url(): string {
    return this.running?.url ?? '';
  }

  /** Of the stand-in for Twilio. */
  get credentials() {
    const { accountSid, authToken } = readEnv({});
    return { accountSid, authToken };
  }

  get smtpPort(): number {
    return this.running?.smtpPort ?? 0;
  }

  async start(env: Record<string, string> = {}): Promise<void> {
    const settings = readEnv({
      SANDBOX_PORT: '0',
      SANDBOX_SMTP_PORT: '0',
      SANDBOX_RECEIPT_DELAY_MS: '40',
      SANDBOX_BANK_DELAY_MS: '40',
      ...env,
    });
    if (this.product.url === '') await this.product.start(settings.authToken);
    const withProduct = { ...settings, productUrl: this.product.url, publicProductUrl: this.product.url };
    this.running = await startSandbox({ ...withProduct, onError: (error) => this.errors.push(error) });
  }

  async stopSandbox(): Promise<void> {
    await this.running?.close();
    this.running = undefined;
  }

  async stop(): Promise<void> {
    await this.stopSandbox();
    await this.product.stop();
  }

  sdk({ authToken = this.credentials.authToken, timeoutMs = 10_000 } = {}): Twilio {
    const httpClient = new twilio.RequestClient({ timeout: timeoutMs });
    const client = twilio(this.credentials.accountSid, authToken, { httpClient });
    client.api.baseUrl = this.url;
    return client;
  }

  /** A message as the SDK fetches it (what `create` gives back cannot fetch itself in version 6). */
  async fetched(sid: string) {
    return this.sdk().messages(sid).fetch();
  }

  async get<T>(path: string): Promise<T> {
    return (await (await fetch(this.url + path)).json()) as T;
  }

  async post(path: string, body: unknown): Promise<{ status: number; json: Record<string, unknown> }> {
    const answer = await fetch(this.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
  }
}
