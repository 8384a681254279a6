import { type Dispatcher, Pool } from 'undici';

/** Connections per host. */
const CONNECTIONS_MAX = 128;

interface PooledRequest {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string | null;
}

interface PooledResponse {
  readonly statusCode: number;
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly text: string;
}

/**
 * HTTP layer of the carriers: undici's connection pools, several times as fast as the SDKs' own.
 * Throws network errors as undici does: their codes show whether the request can have left. A
 * request takes at most `timeoutMs`, from the call to the last byte of the answer, because a
 * claim's lease has to outlast it.
 */
export class ConnectionPools {
  private readonly pools = new Map<string, Pool>();

  constructor(private readonly timeoutMs: number) {}

  async request(url: URL, { method, headers, body }: PooledRequest): Promise<PooledResponse> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error(`No answer within ${this.timeoutMs} ms`)), this.timeoutMs);
    try {
      const response = await this.pool(url.origin).request({
        path: `${url.pathname}${url.search}`,
        method: method.toUpperCase(),
        headers,
        body,
        signal: late.signal,
      });
      return { statusCode: response.statusCode, headers: response.headers, text: await response.body.text() };
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
      // Shorter than the bound of the whole request, so that a connect timeout is recognized:
      // nothing can have left.
      connectTimeout: this.timeoutMs / 2,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.pools.set(origin, pool);
    return pool;
  }
}

/** Codes of failures before a connection was established, so the request cannot have left. */
const notSentCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Returns whether a network error shows that the request has not left. */
export function hasNotLeft(error: unknown): boolean {
  return notSentCodes.has(networkCode(error));
}

/**
 * Checks the shape, not the class: failures of several addresses of a host arrive as an
 * AggregateError.
 */
function networkCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('errors' in error && Array.isArray(error.errors) && error.errors.length > 0) return networkCode(error.errors[0]);
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
