import { Injectable } from '@nestjs/common';
import StripeSdk from 'stripe';
import type { CardEvent } from '../../billing/card-payments.js';
import { Config } from '../../platform/config/config.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { idOf, sessionOf } from './stripe-card-payments.js';

/** Rejects older signatures, so that a recorded event cannot be replayed. */
const TOLERANCE_SECONDS = 300;

/** Verifies Stripe's signed events (https://docs.stripe.com/webhooks/signature) and converts them to {@link CardEvent}s. */
@Injectable()
export class StripeEvents {
  constructor(
    private readonly config: Config,
    private readonly logger: Logger,
  ) {}

  /** `body` is the raw request body. Throws `invalid_signature`, `stripe_not_configured`. */
  read(body: Buffer, signature: string): CardEvent {
    const { stripe } = this.config;
    if (!stripe) throw new DomainError('stripe_not_configured', 'Card payments are not set up on this installation.');
    return eventOf(this.verified(body, signature, stripe.webhookSecret));
  }

  private verified(body: Buffer, signature: string, secret: string): StripeSdk.Event {
    try {
      return StripeSdk.webhooks.constructEvent(body, signature, secret, TOLERANCE_SECONDS);
    } catch (cause) {
      if (!(cause instanceof StripeSdk.errors.StripeSignatureVerificationError)) throw cause;
      this.logger.warn({ reason: cause.message.split('\n')[0] }, 'Stripe event rejected: invalid signature');
      throw new DomainError('invalid_signature', 'The signature does not match. Nothing was stored.', { cause });
    }
  }
}

/** A closed dispute is lost, or ends in our favor: `won`, `warning_closed` (an inquiry without a dispute), `prevented`. */
function eventOf(event: StripeSdk.Event): CardEvent {
  if (event.type === 'checkout.session.completed' && event.data.object.mode === 'setup')
    return { kind: 'card_saved', sessionId: event.data.object.id };
  if (event.type === 'checkout.session.completed' || event.type === 'checkout.session.async_payment_succeeded')
    return { kind: 'session', session: sessionOf(event.data.object) };
  if (event.type === 'checkout.session.async_payment_failed')
    return { kind: 'session_failed', sessionId: event.data.object.id };
  if (
    event.type === 'payment_intent.succeeded' ||
    event.type === 'payment_intent.payment_failed' ||
    event.type === 'payment_intent.canceled'
  ) {
    const { id: cardPaymentId, metadata } = event.data.object;
    const topUpId = metadata['top_up'];
    if (topUpId) return { kind: 'top_up', topUpId, cardPaymentId };
  }
  if (event.type === 'charge.refunded') {
    const { payment_intent: payment, amount_refunded: refundedCents } = event.data.object;
    const cardPaymentId = idOf(payment);
    if (cardPaymentId) return { kind: 'refunded', cardPaymentId, refundedCents };
  }
  if (event.type === 'charge.dispute.created' || event.type === 'charge.dispute.closed') {
    const { id: disputeId, payment_intent: payment, amount: amountCents, reason, status } = event.data.object;
    const cardPaymentId = idOf(payment);
    const isClosed = event.type === 'charge.dispute.closed';
    const outcome = status === 'lost' ? 'lost' : 'won';
    const dispute = { disputeId, amountCents, reason, status: isClosed ? outcome : 'open' } as const;
    if (cardPaymentId) return { kind: 'disputed', dispute: { ...dispute, cardPaymentId } };
  }
  return { kind: 'other', type: event.type };
}
