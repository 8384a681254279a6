import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Faults } from '../control/faults.js';
import type { PageShell } from '../pages/pages.js';
import { explainFaults } from '../http.js';
import { checkoutRoutes } from './checkout.routes.js';
import { Events, WebhookPoster } from './events.js';
import { Idempotency } from './stripe-api.js';
import { Payments, Reversals } from './payments.js';
import { stripeRoutes } from './stripe.routes.js';
import { type SeededPrice, StripeStore } from './store.js';
import { disputeOutcomes } from './payment-objects.js';
import { successUrlOf } from './sessions.js';
import { cardOf } from './test-cards.js';

interface StripeSettings {
  readonly stripeSecretKey: string;
  readonly stripeWebhookSecret: string;
  readonly stripePrices: readonly SeededPrice[];
  readonly productUrl: string;
  readonly publicUrl: string | null;
  /** Delay between a payment by bank account and the bank's result. */
  readonly bankDelayMs: number;
}

const SWEEP_EVERY_MS = 1_000;

/** The Stripe service: API, checkout pages, control API, and the timer that expires sessions. */
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

  /** Number of sessions. */
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

interface StripeControlParts {
  readonly store: StripeStore;
  readonly payments: Payments;
  readonly reversals: Reversals;
  readonly events: Events;
  readonly poster: WebhookPoster;
}

const GOOD_CARD = '4242424242424242';
const payBody = z.object({ session: z.string(), card: z.string().default(GOOD_CARD), email: z.string().optional() });
const resendBody = z.object({ event: z.string() });
const disputeBody = z.object({ charge: z.string(), reason: z.string().default('fraudulent') });

const closeDisputeBody = z.object({ dispute: z.string(), status: z.enum(disputeOutcomes).default('lost') });

/** Control API for actions of buyers and banks, under /_control/stripe. */
function stripeControlRoutes({ store, payments, reversals, events, poster }: StripeControlParts) {
  return async (app: FastifyInstance): Promise<void> => {
    explainFaults(app);

    /** Pays without the page and confirms 3-D Secure. `redirectTo` is where the page would redirect. */
    app.post('/pay', async (request) => {
      const { session: id, card: number, email } = payBody.parse(request.body ?? {});
      const checkout = store.checkouts.get(id);
      const { session } = checkout;
      const payer = { email: email ?? session.customer_email ?? 'buyer@example.com', name: 'Test Buyer' };
      const first = payments.pay(checkout, cardOf(number), payer);
      const result = first.kind === 'authenticate' ? payments.authenticate(checkout, true) : first;
      return {
        result: result.kind,
        problem: result.kind === 'declined' ? result.problem.message : null,
        status: session.status,
        paymentStatus: session.payment_status,
        paymentIntent: session.payment_intent,
        redirectTo: result.kind === 'complete' ? successUrlOf(session) : null,
      };
    });

    app.post('/resend', async (request) => {
      const event = events.kept.get(resendBody.parse(request.body ?? {}).event);
      return { event: event.id, status: await poster.resend(event) };
    });

    app.post('/dispute', async (request) => {
      const { charge, reason } = disputeBody.parse(request.body ?? {});
      return reversals.dispute(charge, reason);
    });

    app.post('/dispute/close', async (request) => {
      const { dispute, status } = closeDisputeBody.parse(request.body ?? {});
      return reversals.closeDispute(dispute, status);
    });

    /** Lists events with their attempts, newest first. */
    app.get('/webhooks', async () =>
      poster.list().map(({ event: { id, type, created, data }, attempts, state }) => ({
        event: id,
        type,
        at: new Date(created * 1000).toISOString(),
        object: data.object['id'],
        state,
        attempts,
      })),
    );
  };
}
