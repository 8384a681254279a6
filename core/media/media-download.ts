import { Agent } from 'undici';
import { guardedConnector, reasonOf } from '../platform/network/guarded-connector.js';
import { fileUrlFault, parsedUrl } from '../rules/network-addresses.js';

const REDIRECTS_MAX = 3;
const redirectStatuses: readonly number[] = [301, 302, 303, 307, 308];
const CONNECTIONS_PER_HOST_MAX = 16;
const HEADER_BYTES_MAX = 16_384;

/**
 * Headers with which a URL is fetched, such as credentials; undefined for a URL that may not be
 * fetched. Called for the first URL and for each redirect.
 */
export type HeadersFor = (url: URL) => Readonly<Record<string, string>> | undefined;

/**
 * `refused`: the server answered that it does not give the file. `foreign`: the URL, or a redirect,
 * leads to a forbidden address. `unavailable`: no complete answer; the same call may succeed later.
 * `reason` is for the log, `shown` for the person who gave the URL.
 */
export type Download<T> =
  | { readonly kind: 'done'; readonly result: T }
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'foreign'; readonly reason: string }
  | { readonly kind: 'unavailable'; readonly reason: string; readonly shown: string };

interface DownloadOptions {
  readonly allowPrivate: boolean;
  /** Time from the start of the call, with redirects, to the last byte. */
  readonly timeoutMs: number;
}

/** The connection broke, or the time was over, while the content was read. */
class BrokenContent extends Error {}

/**
 * Fetches files from URLs, piece by piece, by the connector of webhooks: public addresses only. A
 * redirect is followed only where `headersFor` allows it; credentials go nowhere else.
 */
export class MediaDownload {
  private readonly agent: Agent;

  constructor(private readonly options: DownloadOptions) {
    this.agent = new Agent({
      connect: guardedConnector(options),
      connections: CONNECTIONS_PER_HOST_MAX,
      maxHeaderSize: HEADER_BYTES_MAX,
      // One timer bounds the whole call.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /**
   * Passes the content of a URL to `consume`, whose errors are thrown; every failure of the server
   * is an outcome. A call that the caller ends early has the outcome `unavailable`.
   */
  async fetch<T>(
    url: string,
    headersFor: HeadersFor,
    consume: (content: AsyncIterable<Uint8Array>) => Promise<T>,
    ended?: AbortSignal,
  ): Promise<Download<T>> {
    const late = new AbortController();
    const end = () => late.abort();
    const timer = setTimeout(end, this.options.timeoutMs);
    ended?.addEventListener('abort', end);
    try {
      return await this.follow(url, headersFor, consume, late.signal);
    } finally {
      clearTimeout(timer);
      ended?.removeEventListener('abort', end);
      late.abort();
    }
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private async follow<T>(
    first: string,
    headersFor: HeadersFor,
    consume: (content: AsyncIterable<Uint8Array>) => Promise<T>,
    signal: AbortSignal,
  ): Promise<Download<T>> {
    let url = parsedUrl(first);
    for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
      if (url === undefined)
        return { kind: 'foreign', reason: redirects === 0 ? 'This is no URL.' : 'This leads to no URL.' };
      const fault = fileUrlFault(url.href, this.options);
      const headers = headersFor(url);
      if (fault !== undefined || headers === undefined) return { kind: 'foreign', reason: fault ?? url.host };
      const answer = await this.request(url, headers, signal);
      if (answer instanceof BrokenContent) return this.broken(answer, signal);
      const { statusCode: status, body, headers: given } = answer;
      const encoding = given['content-encoding'] ?? 'identity';
      if (status === 200 && encoding === 'identity') return this.consumed(body, consume, signal);
      // Errors after this are of our own making.
      body.on('error', () => undefined).destroy();
      if (status === 200) return unavailable('The server sent the file compressed, which it was asked not to.');
      if (!redirectStatuses.includes(status))
        return status >= 400 && status < 500 && status !== 408 && status !== 429
          ? { kind: 'refused', status }
          : unavailable(`The server answered ${status}.`);
      url = redirectOf(given.location, url);
    }
    return unavailable(`There are more than ${REDIRECTS_MAX} redirects.`);
  }

  /** Returns the error of a call without an answer. */
  private async request(url: URL, headers: Readonly<Record<string, string>>, signal: AbortSignal) {
    try {
      return await this.agent.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: 'GET',
        headers: { accept: '*/*', 'accept-encoding': 'identity', ...headers },
        signal,
      });
    } catch (cause) {
      return new BrokenContent(messageOf(cause), { cause });
    }
  }

  private async consumed<T>(
    body: AsyncIterable<Uint8Array>,
    consume: (content: AsyncIterable<Uint8Array>) => Promise<T>,
    signal: AbortSignal,
  ): Promise<Download<T>> {
    try {
      return { kind: 'done', result: await consume(markedBreaks(body)) };
    } catch (error) {
      if (error instanceof BrokenContent) return this.broken(error, signal);
      throw error;
    }
  }

  private broken<T>({ message, cause }: BrokenContent, signal: AbortSignal): Download<T> {
    const shown = reasonOf(cause, { isLate: signal.aborted, timeoutMs: this.options.timeoutMs });
    return { kind: 'unavailable', reason: signal.aborted ? shown : message, shown };
  }
}

function unavailable<T>(reason: string): Download<T> {
  return { kind: 'unavailable', reason, shown: reason };
}

/**
 * Yields the same content; its errors differ from the consumer's errors. Content that is not read
 * to the end closes the connection.
 */
async function* markedBreaks(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = content[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await chunks.next().catch((cause: unknown) => {
        throw new BrokenContent(messageOf(cause), { cause });
      });
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await chunks.return?.();
  }
}

function redirectOf(location: string | string[] | undefined, base: URL): URL | undefined {
  return typeof location === 'string' ? parsedUrl(location, base.href) : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
