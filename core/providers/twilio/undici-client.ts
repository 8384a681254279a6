import { Pool, type Dispatcher } from 'undici';
import type { RequestClient } from 'twilio';

/** Connections per host. */
const CONNECTIONS_MAX = 128;

interface TwilioRequest {
  method: string;
  uri: string;
  username?: string;
  password?: string;
  headers?: Record<string, string>;
  params?: object;
  data?: unknown;
}

interface TwilioResponse {
  statusCode: number;
  body: unknown;
  headers: Dispatcher.ResponseData['headers'];
}

/**
 * HTTP client of the Twilio SDK over undici's connection pools; the SDK's own is limited to twenty sockets. Throws network
 * errors as undici does: their codes show whether the request can have left. A request takes at most `timeoutMs`, from the call
 * to the last byte of the answer, because a claim's lease has to outlast it.
 */
export class UndiciClient {
  private readonly pools = new Map<string, Pool>();

  constructor(private readonly timeoutMs: number) {}

  async request(options: TwilioRequest): Promise<TwilioResponse> {
    const url = new URL(options.uri);
    for (const [name, value] of entriesOf(options.params)) url.searchParams.append(name, value);
    const body = options.data === undefined ? null : new URLSearchParams(entriesOf(options.data)).toString();
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error(`No answer within ${this.timeoutMs} ms`)), this.timeoutMs);
    try {
      const response = await this.pool(url.origin).request({
        path: `${url.pathname}${url.search}`,
        method: options.method.toUpperCase(),
        headers: { ...options.headers, ...authorization(options) },
        body,
        signal: late.signal,
      });
      const text = await response.body.text();
      return {
        statusCode: response.statusCode,
        body: parsed(text),
        headers: response.headers,
      };
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.pools.values()].map((pool) => pool.close()));
  }

  private pool(origin: string): Pool {
    const existing = this.pools.get(origin);
    if (existing) return existing;
    const pool = new Pool(origin, {
      connections: CONNECTIONS_MAX,
      // Earlier than the bound of the whole request, so that a connect timeout is recognized: nothing can have left.
      connectTimeout: this.timeoutMs / 2,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.pools.set(origin, pool);
    return pool;
  }
}

/** The SDK's type is its own class, of which it calls only `request`. */
export function asRequestClient(client: UndiciClient): RequestClient {
  return client as unknown as RequestClient;
}

function entriesOf(fields: unknown): [string, string][] {
  return Object.entries(fields ?? {}).flatMap(([name, value]): [string, string][] =>
    Array.isArray(value) ? value.map((one) => [name, String(one)]) : value === undefined ? [] : [[name, String(value)]],
  );
}

function authorization({ username, password }: TwilioRequest): Record<string, string> {
  if (username === undefined) return {};
  return { authorization: `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}` };
}

/** Returns the text itself when it is not JSON, such as HTML from a proxy or nothing at all; the status decides then. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
