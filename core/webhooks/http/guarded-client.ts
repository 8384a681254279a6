import { Agent, type Dispatcher } from 'undici';
import { webhookUrlFault } from '../../rules/webhook-url.js';
import { guardedConnector } from './guarded-connector.js';
import { resolveName, type ResolveName } from './resolve-name.js';
import { wordsFor } from './failure-words.js';

const HEADER_BYTES_MAX = 16_384;
/** More of an answer is not read: the connection is closed. */
const ANSWER_BYTES_MAX = 16_384;
const ANSWER_CHARACTERS_MAX = 1_000;
const CONNECTIONS_PER_HOST_MAX = 128;
/** Below what servers that do not say keep an idle connection for, so that none closes under a call. */
const IDLE_MS = 4_000;
const IDLE_MS_MAX = 60_000;

/** What came of a call. `answered`: a whole answer, whatever its status. `failed`: none; `reason` is fit to be shown. */
export type PostOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly retryAfter: string | undefined;
      readonly text: string;
    }
  | { readonly kind: 'failed'; readonly reason: string };

interface GuardedClientOptions {
  readonly allowPrivate: boolean;
  /** From the start, with name look-up and TLS, to the last byte of the answer. */
  readonly timeoutMs: number;
  readonly resolve?: ResolveName;
}

/**
 * Posts to URLs that customers gave: http and https on sensible ports, to public addresses alone (see guarded-connector), within
 * bounds of time and size, without cookies or credentials. Redirects are not followed: their status is the answer. Never throws.
 */
export class GuardedClient {
  private readonly agent: Agent;

  constructor(private readonly options: GuardedClientOptions) {
    const { allowPrivate, timeoutMs, resolve = resolveName } = options;
    this.agent = new Agent({
      connect: guardedConnector({ allowPrivate, timeoutMs, resolve }),
      connections: CONNECTIONS_PER_HOST_MAX,
      maxHeaderSize: HEADER_BYTES_MAX,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS_MAX,
      // The whole call has one bound, below.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  async post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<PostOutcome> {
    // What was allowed when it was set may not be any more.
    const fault = webhookUrlFault(url, this.options);
    if (fault) return { kind: 'failed', reason: fault };
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), this.options.timeoutMs);
    try {
      const answer = await this.agent.request({ ...target(url), method: 'POST', headers, body, signal: late.signal });
      const text = await startOf(answer.body);
      return { kind: 'answered', status: answer.statusCode, retryAfter: single(answer.headers['retry-after']), text };
    } catch (error) {
      return { kind: 'failed', reason: wordsFor(error, { isLate: late.signal.aborted, ...this.options }) };
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }
}

function target(url: string): { origin: string; path: string } {
  const { origin, pathname, search } = new URL(url);
  return { origin, path: `${pathname}${search}` };
}

/** The first characters of an answer. Postgres keeps no NUL in a text. */
async function startOf(body: Dispatcher.ResponseData['body']): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (text.length < 2 * ANSWER_CHARACTERS_MAX) text += decoder.decode(chunk, { stream: true });
    if (bytes > ANSWER_BYTES_MAX) break;
  }
  const whole = text + decoder.decode();
  return [...whole.replaceAll('\u0000', '\ufffd')].slice(0, ANSWER_CHARACTERS_MAX).join('');
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
