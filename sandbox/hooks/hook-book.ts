import { z } from 'zod';
import { randomUUID } from 'node:crypto';
import type { EventStream } from '../pages/event-stream.js';

const DELAY_MS_MAX = 60_000;
const LOCATION_CHARACTERS_MAX = 2_000;

/** What a hook is called in its URL. */
export const hookName = z.string().regex(/^[\w-]{1,64}$/, 'must have up to 64 letters, digits, - and _');

/** How a hook answers: a status after a while, a redirect, or nothing at all. `count`: for how many requests; null, until it is changed. */
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

/** What a hook answers as long as nobody has said otherwise. */
const PLAIN_ANSWER: HookAnswer = { status: 200, delayMs: 0, hang: false, redirectTo: null, count: null };

/** How one request to a hook was answered; `status` is null while it waits, and for good when the answer is to hang. */
export interface HookAnswered {
  readonly status: number | null;
  readonly tookMs: number | null;
}

/** A request that came in at a hook. `body` holds its first bytes, `bytes` says how many there were. */
export interface HookRequest {
  readonly id: string;
  readonly name: string;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly bytes: number;
  readonly at: string;
  /** 1 for the first request of its webhook-id at this hook, 2 for its repeat, and so on. */
  readonly attempt: number;
  readonly answered: HookAnswered;
}

/** A request as a line of the list. */
export interface HookLine {
  readonly id: string;
  readonly name: string;
  readonly method: string;
  readonly at: string;
  readonly attempt: number;
  readonly preview: string;
  readonly answered: HookAnswered;
}

/** A request whole, as pages and tests read it. */
export interface HookView extends Omit<HookLine, 'preview'> {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** As UTF-8. */
  readonly body: string;
  readonly bytes: number;
  readonly isCut: boolean;
  /** Standard Webhooks' three headers, null where one is missing. */
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

/** What came in at the hooks, oldest first and bounded to the newest, and how each hook answers. */
export class HookBook {
  private requests: HookRequest[] = [];
  private readonly answers = new Map<string, HookAnswer>();

  constructor(
    private readonly stream: EventStream,
    private readonly now: () => number = Date.now,
  ) {}

  /** Writes a request down and says how to answer it, which uses up one of the answer's count. */
  take({ name, method, path, headers, body }: ArrivedRequest): { request: HookRequest; answer: HookAnswer } {
    const webhookId = headers['webhook-id'];
    const isRepeat = (other: HookRequest) => other.name === name && other.headers['webhook-id'] === webhookId;
    const request: HookRequest = {
      id: randomUUID(),
      name,
      method,
      path,
      headers,
      // A copy: a part of a pooled buffer would keep the whole pool.
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

  /** Notes how a request was answered. */
  settle(id: string, answered: HookAnswered): void {
    const index = this.requests.findIndex((request) => request.id === id);
    const request = this.requests[index];
    if (request === undefined) return;
    const settled = { ...request, answered };
    this.requests = this.requests.with(index, settled);
    this.stream.send('hook', lineOf(settled));
  }

  /** Oldest first; those of one hook, or all. */
  list(name?: string): HookRequest[] {
    return this.requests.filter((request) => name === undefined || request.name === name);
  }

  find(id: string): HookRequest | undefined {
    return this.requests.find((request) => request.id === id);
  }

  answerOf(name: string): HookAnswer {
    return this.answers.get(name) ?? PLAIN_ANSWER;
  }

  setAnswer(name: string, answer: HookAnswer): HookAnswer {
    this.answers.delete(name);
    this.answers.set(name, answer);
    const [oldest] = this.answers.keys();
    if (this.answers.size > NAMES_MAX && oldest !== undefined) this.answers.delete(oldest);
    this.stream.send('answer', { name });
    return answer;
  }

  clear(): void {
    this.requests = [];
    this.answers.clear();
    this.stream.send('cleared', {});
  }

  private takeAnswer(name: string): HookAnswer {
    const answer = this.answerOf(name);
    if (answer.count === 1) this.answers.delete(name);
    else if (answer.count !== null) this.answers.set(name, { ...answer, count: answer.count - 1 });
    if (answer.count !== null) this.stream.send('answer', { name });
    return answer;
  }
}
