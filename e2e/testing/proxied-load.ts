import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import type { SendOutcome, SendRequest } from './api.js';
import { differentMessages } from './flood.js';
import { DOMAIN, type Nginx } from './nginx.js';

const ANSWER_WITHIN_MS = 30_000;
const CONNECTIONS = 20;
/**
 * Pause between two requests of one connection: a fast machine sends some 1,000 a second at most.
 */
const PAUSE_MS = 20;

/** Connections of a client that trusts nginx's certificate, kept alive as an SDK keeps them. */
export function clientOf({ url, certificate }: Nginx): Pool {
  return new Pool(url, { connections: CONNECTIONS, connect: { ca: certificate, servername: DOMAIN } });
}

/** Different messages, sent through nginx on connections that are kept alive, until it is stopped. */
export class ProxiedLoad {
  private readonly outcomes: SendOutcome[] = [];
  private readonly pool: Pool;
  private readonly lanes: Promise<void>[];
  private stopped: Promise<readonly SendOutcome[]> | undefined;

  constructor(
    nginx: Nginx,
    /** Key of an account whose credits and limits are no obstacle. */
    private readonly apiKey: string,
  ) {
    this.pool = clientOf(nginx);
    this.lanes = Array.from({ length: CONNECTIONS }, (_none, lane) => this.run(lane));
  }

  /** Number of requests with an outcome so far. */
  get answered(): number {
    return this.outcomes.length;
  }

  /** Ends the load and returns the outcome of every request. */
  stop(): Promise<readonly SendOutcome[]> {
    this.stopped ??= Promise.all(this.lanes)
      .then(() => this.pool.close())
      .then(() => this.outcomes);
    return this.stopped;
  }

  private async run(lane: number): Promise<void> {
    for (let count = 0; !this.stopped; count += 1) {
      const [request] = differentMessages(1, this.apiKey, `proxied ${lane} ${count}`);
      if (request) this.outcomes.push(await this.send(request));
      await pause(PAUSE_MS);
    }
  }

  private async send(request: SendRequest): Promise<SendOutcome> {
    try {
      const { statusCode, headers, body } = await this.pool.request({
        path: '/api/sendsms',
        method: 'POST',
        headers: { host: DOMAIN, 'content-type': 'application/json' },
        body: JSON.stringify(request),
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      });
      const text = await body.text();
      // nginx's own answers are HTML.
      if (!text.startsWith('{')) return { kind: 'unanswered', reason: `${statusCode}: ${text.slice(0, 100)}` };
      const answer = JSON.parse(text) as Exclude<SendOutcome, { kind: 'unanswered' }>['answer'];
      if (answer.success === 'true') return { kind: 'accepted', answer };
      return { kind: 'refused', status: statusCode, retryAfter: String(headers['retry-after'] ?? ''), answer };
    } catch (error) {
      return { kind: 'unanswered', reason: error instanceof Error ? error.message : String(error) };
    }
  }
}
