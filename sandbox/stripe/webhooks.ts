import { createHmac } from 'node:crypto';
import type { Faults } from '../control/faults.js';
import { Poster, Timers } from '../outgoing.js';
import { type NewEvent, newEvent, seconds, type StripeEvent } from './objects.js';
import type { StripeStore } from './store.js';

/** The product's webhook for Stripe events. */
const WEBHOOK_PATH = '/webhooks/stripe';

/** Delays before retries of a failed post. Stripe's own grow from minutes to hours. */
const RETRY_PAUSES_MS = [500, 2_000, 5_000, 15_000, 60_000];
const DELIVERIES_KEPT_MAX = 1_000;
const LATE_MS = 5_000;

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

/**
 * Creates events, posts them signed to the product, and retries each with growing delays until it
 * answers 2xx.
 */
export class Webhooks {
  /** API version of events, from the last API call. */
  apiVersion = '2026-10-28.endive';
  private readonly poster = new Poster();
  private readonly timers = new Timers();
  private readonly deliveries = new Map<string, Delivery>();

  constructor(
    private readonly store: StripeStore,
    private readonly faults: Faults,
    private readonly productUrl: string,
    private readonly secret: string,
  ) {}

  /** Publishes the events of one change; a webhook fault applies to all of them. */
  publish(drafts: readonly NewEvent[]): void {
    const { mode, delayMs } = this.faults.take('stripe', ['no-webhook', 'duplicate-webhook', 'late-webhook']);
    for (const draft of drafts) {
      const event = this.store.events.add(newEvent(draft, this.apiVersion));
      const delivery = this.add(event);
      if (mode === 'no-webhook') delivery.state = 'held back';
      else this.postLater(delivery, mode === 'late-webhook' ? delayMs || LATE_MS : 0);
      if (mode === 'duplicate-webhook') this.postLater(delivery, 0);
    }
  }

  /** Posts an event once, immediately. Returns the product's status, 0 without an answer. */
  async resend(eventId: string): Promise<number> {
    const event = this.store.events.get(eventId);
    return this.post(this.deliveries.get(event.id) ?? this.add(event));
  }

  /** Lists deliveries, newest first. */
  list(): Delivery[] {
    return [...this.deliveries.values()].reverse();
  }

  clear(): void {
    this.timers.clear();
    this.deliveries.clear();
  }

  async close(): Promise<void> {
    this.clear();
    await this.poster.close();
  }

  private add(event: StripeEvent): Delivery {
    const delivery: Delivery = { event, attempts: [], state: 'waiting' };
    this.deliveries.set(event.id, delivery);
    const [oldest] = this.deliveries.keys();
    if (this.deliveries.size > DELIVERIES_KEPT_MAX && oldest !== undefined) this.deliveries.delete(oldest);
    return delivery;
  }

  private postLater(delivery: Delivery, afterMs: number, failures = 0): void {
    this.timers.later(afterMs, () => {
      void this.post(delivery).then(() => {
        if (delivery.state === 'taken' || !this.deliveries.has(delivery.event.id)) return;
        const pauseMs = RETRY_PAUSES_MS[failures];
        if (pauseMs === undefined) delivery.state = 'given up';
        else this.postLater(delivery, pauseMs, failures + 1);
      });
    });
  }

  private async post(delivery: Delivery): Promise<number> {
    const startedAtMs = Date.now();
    const body = JSON.stringify(delivery.event, null, 2);
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      'stripe-signature': stripeSignature(this.secret, seconds(), body),
    };
    const status = await this.poster.post(this.productUrl + WEBHOOK_PATH, headers, body).then(
      (answer) => answer.status,
      // Connection refused, reset or timed out: a failed attempt, listed as 0.
      () => 0,
    );
    delivery.attempts.push({ at: new Date(startedAtMs).toISOString(), status, tookMs: Date.now() - startedAtMs });
    if (status >= 200 && status < 300) {
      delivery.state = 'taken';
      delivery.event.pending_webhooks = 0;
    }
    return status;
  }
}

/**
 * Stripe-Signature header: hex HMAC-SHA256 of `{seconds}.{body}` (Stripe's page on manual signature
 * verification).
 */
function stripeSignature(secret: string, atSeconds: number, body: string): string {
  const digest = createHmac('sha256', secret).update(`${atSeconds}.${body}`, 'utf8').digest('hex');
  return `t=${atSeconds},v1=${digest}`;
}
