import { z } from 'zod';
import { Timers } from '../outgoing.js';
import {
  type Charge,
  customerDetails,
  type Dispute,
  type DisputeOutcome,
  nameOf,
  newCharge,
  newDispute,
  type NewEvent,
  newId,
  newPaymentIntent,
  newPaymentMethod,
  newRefund,
  newSession,
  newSetupIntent,
  type Payer,
  type PaymentIntent,
  type PaymentProblem,
  type Refund,
  type RefundOutcome,
  SESSION_SECONDS,
} from './objects.js';
import { integer, metadata, readParams, url } from './params.js';
import type { Checkout, LineItem, StripeStore } from './store.js';
import { invalidRequest } from './stripe-error.js';
import type { TestCard } from './test-cards.js';
import type { Webhooks } from './webhooks.js';

const sessionParams = z.strictObject({
  mode: z.enum(['payment', 'setup'], 'The sandbox supports only the modes payment and setup.'),
  line_items: z
    .array(z.strictObject({ price: z.string(), quantity: integer.pipe(z.number().min(1).max(999_999)) }))
    .max(100)
    .default([]),
  currency: z.literal('usd').optional(),
  customer: z.string().nullable().default(null),
  success_url: url,
  cancel_url: url.nullable().default(null),
  client_reference_id: z.string().max(200).nullable().default(null),
  customer_email: z
    .string()
    .regex(/^[^\s@]+@[^\s@]+$/, 'Invalid email address')
    .nullable()
    .default(null),
  metadata: metadata.default({}),
  allowed_payment_method_types: z.array(z.enum(['card', 'us_bank_account'])).optional(),
  payment_method_types: z.array(z.enum(['card', 'us_bank_account'])).default(['card', 'us_bank_account']),
});

const refundParams = z.strictObject({
  charge: z.string(),
  amount: integer.pipe(z.number().min(1, 'This value must be greater than or equal to 1.')).optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
});

type PaymentResult =
  | { readonly kind: 'complete' }
  | { readonly kind: 'authenticate' }
  | { readonly kind: 'declined'; readonly problem: PaymentProblem };

export const NOT_AUTHENTICATED: PaymentProblem = {
  type: 'card_error',
  code: 'payment_intent_authentication_failure',
  message: 'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
};
const BANK_REFUSED: PaymentProblem = {
  type: 'invalid_request_error',
  code: 'insufficient_funds',
  message: 'The payment failed because the bank account has insufficient funds.',
};

/**
 * Sessions, payments, refunds and disputes, as the product, the buyer, the bank and the clock
 * change them.
 */
export class Payments {
  private readonly timers = new Timers();

  constructor(
    private readonly store: StripeStore,
    private readonly webhooks: Webhooks,
    private readonly bankDelayMs: number,
  ) {}

  /**
   * Creates a session from API parameters. `baseUrl` is the sandbox's URL for the buyer's browser.
   * Throws StripeError.
   */
  open(params: unknown, baseUrl: string): Checkout {
    const {
      line_items: items,
      mode,
      currency: _currency,
      allowed_payment_method_types: allowed,
      ...given
    } = readParams(sessionParams, params);
    if (mode === 'payment' && items.length === 0) {
      throw invalidRequest('Missing required param: line_items.', { code: 'parameter_missing', param: 'line_items' });
    }
    if (given.customer !== null) this.store.customers.get(given.customer, 'customer');
    const lineItems = items.map(({ price: id, quantity }, index): LineItem => {
      const price = this.store.prices.get(id, `line_items[${index}][price]`);
      return { name: nameOf(price), unitAmount: price.unit_amount, quantity };
    });
    const session = newSession({
      ...given,
      payment_method_types: allowed ?? given.payment_method_types,
      total:
        mode === 'setup' ? null : lineItems.reduce((sum, { unitAmount, quantity }) => sum + unitAmount * quantity, 0),
      baseUrl,
    });
    const checkout = this.store.checkouts.add({
      id: session.id,
      session,
      lineItems,
      baseUrl,
      attempt: null,
      isPending: false,
      problem: null,
    });
    this.timers.later(SESSION_SECONDS * 1000, () => {
      if (session.status === 'open') this.expire(checkout);
    });
    return checkout;
  }

  /** Attempts to pay a session. Throws Stripe's error when it is not open. */
  pay(checkout: Checkout, card: TestCard, payer: Payer): PaymentResult {
    requireOpen(checkout);
    checkout.problem = null;
    checkout.attempt = { card, payer };
    if (checkout.session.mode === 'setup') return this.save(checkout, card, payer);
    const intent = this.intentOf(checkout);
    intent.payment_method = newId('pm_');
    checkout.isPending = card.outcome === 'authenticates';
    if (checkout.isPending) {
      intent.status = 'requires_action';
      return { kind: 'authenticate' };
    }
    return card.outcome === 'declines'
      ? this.decline(checkout, intent, card)
      : this.complete(checkout, intent, card, payer);
  }

  /** Completes or fails 3-D Secure. */
  authenticate(checkout: Checkout, isConfirmed: boolean): PaymentResult {
    const { attempt, isPending } = checkout;
    requireOpen(checkout);
    if (attempt === null || !isPending) throw invalidRequest('This session does not wait for authentication.');
    checkout.isPending = false;
    if (checkout.session.mode === 'setup') {
      if (isConfirmed) return this.saveCard(checkout, attempt.card, attempt.payer);
      checkout.problem = NOT_AUTHENTICATED;
      return { kind: 'declined', problem: NOT_AUTHENTICATED };
    }
    const intent = this.intentOf(checkout);
    if (isConfirmed) return this.complete(checkout, intent, attempt.card, attempt.payer);
    this.fail(checkout, intent, NOT_AUTHENTICATED);
    this.webhooks.publish([{ type: 'payment_intent.payment_failed', object: intent }]);
    return { kind: 'declined', problem: NOT_AUTHENTICATED };
  }

  /** Expires a session. Throws Stripe's error when it is not open. */
  expire(checkout: Checkout): void {
    requireOpen(checkout);
    const { session } = checkout;
    session.status = 'expired';
    session.url = null;
    checkout.isPending = false;
    if (session.payment_intent !== null) this.intentOf(checkout).status = 'canceled';
    this.webhooks.publish([{ type: 'checkout.session.expired', object: session }]);
  }

  /** Refunds a charge at the request of the product. */
  refund(params: unknown): Refund {
    const given = readParams(refundParams, params);
    const charge = this.store.charges.get(given.charge, 'charge');
    const leftCents = charge.paid ? charge.amount - charge.amount_refunded : 0;
    if (charge.disputed) throw invalidRequest(`Charge ${charge.id} has been charged back; cannot issue a refund.`);
    if (leftCents === 0) {
      throw invalidRequest(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' });
    }
    const cents = given.amount ?? leftCents;
    if (cents > leftCents) {
      throw invalidRequest(
        `Refund amount (${dollars(cents)}) is greater than unrefunded amount on charge (${dollars(leftCents)})`,
        { param: 'amount' },
      );
    }
    const refund = this.store.refunds.add(newRefund(charge, cents, given.reason ?? null));
    const previous = { amount_refunded: charge.amount_refunded, refunded: charge.refunded };
    charge.amount_refunded += cents;
    charge.refunded = charge.amount_refunded === charge.amount;
    this.webhooks.publish([
      { type: 'refund.created', object: refund },
      { type: 'charge.refunded', object: charge, previous },
    ]);
    return refund;
  }

  /**
   * Ends a refund for the buyer's bank, which returns the money, or for the merchant, who cancels
   * it.
   */
  failRefund(refundId: string, outcome: RefundOutcome): Refund {
    const refund = this.store.refunds.get(refundId, 'refund');
    const { status } = refund;
    if (status !== 'succeeded') throw invalidRequest(`Refund ${refund.id} is already ${status}.`);
    const charge = this.store.charges.get(refund.charge, 'charge');
    refund.status = outcome;
    charge.amount_refunded -= refund.amount;
    charge.refunded = false;
    const updated = { object: refund, previous: { status } };
    this.webhooks.publish([
      { type: 'charge.refund.updated', ...updated },
      { type: 'refund.updated', ...updated },
      ...(outcome === 'failed' ? [{ type: 'refund.failed', object: refund } as const] : []),
    ]);
    return refund;
  }

  /** Opens a dispute for the buyer's bank. */
  dispute(chargeId: string, reason: string): Dispute {
    const charge = this.store.charges.get(chargeId, 'charge');
    if (!charge.paid || charge.disputed) {
      throw invalidRequest(`Charge ${charge.id} is ${charge.disputed ? 'already disputed' : 'not paid'}.`);
    }
    charge.disputed = true;
    const dispute = this.store.disputes.add(newDispute(charge, reason));
    this.webhooks.publish([{ type: 'charge.dispute.created', object: dispute }]);
    return dispute;
  }

  closeDispute(disputeId: string, outcome: DisputeOutcome): Dispute {
    const dispute = this.store.disputes.get(disputeId, 'dispute');
    const { status } = dispute;
    if (status !== 'needs_response') throw invalidRequest(`Dispute ${dispute.id} is already closed.`);
    dispute.status = outcome;
    this.webhooks.publish([{ type: 'charge.dispute.closed', object: dispute, previous: { status } }]);
    return dispute;
  }

  /** Cancels later actions of the bank and the clock. */
  clear(): void {
    this.timers.clear();
  }

  private intentOf({ session }: Checkout): PaymentIntent {
    const known = this.store.intents.find(session.payment_intent ?? '');
    if (known !== undefined) return known;
    const { currency, payment_method_types: types } = session;
    const amount = session.amount_total ?? 0;
    const intent = this.store.intents.add(newPaymentIntent({ amount, currency, payment_method_types: types }));
    session.payment_intent = intent.id;
    return intent;
  }

  /** Saves a card for later payments: the result of a session in mode `setup`. */
  private save(checkout: Checkout, card: TestCard, payer: Payer): PaymentResult {
    checkout.isPending = card.saving === 'authenticates';
    if (checkout.isPending) return { kind: 'authenticate' };
    if (card.saving === 'succeeds') return this.saveCard(checkout, card, payer);
    const problem = declineOf(card);
    checkout.problem = problem;
    return { kind: 'declined', problem };
  }

  private saveCard({ session }: Checkout, card: TestCard, payer: Payer): PaymentResult {
    const method = newPaymentMethod(card, session.customer ?? '');
    this.store.cards.add({ id: method.id, method, card });
    session.setup_intent = this.store.setupIntents.add(newSetupIntent(session.customer, method.id)).id;
    session.status = 'complete';
    session.url = null;
    session.customer_details = customerDetails(payer);
    this.webhooks.publish([{ type: 'checkout.session.completed', object: session }]);
    return { kind: 'complete' };
  }

  private complete(checkout: Checkout, intent: PaymentIntent, card: TestCard, payer: Payer): PaymentResult {
    const { session } = checkout;
    const charge = this.charge(checkout, intent, card, card.isBank ? 'pending' : 'succeeded');
    session.status = 'complete';
    session.url = null;
    session.customer_details = customerDetails(payer);
    const completed: NewEvent = { type: 'checkout.session.completed', object: session };
    if (card.isBank) {
      intent.status = 'processing';
      this.webhooks.publish([completed]);
      this.timers.later(this.bankDelayMs, () => this.settle(checkout, intent, charge, card));
    } else {
      session.payment_status = 'paid';
      this.webhooks.publish([...this.succeed(intent, charge), completed]);
    }
    return { kind: 'complete' };
  }

  private decline(checkout: Checkout, intent: PaymentIntent, card: TestCard): PaymentResult {
    const charge = this.charge(checkout, intent, card, 'failed');
    const problem = declineOf(card);
    this.fail(checkout, intent, problem);
    this.webhooks.publish([
      { type: 'charge.failed', object: charge },
      { type: 'payment_intent.payment_failed', object: intent },
    ]);
    return { kind: 'declined', problem };
  }

  /** Applies the bank's delayed result. */
  private settle(checkout: Checkout, intent: PaymentIntent, charge: Charge, card: TestCard): void {
    const { session } = checkout;
    if (card.outcome === 'pays-later') {
      charge.status = 'succeeded';
      charge.paid = true;
      session.payment_status = 'paid';
      this.webhooks.publish([
        ...this.succeed(intent, charge),
        { type: 'checkout.session.async_payment_succeeded', object: session },
      ]);
      return;
    }
    charge.status = 'failed';
    charge.failure_code = BANK_REFUSED.code;
    charge.failure_message = BANK_REFUSED.message;
    this.fail(checkout, intent, BANK_REFUSED);
    this.webhooks.publish([
      { type: 'charge.failed', object: charge },
      { type: 'payment_intent.payment_failed', object: intent },
      { type: 'checkout.session.async_payment_failed', object: session },
    ]);
  }

  private succeed(intent: PaymentIntent, charge: Charge): NewEvent[] {
    intent.status = 'succeeded';
    intent.amount_received = intent.amount;
    intent.last_payment_error = null;
    return [
      { type: 'charge.succeeded', object: charge },
      { type: 'payment_intent.succeeded', object: intent },
    ];
  }

  private fail(checkout: Checkout, intent: PaymentIntent, problem: PaymentProblem): void {
    intent.status = 'requires_payment_method';
    intent.last_payment_error = problem;
    intent.payment_method = null;
    checkout.problem = problem;
  }

  private charge({ baseUrl }: Checkout, intent: PaymentIntent, card: TestCard, status: Charge['status']): Charge {
    const charge = this.store.charges.add(newCharge(intent, card, status, baseUrl));
    intent.latest_charge = charge.id;
    return charge;
  }
}

/** Stripe's error for a declined card. */
export function declineOf({ declined: { code, text } }: TestCard): PaymentProblem {
  return { type: 'card_error', code: 'card_declined', message: text, decline_code: code };
}

function requireOpen({ session: { status } }: Checkout): void {
  if (status === 'complete') throw invalidRequest('This session is already paid.');
  if (status === 'expired') throw invalidRequest('This session has expired.');
}

function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}
