import { Pool, type Dispatcher } from 'undici';
import type { RequestClient } from 'twilio';

/** Connections to one host of the carrier. */
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
 * The Twilio SDK's HTTP client over undici's connection pools: the SDK's own keeps twenty sockets. Errors of the network come
 * out as undici throws them, so that their codes tell whether a request can have left. A request takes at most `timeoutMs` from
 * the call to the last byte of its answer: a claim's lease counts on it.
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
        body: text === '' ? undefined : parsed(text),
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
      // Earlier than the whole request's bound, so that it still tells that nothing can have left.
      connectTimeout: this.timeoutMs / 2,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.pools.set(origin, pool);
    return pool;
  }
}

/** The SDK asks for its own class, of which it calls `request` alone. */
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

/** A proxy in between may answer HTML: then the text itself is the body, and the status decides. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
