import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Faults } from '../control/faults.js';
import { explainFaults } from '../http.js';
import type { PageFrame } from '../pages/pages.js';
import { checkoutRoutes } from './checkout.routes.js';
import { successUrlOf } from './checkout-pages.js';
import { disputeOutcomes, refundOutcomes } from './objects.js';
import { Payments } from './payments.js';
import { SavedCards } from './saved-cards.js';
import { type SeededPrice, StripeStore } from './store.js';
import { Idempotency, stripeApi } from './stripe-api.js';
import { cardOf, GOOD_CARD } from './test-cards.js';
import { Webhooks } from './webhooks.js';

interface StripeSettings {
  readonly stripeSecretKey: string;
  readonly stripeWebhookSecret: string;
  readonly stripePrices: readonly SeededPrice[];
  readonly productUrl: string;
  readonly publicUrl: string | null;
  /** Delay between a payment by bank account and the bank's result. */
  readonly bankDelayMs: number;
}

/** The Stripe service: API, checkout pages and control API. */
export class LocalStripe {
  private readonly store: StripeStore;
  private readonly webhooks: Webhooks;
  private readonly payments: Payments;
  private readonly savedCards: SavedCards;
  private readonly idempotency = new Idempotency();

  constructor(
    private readonly settings: StripeSettings,
    private readonly faults: Faults,
    private readonly frame: PageFrame,
  ) {
    this.store = new StripeStore(settings.stripePrices);
    this.webhooks = new Webhooks(this.store, faults, settings.productUrl, settings.stripeWebhookSecret);
    this.payments = new Payments(this.store, this.webhooks, settings.bankDelayMs);
    this.savedCards = new SavedCards(this.store, this.webhooks);
  }

  async register(app: FastifyInstance): Promise<void> {
    const { stripeSecretKey: secretKey, publicUrl } = this.settings;
    const { store, webhooks, payments, savedCards, idempotency, faults, frame } = this;
    const api = stripeApi({ secretKey, publicUrl, store, payments, savedCards, webhooks, idempotency, faults });
    await app.register(api, { prefix: '/v1' });
    await app.register(checkoutRoutes({ store, payments, savedCards, webhooks, frame }));
    await app.register(controlRoutes(store, payments, webhooks), { prefix: '/_control/stripe' });
  }

  get sessionCount(): number {
    return this.store.checkouts.size;
  }

  clear(): void {
    this.payments.clear();
    this.webhooks.clear();
    this.idempotency.clear();
    this.store.clear();
  }

  async close(): Promise<void> {
    this.payments.clear();
    await this.webhooks.close();
  }
}

const payBody = z.object({
  session: z.string(),
  card: z.string().default(GOOD_CARD.number),
  email: z.string().optional(),
});
const resendBody = z.object({ event: z.string() });
const disputeBody = z.object({ charge: z.string(), reason: z.string().default('fraudulent') });
const closeDisputeBody = z.object({ dispute: z.string(), status: z.enum(disputeOutcomes).default('lost') });
const failRefundBody = z.object({ refund: z.string(), status: z.enum(refundOutcomes).default('failed') });

/** Control API for actions of buyers and banks, under /_control/stripe. */
function controlRoutes(store: StripeStore, payments: Payments, webhooks: Webhooks) {
  return async (app: FastifyInstance): Promise<void> => {
    explainFaults(app);

    /**
     * Pays without the page and confirms 3-D Secure. `redirectTo` is where the page would redirect.
     */
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
      const { event } = resendBody.parse(request.body ?? {});
      return { event, status: await webhooks.resend(event) };
    });

    app.post('/dispute', async (request) => {
      const { charge, reason } = disputeBody.parse(request.body ?? {});
      return payments.dispute(charge, reason);
    });

    app.post('/dispute/close', async (request) => {
      const { dispute, status } = closeDisputeBody.parse(request.body ?? {});
      return payments.closeDispute(dispute, status);
    });

    app.post('/refund/fail', async (request) => {
      const { refund, status } = failRefundBody.parse(request.body ?? {});
      return payments.failRefund(refund, status);
    });

    /** Lists events with their attempts, newest first. */
    app.get('/webhooks', async () =>
      webhooks.list().map(({ event: { id, type, created, data }, attempts, state }) => ({
        event: id,
        type,
        at: new Date(created * 1000).toISOString(),
        object: data.object.id,
        state,
        attempts,
      })),
    );
  };
}
