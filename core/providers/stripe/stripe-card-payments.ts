import { Injectable } from '@nestjs/common';
import StripeSdk, { type Stripe } from 'stripe';
import { z } from 'zod';
import { type CardEvent, CardPayments, type CardSession, type NewCardSession } from '../../billing/card-payments.js';
import { Config, type StripeConfig } from '../../platform/config/config.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { Logger } from '../../platform/telemetry/logger.js';

const TIMEOUT_MS = 10_000;
const RETRIES_MAX = 2;

/**
 * For calls that a page waits for: two calls, each tried twice, end before the page gives up (20
 * s), so that the buyer reads what did not answer.
 */
export const whileWaiting = { timeout: 4_000, maxNetworkRetries: 1 } as const;

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
        { idempotencyKey, ...whileWaiting },
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
        await this.configured().checkout.sessions.retrieve(
          sessionId,
          { expand: ['payment_intent.latest_charge'] },
          whileWaiting,
        ),
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

/**
 * Explains a failure to the buyer. Stripe's own message may name keys or prices and is only logged.
 */
export function detailOf(cause: unknown): string {
  if (cause instanceof StripeSdk.errors.StripeConnectionError) return 'Stripe did not answer. Please try again.';
  if (cause instanceof StripeSdk.errors.StripeRateLimitError) return 'Stripe is busy. Please try again.';
  // Every status without a class of its own: an outage, or a call held up by another call with the
  // same key.
  if (cause instanceof StripeSdk.errors.StripeAPIError) return 'Stripe is not working right now. Please try again.';
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

/**
 * Converts Stripe's checkout session (https://docs.stripe.com/api/checkout/sessions/object) to a
 * {@link CardSession}.
 */
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

/**
 * Verifies Stripe's signed events (https://docs.stripe.com/webhooks/signature) and converts them to
 * {@link CardEvent}s.
 */
@Injectable()
export class StripeEvents {
  constructor(
    private readonly config: Config,
    private readonly logger: Logger,
  ) {}

  /**
   * `body` is the raw request body. Throws `invalid_signature`, `invalid_request`,
   * `stripe_not_configured`.
   */
  read(body: Buffer, signature: string): CardEvent {
    const { stripe } = this.config;
    if (!stripe) throw new DomainError('stripe_not_configured', 'Card payments are not set up on this installation.');
    const event = this.verified(body, signature, stripe.webhookSecret);
    checkShape(event);
    return eventOf(event);
  }

  private verified(body: Buffer, signature: string, secret: string): StripeSdk.Event {
    try {
      return StripeSdk.webhooks.constructEvent(body, signature, secret, TOLERANCE_SECONDS);
    } catch (cause) {
      if (cause instanceof SyntaxError)
        throw new DomainError('invalid_request', 'The event is not valid JSON.', { cause });
      if (!(cause instanceof StripeSdk.errors.StripeSignatureVerificationError)) throw cause;
      this.logger.warn({ reason: cause.message.split('\n')[0] }, 'Stripe event rejected: invalid signature');
      throw new DomainError('invalid_signature', 'The signature does not match. Nothing was stored.', { cause });
    }
  }
}

const stripeId = z.string().regex(/^[\w-]{1,255}$/);
const reference = z.union([stripeId, z.object({ id: stripeId })]).nullable();
/** Text without the characters that Postgres does not store. */
const plainText = z.string().regex(/^[^\0\p{Cs}]{0,500}$/u);
const cents = z.int32().nonnegative();
const sessionObject = z.object({
  id: stripeId,
  mode: plainText,
  payment_intent: reference,
  client_reference_id: plainText.nullable(),
  amount_total: cents.nullable(),
  currency: plainText.nullable(),
});
const paymentObject = z.object({ id: stripeId, metadata: z.record(z.string(), plainText) });
const chargeObject = z.object({ payment_intent: reference, amount_refunded: cents });
const refundObject = z.object({ id: stripeId, payment_intent: reference, amount: cents, status: plainText.nullable() });
const disputeObject = z.object({
  id: stripeId,
  payment_intent: reference,
  amount: cents,
  reason: plainText,
  status: plainText,
});

/**
 * Fields that are read of an event's object, by the event's type
 * (https://docs.stripe.com/api/events/types).
 */
const objectsRead: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ['checkout.session.completed', sessionObject],
  ['checkout.session.async_payment_succeeded', sessionObject],
  ['checkout.session.async_payment_failed', sessionObject],
  ['payment_intent.succeeded', paymentObject],
  ['payment_intent.payment_failed', paymentObject],
  ['payment_intent.canceled', paymentObject],
  ['charge.refunded', chargeObject],
  ['charge.refund.updated', refundObject],
  ['refund.created', refundObject],
  ['refund.updated', refundObject],
  ['refund.failed', refundObject],
  ['charge.dispute.created', disputeObject],
  ['charge.dispute.closed', disputeObject],
]);

/** https://docs.stripe.com/api/events/object */
const stripeEvent = z.object({
  type: plainText,
  data: z.object({ object: z.record(z.string(), z.unknown()) }),
});

/**
 * Throws `invalid_request`: a 4xx that Stripe shows, and repeats until the product understands the
 * event.
 */
function checkShape(event: StripeSdk.Event): void {
  const fault =
    stripeEvent.safeParse(event).error ?? objectsRead.get(event.type)?.safeParse(event.data.object).error ?? undefined;
  const [issue] = fault?.issues ?? [];
  if (issue) throw new DomainError('invalid_request', `${issue.path.join('.') || 'The event'}: ${issue.message}.`);
}

/**
 * A closed dispute is lost, or ends in our favor: `won`, `warning_closed` (an inquiry without a
 * dispute), `prevented`.
 */
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
    // Other charges of the same Stripe account may have a field of this name.
    const { data: topUpId } = z.guid().safeParse(metadata['top_up']);
    if (topUpId) return { kind: 'top_up', topUpId, cardPaymentId };
  }
  if (event.type === 'charge.refunded') {
    const { payment_intent: payment, amount_refunded: refundedCents } = event.data.object;
    const cardPaymentId = idOf(payment);
    if (cardPaymentId) return { kind: 'refunded', cardPaymentId, refundedCents };
  }
  if (
    event.type === 'refund.created' ||
    event.type === 'refund.updated' ||
    event.type === 'refund.failed' ||
    event.type === 'charge.refund.updated'
  ) {
    const { id: refundId, payment_intent: payment, amount: amountCents, status } = event.data.object;
    const cardPaymentId = idOf(payment);
    const failed = status === 'failed' || status === 'canceled';
    if (cardPaymentId) return { kind: 'refund', refund: { refundId, cardPaymentId, amountCents, failed } };
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
