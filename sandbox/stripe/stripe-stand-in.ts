import type { FastifyInstance } from 'fastify';
import type { Faults } from '../control/faults.js';
import type { PageShell } from '../pages/page-shell.js';
import { checkoutRoutes } from './checkout.routes.js';
import { Events } from './events.js';
import { Idempotency } from './idempotency.js';
import { Payments } from './payments.js';
import { Reversals } from './reversals.js';
import { stripeControlRoutes } from './stripe-control.routes.js';
import { stripeRoutes } from './stripe.routes.js';
import { StripeStore, type SeededPrice } from './stripe-store.js';
import { WebhookPoster } from './webhook-poster.js';

export interface StripeSettings {
  readonly stripeSecretKey: string;
  readonly stripeWebhookSecret: string;
  readonly stripePrices: readonly SeededPrice[];
  readonly productUrl: string;
  readonly publicUrl: string | null;
  /** From paying by bank account to the bank's answer. */
  readonly bankDelayMs: number;
}

const SWEEP_EVERY_MS = 1_000;

/** All of Stripe in one: the API, the pages, the control calls, and the clock that ends sessions. */
export class StripeStandIn {
  private readonly store: StripeStore;
  private readonly poster: WebhookPoster;
  private readonly events: Events;
  private readonly payments: Payments;
  private readonly reversals: Reversals;
  private readonly idempotency = new Idempotency();
  private readonly clock: NodeJS.Timeout;

  constructor(
    private readonly settings: StripeSettings,
    private readonly faults: Faults,
    private readonly shell: PageShell,
  ) {
    this.store = new StripeStore(settings.stripePrices);
    this.poster = new WebhookPoster(settings.productUrl, settings.stripeWebhookSecret);
    this.events = new Events(faults, this.poster);
    this.payments = new Payments(this.store, this.events, settings.bankDelayMs);
    this.reversals = new Reversals(this.store, this.events);
    this.clock = setInterval(() => this.expireDue(), SWEEP_EVERY_MS);
  }

  async register(app: FastifyInstance): Promise<void> {
    const { stripeSecretKey: secretKey, publicUrl } = this.settings;
    const { store, events, payments, reversals, poster, idempotency, faults, shell } = this;
    const api = { secretKey, publicUrl, store, events, payments, reversals, idempotency, faults };
    await app.register(stripeRoutes(api), { prefix: '/v1' });
    await app.register(checkoutRoutes({ store, payments, events, poster, shell }));
    await app.register(stripeControlRoutes({ store, payments, reversals, events, poster }), {
      prefix: '/_control/stripe',
    });
  }

  /** How many sessions there are. */
  get sessionCount(): number {
    return this.store.checkouts.newestFirst().length;
  }

  clear(): void {
    this.payments.clear();
    this.events.clear();
    this.idempotency.clear();
    this.store.clear();
  }

  async close(): Promise<void> {
    clearInterval(this.clock);
    this.payments.clear();
    await this.poster.close();
  }

  private expireDue(): void {
    for (const checkout of this.store.checkouts.newestFirst()) this.payments.expireIfDue(checkout);
  }
}
