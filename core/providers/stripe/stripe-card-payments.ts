import { Injectable } from '@nestjs/common';
import StripeSdk, { type Stripe } from 'stripe';
import { type CardEvent, CardPayments, type CardSession, type NewCardSession } from '../../billing/card-payments.js';
import { Config, type StripeConfig } from '../../platform/config/config.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { Logger } from '../../platform/telemetry/logger.js';

const TIMEOUT_MS = 10_000;
const RETRIES_MAX = 2;

/** Takes card payments through Stripe Checkout, on Stripe's own page. */
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
      if (!opened.url) throw new Error('The session has no URL');
      return { ...sessionOf(opened), url: opened.url };
    } catch (cause) {
      if (cause instanceof DomainError) throw cause;
      throw new DomainError('checkout_failed', detailOf(cause), { cause });
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
      throw new DomainError('unavailable', detailOf(error), { cause: error, retryAfterSeconds: 2 });
    }
  }

  private configured(): StripeSdk {
    if (this.client) return this.client;
    throw new DomainError('stripe_not_configured', 'Card payments are not set up on this installation.');
  }
}

/** Explains a failure to the buyer. Stripe's own message may name keys or prices and is only logged. */
export function detailOf(cause: unknown): string {
  if (cause instanceof StripeSdk.errors.StripeConnectionError) return 'Stripe did not answer. Please try again.';
  if (cause instanceof StripeSdk.errors.StripeRateLimitError) return 'Stripe is busy. Please try again.';
  if (cause instanceof StripeSdk.errors.StripeError) return 'Stripe refused the request. Please contact support.';
  return 'Something went wrong on our side. You were not charged.';
}

/** Creates the SDK's client, for Stripe or for another server that speaks its protocol. */
export function stripeClient({ secretKey, apiUrl }: StripeConfig): StripeSdk {
  return new StripeSdk(secretKey, {
    timeout: TIMEOUT_MS,
    maxNetworkRetries: RETRIES_MAX,
    telemetry: false,
    ...(apiUrl && addressOf(new URL(apiUrl))),
  });
}

function addressOf({ protocol, hostname, port }: URL): { protocol: 'http' | 'https'; host: string; port: number } {
  const secure = protocol === 'https:';
  return { protocol: secure ? 'https' : 'http', host: hostname, port: Number(port) || (secure ? 443 : 80) };
}

/** Converts Stripe's checkout session (https://docs.stripe.com/api/checkout/sessions/object) to a {@link CardSession}. */
function sessionOf(session: Stripe.Checkout.Session): CardSession {
  const { payment_intent: payment } = session;
  const charge = payment !== null && typeof payment === 'object' ? payment.latest_charge : null;
  return {
    sessionId: session.id,
    state: stateOf(session),
    accountId: session.client_reference_id,
    amountCents: session.amount_total,
    currency: session.currency,
    cardPaymentId: idOf(payment),
    receiptUrl: charge !== null && typeof charge === 'object' ? charge.receipt_url : null,
  };
}

/** Stripe refers to an object by its id, or includes the whole object when it is expanded. */
export function idOf(reference: string | { id: string } | null): string | null {
  return typeof reference === 'string' ? reference : (reference?.id ?? null);
}

function stateOf({ payment_status: payment, status }: Stripe.Checkout.Session): CardSession['state'] {
  if (payment === 'paid') return 'paid';
  return status === 'expired' ? 'failed' : 'open';
}

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
