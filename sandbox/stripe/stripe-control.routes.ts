import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { explainFaults } from '../control/explain.js';
import type { Events } from './events.js';
import type { Payments } from './payments.js';
import type { Reversals } from './reversals.js';
import { disputeOutcomes } from './reversal.js';
import { successUrlOf } from './session.js';
import type { StripeStore } from './stripe-store.js';
import { cardOf } from './test-cards.js';
import type { WebhookPoster } from './webhook-poster.js';

export interface StripeControlParts {
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

/** What buyers and their banks do, without the pages, under /_control/stripe. */
export function stripeControlRoutes({ store, payments, reversals, events, poster }: StripeControlParts) {
  return async (app: FastifyInstance): Promise<void> => {
    explainFaults(app);

    /** Pays as the page would; 3-D Secure is confirmed. `redirectTo` is where the browser would go now. */
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

    /** Newest first: each event with its tries to reach the product. */
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
