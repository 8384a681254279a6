import type { TelnyxConfig } from '../../platform/config/config.js';
import { ConnectionPools } from '../../platform/network/connection-pools.js';

export const TELNYX_URL = 'https://api.telnyx.com';

/**
 * An answer other than 2xx, or no answer: then without a status, and with the network's error as
 * its cause.
 */
export class TelnyxFailure extends Error {
  constructor(
    readonly status: number | undefined,
    /** The body of the answer. */
    readonly body: unknown,
    /** The header Retry-After; undefined if it is missing. */
    readonly retryAfter: string | undefined,
    options?: ErrorOptions,
  ) {
    super(status === undefined ? 'Telnyx gave no answer' : `Telnyx answered ${status}`, options);
  }
}

type Query = Readonly<Record<string, string | undefined>>;

/**
 * Telnyx's API over our own pools. Telnyx's SDK takes a second to load and several times the CPU
 * time for each call, and does not limit the time in which the body of an answer arrives.
 */
export class TelnyxApi {
  private readonly pools: ConnectionPools;
  private readonly url: string;
  private readonly apiKey: string;

  constructor({ apiKey, apiUrl }: TelnyxConfig, timeoutMs: number) {
    this.pools = new ConnectionPools(timeoutMs);
    this.url = `${apiUrl ?? TELNYX_URL}/v2`;
    this.apiKey = apiKey;
  }

  /**
   * Returns the JSON of a 2xx answer, null without JSON. Throws {@link TelnyxFailure}. Never
   * retries.
   */
  async call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, query: Query = {}, body?: object) {
    const url = new URL(this.url + path);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.append(name, value);
    const answer = await this.pools
      .request(url, {
        method,
        headers: {
          authorization: `Bearer ${this.apiKey}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
      })
      .catch((cause: unknown) => {
        throw new TelnyxFailure(undefined, undefined, undefined, { cause });
      });
    const json = jsonOf(answer.text);
    if (answer.statusCode >= 200 && answer.statusCode < 300) return json;
    const retryAfter = answer.headers['retry-after'];
    throw new TelnyxFailure(answer.statusCode, json, typeof retryAfter === 'string' ? retryAfter : undefined);
  }

  async close(): Promise<void> {
    await this.pools.close();
  }
}

/** Returns null for text that is not JSON, such as HTML of a proxy or an empty body. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
