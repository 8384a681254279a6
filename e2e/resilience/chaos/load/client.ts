import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Tally } from '../report/tally.js';
import type { Outages } from '../processes/outages.js';
import { isNeverSent, verdictOf } from './attempt.js';

export interface ClientRequest {
  /** Name in the table: `send`, `verify`, … */
  readonly what: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** The response; `status` is 0 without one. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly cookies: readonly string[];
  /** Whether the request certainly had no effect: it never reached a server. */
  readonly isNeverSent: boolean;
}

/** The last answer of a request that was repeated. */
export interface Repeated extends Answer {
  /** Attempts with a lost answer or a 5xx: each may have had its effect. */
  readonly unsure: number;
}

const connectionsPerServer = 30;
const answerWithinMs = 30_000;
const pauseMs = { first: 50, most: 1_000 };

/**
 * A customer's program with keep-alive connections to all servers; it acts as the load balancer by
 * switching servers.
 */
export class Client {
  private readonly pools: readonly Pool[];
  private turn = 0;

  constructor(
    serverUrls: readonly string[],
    private readonly outages: Outages,
    private readonly tally: Tally,
  ) {
    this.pools = serverUrls.map(
      (url) =>
        new Pool(url, {
          connections: connectionsPerServer,
          headersTimeout: answerWithinMs,
          bodyTimeout: answerWithinMs,
        }),
    );
  }

  /** Asks one server once. */
  async once(request: ClientRequest, server = this.turn++): Promise<Answer> {
    const at = server % this.pools.length;
    const fromMs = Date.now();
    const { answer, reason, hasRetryAfter } = await this.ask(request, at);
    const { status } = answer;
    this.tally.attempt(
      verdictOf(
        { what: request.what, server: at, status, reason, hasRetryAfter, fromMs, toMs: Date.now() },
        this.outages,
      ),
    );
    return { ...answer, isNeverSent: isNeverSent(reason) };
  }

  /**
   * Repeats a request on one server after the other until it has a final answer. Status 0 or 5xx:
   * no final answer came before `deadlineMs`.
   */
  async untilAnswered(request: ClientRequest, deadlineMs: number, first = this.turn++): Promise<Repeated> {
    let unsure = 0;
    for (let tries = 0; ; tries += 1) {
      const answer = await this.once(request, first + tries);
      if (isFinal(answer) || Date.now() > deadlineMs) return { ...answer, unsure };
      if (!answer.isNeverSent && (answer.status === 0 || answer.status >= 500)) unsure += 1;
      await pause(Math.min(pauseMs.first * 2 ** tries, pauseMs.most));
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.pools.map((pool) => pool.destroy()));
  }

  private async ask({ method, path, headers, body }: ClientRequest, at: number) {
    try {
      const answer = await this.pool(at).request({
        method,
        path,
        headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
        body: body ? JSON.stringify(body) : null,
      });
      const text = await answer.body.text();
      const { 'set-cookie': cookies = [], 'retry-after': retryAfter } = answer.headers;
      return {
        answer: { status: answer.statusCode, text, cookies: [cookies].flat() },
        reason: answer.statusCode < 400 ? '' : codeIn(text),
        hasRetryAfter: retryAfter !== undefined,
      };
    } catch (error) {
      return { answer: { status: 0, text: '', cookies: [] }, reason: reasonOf(error), hasRetryAfter: false };
    }
  }

  private pool(at: number): Pool {
    const pool = this.pools[at];
    if (!pool) throw new Error(`There is no server ${at}`);
    return pool;
  }
}

// 409 to a key whose first request still runs: its answer is to come.
function isFinal({ status, text }: Pick<Answer, 'status' | 'text'>): boolean {
  return status !== 0 && status < 500 && !(status === 409 && codeIn(text) === 'idempotency_in_progress');
}

/** Returns the product's error code, or the beginning of a body that is not JSON. */
export function codeIn(text: string): string {
  try {
    return (JSON.parse(text) as { code?: string }).code ?? '';
  } catch {
    // Plain text and pages have no code.
    return text.slice(0, 60);
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? `${String(error.code)} ${error.message}` : error.message;
}
