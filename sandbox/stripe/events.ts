import type { Faults } from '../control/faults.js';
import { newEvent, type EventRequest, type NewEvent, type StripeEvent } from './event.js';
import { Kept } from './kept.js';
import type { WebhookPoster } from './webhook-poster.js';

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
