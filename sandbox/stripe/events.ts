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

/** The API call that caused an event; null fields without one. */
export interface EventRequest {
  readonly id: string | null;
  readonly idempotency_key: string | null;
}

export interface NewEvent {
  readonly type: EventType;
  readonly object: object;
  readonly previous?: Record<string, unknown>;
}

/** Creates an Event with a copy of its object. */
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

/** Stripe-Signature header: hex HMAC-SHA256 of `{seconds}.{body}` (Stripe's page on manual signature verification). */
function stripeSignature(secret: string, atSeconds: number, body: string): string {
  const digest = createHmac('sha256', secret).update(`${atSeconds}.${body}`, 'utf8').digest('hex');
  return `t=${atSeconds},v1=${digest}`;
}

/** The product's webhook for Stripe events. */
const WEBHOOK_PATH = '/webhooks/stripe';

const ANSWER_TIMEOUT_MS = 15_000;
/** Delays before retries of a failed post. Stripe's own grow from minutes to hours. */
const RETRY_PAUSES_MS = [500, 2_000, 5_000, 15_000, 60_000];
const DELIVERIES_KEPT_MAX = 1_000;

/** One attempt to post an event: the product's HTTP status, 0 without an answer. */
export interface Attempt {
  readonly at: string;
  readonly status: number;
  readonly tookMs: number;
}

/** The webhook of one event. */
export interface Delivery {
  readonly event: StripeEvent;
  readonly attempts: Attempt[];
  state: 'held back' | 'waiting' | 'taken' | 'given up';
}

/** Posts signed events to the product and retries each with growing delays until it answers 2xx. */
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

  /** Lists deliveries, newest first. */
  list(): Delivery[] {
    return [...this.deliveries.values()].reverse();
  }

  /** Records an event without posting it; `resend` posts it. */
  holdBack(event: StripeEvent): void {
    this.note(event).state = 'held back';
  }

  /** Posts an event after a delay. */
  send(event: StripeEvent, afterMs = 0): void {
    const delivery = this.note(event);
    delivery.state = 'waiting';
    event.pending_webhooks = 1;
    this.later(afterMs, () => this.tryFrom(delivery, 0));
  }

  /** Posts an event once, immediately. Returns the product's status, 0 without an answer. */
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
      // Connection refused, reset or timed out: a failed attempt, listed as 0.
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

/** API version of events until a client sends its own. */
const API_VERSION = '2026-10-28.endive';
const NOBODY: EventRequest = { id: null, idempotency_key: null };
const LATE_MS = 5_000;

/** Creates events for the API's list and the product's webhook. */
export class Events {
  readonly kept = new Kept<StripeEvent>('event');
  /** The Stripe-Version of the last API call. */
  apiVersion = API_VERSION;

  constructor(
    private readonly faults: Faults,
    private readonly poster: WebhookPoster,
    private readonly now: () => number = Date.now,
  ) {}

  /** Publishes the events of one change; a webhook fault applies to all of them. */
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
