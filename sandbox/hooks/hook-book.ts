import { randomUUID } from 'node:crypto';
import type { EventStream } from '../live/event-stream.js';
import { PLAIN_ANSWER, type HookAnswer } from './hook-answer.js';
import { lineOf, type HookAnswered, type HookRequest } from './hook-request.js';

const REQUESTS_KEPT_MAX = 500;
const BODY_KEPT_BYTES_MAX = 65_536;
const NAMES_MAX = 200;

export type ArrivedRequest = Pick<HookRequest, 'name' | 'method' | 'path' | 'headers'> & { readonly body: Buffer };

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
