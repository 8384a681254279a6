import { Agent } from 'undici';
import type { StripeEvent } from './event.js';
import { seconds } from './ids.js';
import { stripeSignature } from './webhook-signature.js';

/** Where the product takes Stripe's events. */
export const WEBHOOK_PATH = '/webhooks/stripe';

const ANSWER_TIMEOUT_MS = 15_000;
/** The pauses before a failed post is tried again; Stripe's own grow from minutes to hours. */
const RETRY_PAUSES_MS = [500, 2_000, 5_000, 15_000, 60_000];
const DELIVERIES_KEPT_MAX = 1_000;

/** One try to post an event: the product's HTTP status, 0 if it could not be reached. */
export interface Attempt {
  readonly at: string;
  readonly status: number;
  readonly tookMs: number;
}

/** What became of the webhook of one event. */
export interface Delivery {
  readonly event: StripeEvent;
  readonly attempts: Attempt[];
  state: 'held back' | 'waiting' | 'taken' | 'given up';
}

/** Posts events signed to the product, each until it answers 2xx, with growing pauses. */
export class WebhookPoster {
  private readonly agent = new Agent({
    connections: 20,
    headersTimeout: ANSWER_TIMEOUT_MS,
    bodyTimeout: ANSWER_TIMEOUT_MS,
    connectTimeout: 5_000,
  });
  private readonly deliveries = new Map<string, Delivery>();
  private readonly timers = new Set<NodeJS.Timeout>();

  constructor(
    private readonly productUrl: string,
    private readonly secret: string,
    private readonly now: () => number = Date.now,
  ) {}

  /** Newest first. */
  list(): Delivery[] {
    return [...this.deliveries.values()].reverse();
  }

  /** Notes an event that is not posted, until somebody sends it again. */
  holdBack(event: StripeEvent): void {
    this.note(event).state = 'held back';
  }

  /** Puts an event on its way after a pause. */
  send(event: StripeEvent, afterMs = 0): void {
    const delivery = this.note(event);
    delivery.state = 'waiting';
    event.pending_webhooks = 1;
    this.later(afterMs, () => this.tryFrom(delivery, 0));
  }

  /** Posts once, now, whatever became of it before; says the product's status, 0 if it could not be reached. */
  async resend(event: StripeEvent): Promise<number> {
    return this.post(this.note(event));
  }

  clear(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
    this.deliveries.clear();
  }

  async close(): Promise<void> {
    this.clear();
    await this.agent.destroy();
  }

  private note(event: StripeEvent): Delivery {
    const known = this.deliveries.get(event.id);
    if (known !== undefined) return known;
    const delivery: Delivery = { event, attempts: [], state: 'waiting' };
    this.deliveries.set(event.id, delivery);
    const [oldest] = this.deliveries.keys();
    if (this.deliveries.size > DELIVERIES_KEPT_MAX && oldest !== undefined) this.deliveries.delete(oldest);
    return delivery;
  }

  private async tryFrom(delivery: Delivery, failures: number): Promise<void> {
    await this.post(delivery);
    if (delivery.state === 'taken' || this.deliveries.get(delivery.event.id) !== delivery) return;
    const pauseMs = RETRY_PAUSES_MS[failures];
    if (pauseMs === undefined) delivery.state = 'given up';
    else this.later(pauseMs, () => this.tryFrom(delivery, failures + 1));
  }

  private async post(delivery: Delivery): Promise<number> {
    const startedAtMs = this.now();
    const status = await this.request(JSON.stringify(delivery.event, null, 2));
    const at = new Date(startedAtMs).toISOString();
    delivery.attempts.push({ at, status, tookMs: this.now() - startedAtMs });
    if (isTaken(status)) {
      delivery.state = 'taken';
      delivery.event.pending_webhooks = 0;
    }
    return status;
  }

  private async request(body: string): Promise<number> {
    const target = new URL(this.productUrl + WEBHOOK_PATH);
    try {
      const answer = await this.agent.request({
        origin: target.origin,
        path: target.pathname,
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
          'stripe-signature': stripeSignature(this.secret, seconds(this.now()), body),
        },
        body,
      });
      await answer.body.dump();
      return answer.statusCode;
    } catch {
      // Refused, reset or too slow: a failed attempt, which the list of attempts shows as 0.
      return 0;
    }
  }

  private later(afterMs: number, work: () => Promise<void>): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      void work();
    }, afterMs);
    this.timers.add(timer);
  }
}

function isTaken(status: number): boolean {
  return status >= 200 && status < 300;
}
