import { z } from 'zod';
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { HungSockets } from '../control/hung-sockets.js';
import type { EventStream } from '../pages/event-stream.js';

const DELAY_MS_MAX = 60_000;
const LOCATION_CHARACTERS_MAX = 2_000;

/** Name of a hook in its URL. */
export const hookName = z.string().regex(/^[\w-]{1,64}$/, 'must have up to 64 letters, digits, - and _');

/**
 * A hook's answer: a status, a redirect or nothing, optionally late. `count` is a number of
 * requests; null means until changed.
 */
export const hookAnswer = z
  .strictObject({
    status: z
      .int()
      .min(200, 'must be a status from 200 to 599')
      .max(599, 'must be a status from 200 to 599')
      .optional(),
    delayMs: z.int().min(0).max(DELAY_MS_MAX, `must be up to ${DELAY_MS_MAX} milliseconds`).default(0),
    hang: z.boolean().default(false),
    redirectTo: z.string().min(1).max(LOCATION_CHARACTERS_MAX).nullable().default(null),
    count: z.int().min(1).max(1_000_000).nullable().default(null),
  })
  .transform(({ status, ...answer }) => ({ ...answer, status: status ?? (answer.redirectTo === null ? 200 : 307) }))
  .refine(({ status, redirectTo }) => redirectTo === null || (status >= 300 && status < 400), {
    path: ['status'],
    message: 'must be from 300 to 399 for a redirect',
  });
export type HookAnswer = z.output<typeof hookAnswer>;

const PLAIN_ANSWER: HookAnswer = { status: 200, delayMs: 0, hang: false, redirectTo: null, count: null };

/** The answer to one request; `status` is null until it is sent. */
export interface HookAnswered {
  readonly status: number | null;
  readonly tookMs: number | null;
}

/** A request to a hook. `body` holds its first bytes, `bytes` is its full length. */
export interface HookRequest {
  readonly id: string;
  readonly name: string;
  readonly method: string;
  /** Path with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly bytes: number;
  readonly at: string;
  /** 1 for the first request with its webhook-id at this hook, 2 for the second, and so on. */
  readonly attempt: number;
  readonly answered: HookAnswered;
}

/** A request in the list. */
export interface HookLine {
  readonly id: string;
  readonly name: string;
  readonly method: string;
  readonly at: string;
  readonly attempt: number;
  readonly preview: string;
  readonly answered: HookAnswered;
}

/** A complete request. */
export interface HookView extends Omit<HookLine, 'preview'> {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Body as UTF-8. */
  readonly body: string;
  readonly bytes: number;
  readonly isCut: boolean;
  /** Standard Webhooks' three headers; a missing header is null. */
  readonly webhook: {
    readonly id: string | null;
    readonly timestamp: string | null;
    readonly signature: string | null;
  };
}

const PREVIEW_CHARACTERS_MAX = 120;

export function lineOf({ id, name, method, at, attempt, body, answered }: HookRequest): HookLine {
  const start = body
    .subarray(0, PREVIEW_CHARACTERS_MAX * 4)
    .toString('utf8')
    .replace(/\s+/g, ' ')
    .trim();
  return { id, name, method, at, attempt, answered, preview: start.slice(0, PREVIEW_CHARACTERS_MAX) };
}

export function viewOf(request: HookRequest): HookView {
  const { id, name, method, path, headers, body, bytes, at, attempt, answered } = request;
  const header = (part: string) => headers[`webhook-${part}`] ?? null;
  return {
    id,
    name,
    method,
    path,
    headers,
    body: body.toString('utf8'),
    bytes,
    isCut: bytes > body.length,
    at,
    attempt,
    answered,
    webhook: { id: header('id'), timestamp: header('timestamp'), signature: header('signature') },
  };
}

const REQUESTS_KEPT_MAX = 500;
const BODY_KEPT_BYTES_MAX = 65_536;
const NAMES_MAX = 200;

type ArrivedRequest = Pick<HookRequest, 'name' | 'method' | 'path' | 'headers'> & { readonly body: Buffer };

/** The newest requests to all hooks, oldest first, and the configured answer of each hook. */
export class HookBook {
  private requests: HookRequest[] = [];
  private readonly answers = new Map<string, HookAnswer>();
  private readonly hung = new Map<string, HungSockets>();

  constructor(
    private readonly stream: EventStream,
    private readonly now: () => number = Date.now,
  ) {}

  /** Stores a request and returns its answer, whose count is decremented. */
  take({ name, method, path, headers, body }: ArrivedRequest): { request: HookRequest; answer: HookAnswer } {
    const webhookId = headers['webhook-id'];
    const isRepeat = (other: HookRequest) => other.name === name && other.headers['webhook-id'] === webhookId;
    const request: HookRequest = {
      id: randomUUID(),
      name,
      method,
      path,
      headers,
      // Copies: a slice would retain the whole pooled buffer.
      body: Buffer.from(body.subarray(0, BODY_KEPT_BYTES_MAX)),
      bytes: body.length,
      at: new Date(this.now()).toISOString(),
      attempt: webhookId === undefined ? 1 : this.requests.filter(isRepeat).length + 1,
      answered: { status: null, tookMs: null },
    };
    this.requests = [...this.requests.slice(-(REQUESTS_KEPT_MAX - 1)), request];
    this.stream.send('hook', lineOf(request));
    return { request, answer: this.takeAnswer(name) };
  }

  /** Records the answer that was sent. */
  settle(id: string, answered: HookAnswered): void {
    const index = this.requests.findIndex((request) => request.id === id);
    const request = this.requests[index];
    if (request === undefined) return;
    const settled = { ...request, answered };
    this.requests = this.requests.with(index, settled);
    this.stream.send('hook', lineOf(settled));
  }

  /** Lists the requests of one hook, or all, oldest first. */
  list(name?: string): HookRequest[] {
    return this.requests.filter((request) => name === undefined || request.name === name);
  }

  find(id: string): HookRequest | undefined {
    return this.requests.find((request) => request.id === id);
  }

  answerOf(name: string): HookAnswer {
    return this.answers.get(name) ?? PLAIN_ANSWER;
  }

  /** Sets an answer and breaks the connections that the hook has left unanswered. */
  setAnswer(name: string, answer: HookAnswer): HookAnswer {
    this.closeHung(name);
    this.answers.delete(name);
    this.answers.set(name, answer);
    const [oldest] = this.answers.keys();
    if (this.answers.size > NAMES_MAX && oldest !== undefined) {
      this.answers.delete(oldest);
      this.closeHung(oldest);
    }
    this.stream.send('answer', { name });
    return answer;
  }

  /** Leaves a request unanswered, until the hook's answer is changed or the client closes the connection. */
  hang(name: string, socket: Socket): void {
    const hung = this.hung.get(name) ?? new HungSockets();
    this.hung.set(name, hung);
    hung.keep(socket);
    const [oldest] = this.hung.keys();
    if (this.hung.size > NAMES_MAX && oldest !== undefined) this.closeHung(oldest);
  }

  clear(): void {
    for (const name of this.hung.keys()) this.closeHung(name);
    this.requests = [];
    this.answers.clear();
    this.stream.send('cleared', {});
  }

  private closeHung(name: string): void {
    this.hung.get(name)?.close();
    this.hung.delete(name);
  }

  private takeAnswer(name: string): HookAnswer {
    const answer = this.answerOf(name);
    if (answer.count === 1) this.answers.delete(name);
    else if (answer.count !== null) this.answers.set(name, { ...answer, count: answer.count - 1 });
    if (answer.count !== null) this.stream.send('answer', { name });
    return answer;
  }
}
