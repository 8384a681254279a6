import { apiKeyOf, baseUrlOf, checkPath, checkTexts, idempotencyKeyOf, userAgentOf } from './arguments.js';
import type { Failure } from './error-types.js';
import { PennytextError } from './errors.js';
import { retryAfterOf } from './headers.js';

export interface ClientOptions {
  /** The secret of your key: `PENNYTEXT_API_KEY` unless you set it; in browsers use a test key only. */
  readonly apiKey?: string | undefined;
  /** Address of the service, without `/api`: `PENNYTEXT_URL` unless you set it. */
  readonly baseUrl?: string | undefined;
  /** Maximum of repetitions of a failed call: 3 unless you set it. */
  readonly maxRetries?: number | undefined;
  /** Longest time of each try: 30,000 unless you set it. */
  readonly timeoutMs?: number | undefined;
  /**
   * Longest wait between two tries: 30,000 unless you set it. A call that would have to wait longer
   * fails at once.
   */
  readonly maxWaitMs?: number | undefined;
  /** Longest time of a call with its tries and waits: 60,000 unless you set it. */
  readonly deadlineMs?: number | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /**
   * Replaces the clock in tests, whose waits then take no time.
   * @internal
   */
  readonly clock?: Clock | undefined;
}

/** @internal */
export interface Clock {
  now(): number;
  /** Throws the reason of `signal` when it ends the wait. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Options of a single call. */
export interface CallOptions {
  /** Ends the call, its tries and its waits. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly deadlineMs?: number | undefined;
  readonly maxRetries?: number | undefined;
  /**
   * Your own key, so that a repetition by another process is recognized too. By default each call
   * has a random key.
   */
  readonly idempotencyKey?: string | undefined;
}

/** @internal */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>> | undefined;
  /** Sent as JSON, or as a form with a file. */
  readonly body?: object | FormData;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * `keyed`: carries one Idempotency-Key for all tries. `once`: a lost answer is not asked for
   * again.
   */
  readonly repeat?: 'keyed' | 'once';
}

/** Several times the longest answer of the API. */
const ANSWER_BYTES_MAX = 16 * 1_048_576;
const FIRST_WAIT_MS = 500;
const GROWN_WAIT_MS_MAX = 8_000;

/**
 * Sends calls to the API and repeats those that may succeed later.
 * @internal
 */
export class Transport {
  // Private names keep the key out of `console.log(client)`.
  readonly #options: ClientOptions;
  readonly #apiKey: string;
  readonly #baseUrl: string;
  readonly #clock: Clock;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#apiKey = apiKeyOf(options.apiKey);
    this.#baseUrl = baseUrlOf(options.baseUrl);
    this.#clock = options.clock ?? { now: () => performance.now(), wait };
  }

  /** Throws {@link PennytextError}, or the reason of `signal`. */
  async call<Answer>(call: Call, options: CallOptions = {}): Promise<Answer> {
    const headers = this.headersOf(call, options);
    const key = headers['idempotency-key'];
    return this.repeated(call, options, key, (leftMs) => this.tryOnce<Answer>(call, headers, options, leftMs));
  }

  /** Opens a file. Throws and repeats as `call` does, until the answer begins. */
  download(call: Call, options: CallOptions = {}): Promise<Response> {
    return this.repeated(call, options, undefined, () => this.open(call, options.signal));
  }

  private async repeated<Answer>(
    call: Call,
    options: CallOptions,
    key: string | undefined,
    tryOnce: (leftMs: number) => Promise<Answer>,
  ): Promise<Answer> {
    const { maxRetries = this.#options.maxRetries ?? 3, signal } = options;
    checkPath(call.path);
    checkTexts({ ...call.query, ...call.body });
    const endsAt = this.#clock.now() + (options.deadlineMs ?? this.#options.deadlineMs ?? 60_000);
    let isUnknown = false;
    for (let tried = 0; ; tried++) {
      try {
        return await tryOnce(endsAt - this.#clock.now());
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof PennytextError)) throw error;
        isUnknown = call.repeat !== undefined && (leavesUnknown(error) || (isUnknown && !settles(error)));
        const final = isUnknown ? error.withUnknownOutcome(key) : error;
        if (tried >= maxRetries || !isPassing(error, call)) throw final;
        const waitMs = Math.max((error.retryAfterSeconds ?? 0) * 1_000, backoffMs(tried));
        const isTooLong = waitMs > (this.#options.maxWaitMs ?? 30_000) || this.#clock.now() + waitMs >= endsAt;
        if (isTooLong) throw final;
        await this.#clock.wait(waitMs, signal);
      }
    }
  }

  /**
   * Opens a stream, whose answer has no bound of time. Throws as `call` does, and repeats nothing.
   */
  async open(call: Call, signal: AbortSignal | undefined): Promise<Response> {
    const response = await this.fetch(call, this.headersOf(call, {}), signal);
    if (!response.ok) throw await failureOf(response);
    return response;
  }

  private async tryOnce<Answer>(
    call: Call,
    headers: Record<string, string>,
    options: CallOptions,
    leftMs: number,
  ): Promise<Answer> {
    options.signal?.throwIfAborted();
    const timeoutMs = Math.ceil(Math.min(options.timeoutMs ?? this.#options.timeoutMs ?? 30_000, leftMs));
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeoutMs);
    const stop = () => late.abort(options.signal?.reason);
    options.signal?.addEventListener('abort', stop, { once: true });
    try {
      const response = await this.fetch(call, headers, late.signal);
      if (!response.ok) throw await failureOf(response);
      return (await answerOf(response)) as Answer;
    } catch (error) {
      if (late.signal.aborted)
        throw new PennytextError('timed_out', `No answer within ${timeoutMs} ms.`, { cause: error });
      throw error;
    } finally {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', stop);
    }
  }

  private async fetch(call: Call, headers: Record<string, string>, signal?: AbortSignal): Promise<Response> {
    const { method, path, query = {}, body } = call;
    const url = new URL(`${this.#baseUrl}${path}`);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
    const fetch = this.#options.fetch ?? globalThis.fetch;
    let response: Response;
    try {
      response = await fetch(url.href, {
        method,
        headers,
        ...(body && { body: body instanceof FormData ? body : JSON.stringify(body) }),
        ...(signal && { signal }),
        // Cloudflare Workers refuse 'error': https://developers.cloudflare.com/workers/runtime-apis/request/
        redirect: 'manual',
      });
    } catch (error) {
      const reason = (error as Partial<Reason>).cause ?? (error as Reason);
      const code = UNSENT.has(String(reason.code)) ? 'unreachable' : 'connection_failed';
      throw new PennytextError(code, reason.message || 'The connection failed.', { cause: error });
    }
    if (isRedirect(response)) throw redirected(response);
    return response;
  }

  private headersOf({ headers, body, repeat }: Call, { idempotencyKey }: CallOptions): Record<string, string> {
    const userAgent = userAgentOf();
    return {
      accept: 'application/json',
      authorization: `Bearer ${this.#apiKey}`,
      ...(userAgent && { 'user-agent': userAgent }),
      // The type of a form names its boundary, which fetch chooses.
      ...(body && !(body instanceof FormData) && { 'content-type': 'application/json' }),
      ...(repeat === 'keyed' && { 'idempotency-key': idempotencyKeyOf(idempotencyKey) }),
      ...headers,
    };
  }
}

/** An error of fetch: a TypeError whose cause, on servers, is the error of the connection. */
interface Reason {
  readonly message?: string;
  readonly code?: string;
  readonly cause?: Reason;
}

/** Failures of Node, Deno and Bun before anything was sent: nothing listens there, or the host has no address. */
const UNSENT: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ConnectionRefused']);

/** Browsers hide a redirect's status and headers (Fetch standard, section 2.2.6). */
function isRedirect({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400);
}

/** A redirect is not followed: the key would go to another address. */
function redirected(response: Response): PennytextError {
  response.body?.cancel().catch(() => undefined);
  const place = response.headers.get('location');
  const detail = `The answer is a redirect${place === null ? '' : ` to ${place}`}. Is the baseUrl right?`;
  return new PennytextError('invalid_answer', detail, factsOf(response));
}

/** Whether the same call may succeed later without doing anything twice. */
function isPassing({ code, status }: PennytextError, { repeat }: Call): boolean {
  if (status === 429) return true;
  if (repeat === 'once') return false;
  // The first try is still running at the server; a file is still being copied.
  if (code === 'idempotency_in_progress' || code === 'media_pending') return true;
  return status === undefined ? code !== 'invalid_answer' : status >= 500;
}

/** Whether the call may have taken effect although it failed. */
function leavesUnknown({ code, status = 0 }: PennytextError): boolean {
  return code !== 'unreachable' && (status < 300 || status >= 500 || code === 'idempotency_in_progress');
}

/**
 * Whether a refusal tells that no earlier try took effect. The service checks the key of the account
 * and its limits before it looks for the Idempotency-Key.
 */
function settles({ code, status = 0 }: PennytextError): boolean {
  return code !== 'unreachable' && code !== 'invalid_answer' && ![401, 403, 429].includes(status);
}

/** The pause grows with every try; half of it is random, so that callers do not return together. */
function backoffMs(tried: number): number {
  const fullMs = Math.min(FIRST_WAIT_MS * 2 ** tried, GROWN_WAIT_MS_MAX);
  return fullMs * (0.5 + Math.random() / 2);
}

/**
 * Throws the reason of `signal` when it ends the wait.
 * @internal
 */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

async function answerOf(response: Response): Promise<unknown> {
  const value = objectIn(await textOf(response));
  if (!value) throw new PennytextError('invalid_answer', 'The answer is not a JSON object.', factsOf(response));
  // Errors are thrown: the field would always be the same.
  const { success: _success, ...answer } = value;
  return answer;
}

async function failureOf(response: Response): Promise<PennytextError> {
  const value = objectIn(await textOf(response));
  const body = typeof value?.['code'] === 'string' ? (value as unknown as Failure) : undefined;
  const code = body?.code ?? (response.status >= 500 ? 'unavailable' : 'invalid_answer');
  const detail = [body?.detail, body?.error].find((text) => typeof text === 'string' && text !== '');
  const hint = code === 'invalid_answer' ? ' without an answer of the API: is the address right?' : '';
  return new PennytextError(code, detail ?? `HTTP ${response.status}${hint}`, { ...factsOf(response), body });
}

/** Throws `invalid_answer` for an answer that is too long to be the API's. */
async function textOf(response: Response): Promise<string> {
  if (!response.body) return '';
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = 0; ;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw new PennytextError('connection_failed', 'The answer is incomplete.', { cause });
    });
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > ANSWER_BYTES_MAX) {
      void reader.cancel().catch(() => undefined);
      throw new PennytextError('invalid_answer', 'The answer is too long.', factsOf(response));
    }
    text += decoder.decode(value, { stream: true });
  }
}

function factsOf({ status, headers }: Response) {
  const requestId = headers.get('x-request-id') ?? undefined;
  return { status, requestId, retryAfterSeconds: retryAfterOf(headers) };
}

/** Undefined for a text that is not a JSON object. */
function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && !Array.isArray(value) && value
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}
