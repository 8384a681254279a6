import type { Dispatcher } from 'undici';
import twilio from 'twilio/lib/base/BaseTwilio.js';
import Api from 'twilio/lib/rest/Api.js';
import type { Config } from '../../platform/config/config.js';
import { ConnectionPools } from '../../platform/network/connection-pools.js';

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

/** HTTP client of the Twilio SDK, whose own client is limited to twenty sockets. */
class PooledClient {
  constructor(private readonly pools: ConnectionPools) {}

  async request(options: TwilioRequest): Promise<TwilioResponse> {
    const url = new URL(options.uri);
    for (const [name, value] of entriesOf(options.params)) url.searchParams.append(name, value);
    const { statusCode, headers, text } = await this.pools.request(url, {
      method: options.method,
      headers: { ...options.headers, ...authorization(options) },
      body: options.data === undefined ? null : new URLSearchParams(entriesOf(options.data)).toString(),
    });
    return { statusCode, body: parsed(text), headers };
  }
}

type RequestClient = NonNullable<twilio.ClientOpts['httpClient']>;

/** The SDK's type is its own class, of which it calls only `request`. */
function asRequestClient(client: PooledClient): RequestClient {
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

/**
 * Returns the text itself when it is not JSON, such as HTML from a proxy or an empty body; the
 * status decides then.
 */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

/**
 * The part of Twilio's SDK for messages and numbers, over connections of our own. The whole SDK is
 * eight megabytes of source text, which every program would compile at its start.
 */
export class TwilioClient {
  /** Messages and numbers of our account. */
  readonly account: Api['account'];
  private readonly pools: ConnectionPools;

  constructor({ twilio: { accountSid, authToken, apiUrl }, dispatch }: Config) {
    this.pools = new ConnectionPools(dispatch.timeoutMs);
    const httpClient = asRequestClient(new PooledClient(this.pools));
    const api = new Api(new twilio.Client(accountSid, authToken, { httpClient }));
    if (apiUrl) api.baseUrl = apiUrl;
    this.account = api.account;
  }

  async close(): Promise<void> {
    await this.pools.close();
  }
}
