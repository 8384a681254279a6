import { createHmac } from 'node:crypto';
import { Agent } from 'undici';
import type { Faults } from '../control/faults.js';
import { newId, seconds } from './catalogue.js';
import { Kept } from './store.js';

type EventType =
  | 'charge.dispute.closed'
  | 'charge.dispute.created'
  | 'charge.failed'
  | 'charge.refunded'
  | 'charge.succeeded'
  | 'checkout.session.async_payment_failed'
  | 'checkout.session.async_payment_succeeded'
  | 'checkout.session.completed'
  | 'checkout.session.expired'
  | 'payment_intent.payment_failed'
  | 'payment_intent.succeeded';

/** Which call of the API made an event; null fields when nobody called. */
export interface EventRequest {
  readonly id: string | null;
  readonly idempotency_key: string | null;
}

export interface NewEvent {
  readonly type: EventType;
  readonly object: object;
  readonly previous?: Record<string, unknown>;
}

/** An Event with its object as it was at that moment. */
function newEvent({ type, object, previous }: NewEvent, apiVersion: string, request: EventRequest, nowMs: number) {
  return {
    id: newId('evt_'),
    object: 'event' as const,
    api_version: apiVersion,
    created: seconds(nowMs),
    data: {
      object: structuredClone(object) as Record<string, unknown>,
      ...(previous === undefined ? {} : { previous_attributes: previous }),
    },
    livemode: false,
    pending_webhooks: 0,
    request,
    type,
  };
}
type StripeEvent = ReturnType<typeof newEvent>;

/** The Stripe-Signature header: HMAC-SHA256 in hex over `{seconds}.{body}` (Stripe's page on verifying signatures by hand). */
function stripeSignature(secret: string, atSeconds: number, body: string): string {
  const digest = createHmac('sha256', secret).update(`${atSeconds}.${body}`, 'utf8').digest('hex');
  return `t=${atSeconds},v1=${digest}`;
}

/** Where the product takes Stripe's events. */
const WEBHOOK_PATH = '/webhooks/stripe';

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

/** The version of the API that stands in events until a client names its own. */
const API_VERSION = '2026-10-28.endive';
const NOBODY: EventRequest = { id: null, idempotency_key: null };
const LATE_MS = 5_000;

/** What has happened, for the API's list and for the product's webhook. */
export class Events {
  readonly kept = new Kept<StripeEvent>('event');
  /** As the last client named it in Stripe-Version. */
  apiVersion = API_VERSION;

  constructor(
    private readonly faults: Faults,
    private readonly poster: WebhookPoster,
    private readonly now: () => number = Date.now,
  ) {}

  /** Publishes what one occasion brought about; a fault for webhooks takes all of it together. */
  publish(drafts: readonly NewEvent[], request: EventRequest = NOBODY): void {
    const fault = this.faults.take('stripe', ['no-webhook', 'duplicate-webhook', 'late-webhook']);
    for (const draft of drafts) {
      const event = this.kept.add(newEvent(draft, this.apiVersion, request, this.now()));
      if (fault.mode === 'no-webhook') this.poster.holdBack(event);
      else this.poster.send(event, fault.mode === 'late-webhook' ? fault.delayMs || LATE_MS : 0);
      if (fault.mode === 'duplicate-webhook') this.poster.send(event);
    }
  }

  clear(): void {
    this.kept.clear();
    this.poster.clear();
  }
}
