import { Injectable } from '@nestjs/common';
import StripeSdk from 'stripe';
import { CardPayments, type CardSession, type NewCardSession } from '../../billing/card-payments.js';
import { Config } from '../../platform/config/config.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { stripeClient } from './stripe-client.js';
import { sessionOf } from './stripe-session.js';

/** Stripe Checkout takes the cards, on its own page, through its own SDK. */
@Injectable()
export class StripeCardPayments extends CardPayments {
  private readonly client: StripeSdk | undefined;

  constructor({ stripe }: Config) {
    super();
    this.client = stripe && stripeClient(stripe);
  }

  async open(session: NewCardSession): Promise<CardSession & { readonly url: string }> {
    const { idempotencyKey, accountId, email, priceId, paidUrl, cancelledUrl } = session;
    try {
      const opened = await this.configured().checkout.sessions.create(
        {
          mode: 'payment',
          line_items: [{ price: priceId, quantity: 1 }],
          client_reference_id: accountId,
          customer_email: email,
          success_url: paidUrl.replace('{SESSION_ID}', '{CHECKOUT_SESSION_ID}'),
          cancel_url: cancelledUrl,
        },
        { idempotencyKey },
      );
      if (!opened.url) throw new Error('A session of the hosted page has its address');
      return { ...sessionOf(opened), url: opened.url };
    } catch (cause) {
      if (cause instanceof DomainError) throw cause;
      throw new DomainError('checkout_failed', wordsFor(cause), { cause });
    }
  }

  async find(sessionId: string): Promise<CardSession | undefined> {
    try {
      return sessionOf(
        await this.configured().checkout.sessions.retrieve(sessionId, { expand: ['payment_intent.latest_charge'] }),
      );
    } catch (error) {
      if (error instanceof StripeSdk.errors.StripeInvalidRequestError && error.statusCode === 404) return undefined;
      if (!(error instanceof StripeSdk.errors.StripeError)) throw error;
      throw new DomainError('unavailable', wordsFor(error), { cause: error, retryAfterSeconds: 2 });
    }
  }

  private configured(): StripeSdk {
    if (this.client) return this.client;
    throw new DomainError('stripe_not_configured', 'Card payments are not set up on this installation.');
  }
}

/** For the buyer. Stripe's own words may name keys and prices of ours: they go to the log. */
function wordsFor(cause: unknown): string {
  if (cause instanceof StripeSdk.errors.StripeConnectionError) return 'Stripe did not answer. Please try again.';
  if (cause instanceof StripeSdk.errors.StripeRateLimitError) return 'Stripe is busy. Please try again.';
  if (cause instanceof StripeSdk.errors.StripeError) return 'Stripe refused it. Please contact support.';
  return 'Something went wrong on our side. You were not charged.';
}
