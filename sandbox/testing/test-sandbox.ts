import { setTimeout as pause } from 'node:timers/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import twilio, { type Twilio, validateRequest } from 'twilio';
import Telnyx from 'telnyx';
import { readEnv } from '../env.js';
import { type RunningSandbox, startSandbox } from '../sandbox.js';
import { privateKeyOf, publicKeyOf } from '../telnyx/events.js';

const LOOK_EVERY_MS = 10;

/** Waits for a condition. Throws when the time limit is reached. */
export async function until(what: string, condition: () => boolean | Promise<boolean>, boundMs = 4_000): Promise<void> {
  const end = Date.now() + boundMs;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`Not reached within ${boundMs} ms: ${what}.`);
    await pause(LOOK_EVERY_MS);
  }
}

/** A request to the product, and whether the SDK accepts its signature. */
export interface ReceivedPost {
  readonly path: string;
  readonly fields: Record<string, string>;
  readonly isSigned: boolean;
  readonly body: string;
  readonly stripeSignature: string;
  readonly contentType: string;
  /** An event of Telnyx, if the SDK accepts its signature. */
  readonly telnyxEvent: TelnyxEvent | undefined;
}

/** Fields of an event that specs read. */
interface TelnyxEvent {
  readonly event_type: string;
  readonly id: string;
  readonly payload: Record<string, unknown>;
}

/**
 * A stub of the product: records requests, checks signatures with the SDK and returns prepared
 * answers.
 */
class ProductStub {
  readonly posts: ReceivedPost[] = [];
  /** The next answers: a status, or a body with 200. Default: an empty 200. */
  answers: (number | { readonly body: string; readonly contentType: string })[] = [];
  url = '';
  private server: Server | undefined;

  async start(authToken: string): Promise<void> {
    this.server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      const receive = async () => {
        const path = request.url ?? '';
        const fields = Object.fromEntries(new URLSearchParams(body));
        const signature = String(request.headers['x-twilio-signature']);
        const isSigned = validateRequest(authToken, signature, this.url + path, fields);
        const stripeSignature = String(request.headers['stripe-signature'] ?? '');
        const contentType = String(request.headers['content-type']);
        const telnyxEvent = await telnyxEventOf(body, request.headers);
        this.posts.push({ path, fields, isSigned, body, stripeSignature, contentType, telnyxEvent });
        const answer = this.answers.shift() ?? 200;
        if (typeof answer === 'number') response.writeHead(answer).end();
        else response.writeHead(200, { 'content-type': answer.contentType }).end(answer.body);
      };
      request.on('end', () => void receive());
    });
    await new Promise<void>((resolve) => this.server?.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => this.server?.close(resolve));
  }
}

/** The key of the sandbox, as Telnyx's portal would show it. */
const telnyxPublicKey = publicKeyOf(privateKeyOf(readEnv({}).telnyxSeed));

async function telnyxEventOf(body: string, headers: IncomingHttpHeaders): Promise<TelnyxEvent | undefined> {
  if (headers['telnyx-timestamp'] === undefined) return undefined;
  const client = new Telnyx({ apiKey: 'KEY', publicKey: telnyxPublicKey });
  const given = headers as Record<string, string>;
  const event = await client.webhooks.unwrap(body, { headers: given }).catch(() => undefined);
  return (event as { data?: TelnyxEvent } | undefined)?.data;
}

/** A sandbox on free ports with the real SDKs and a stub of the product. */
export class TestSandbox {
  readonly product = new ProductStub();
  readonly errors: unknown[] = [];
  private running: RunningSandbox | undefined;

  get url(): string {
    return this.running?.url ?? '';
  }

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
      SANDBOX_CALL_RING_MS: '40',
      SANDBOX_CALL_TALK_MS: '40',
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

  telnyx({ apiKey = readEnv({}).telnyxApiKey, timeoutMs = 10_000 } = {}): Telnyx {
    return new Telnyx({ apiKey, baseURL: `${this.url}/v2`, maxRetries: 0, timeout: timeoutMs, logLevel: 'off' });
  }

  /**
   * Fetches a message through the SDK (in version 6 the result of `create` cannot fetch itself).
   */
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
