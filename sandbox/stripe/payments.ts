import { z } from 'zod';
import type { EventRequest, Events, NewEvent } from './events.js';
import { newId, seconds } from './catalogue.js';
import {
  type Charge,
  type Dispute,
  type DisputeOutcome,
  newCharge,
  newDispute,
  newPaymentIntent,
  newRefund,
  type PaymentIntent,
  type PaymentProblem,
  type Refund,
} from './payment-objects.js';
import { type Checkout, customerDetails, type Payer, type Session } from './sessions.js';
import { invalidRequest, StripeError } from './stripe-error.js';
import type { StripeStore } from './store.js';
import { isBank, type TestCard } from './test-cards.js';
import { amount, inert, metadata, readParams } from './params.js';

/** Result of a payment attempt. */
type PaymentResult =
  | { readonly kind: 'complete' }
  | { readonly kind: 'authenticate' }
  | { readonly kind: 'declined'; readonly problem: PaymentProblem };

const NOT_AUTHENTICATED: PaymentProblem = {
  type: 'card_error',
  code: 'payment_intent_authentication_failure',
  message: 'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
};
const BANK_REFUSED = 'The payment failed because the bank account has insufficient funds.';

/** Changes the state of sessions and payments on behalf of buyers, banks and the clock. */
export class Payments {
  private readonly timers = new Set<NodeJS.Timeout>();

  constructor(
    private readonly store: StripeStore,
    private readonly events: Events,
    private readonly bankDelayMs: number,
    private readonly now: () => number = Date.now,
  ) {}

  /** Attempts to pay a session. Throws Stripe's error when it is not open. */
  pay(checkout: Checkout, card: TestCard, payer: Payer): PaymentResult {
    this.expireIfDue(checkout);
    requireOpen(checkout.session);
    checkout.problem = null;
    const intent = this.intentOf(checkout);
    intent.payment_method = newId('pm_');
    if (card.outcome === 'authenticates') {
      checkout.pending = { card, payer };
      intent.status = 'requires_action';
      intent.next_action = { type: 'use_stripe_sdk' };
      return { kind: 'authenticate' };
    }
    return card.outcome === 'declines' ? this.decline(checkout, card, payer) : this.complete(checkout, card, payer);
  }

  /** Completes or fails 3-D Secure. */
  authenticate(checkout: Checkout, isConfirmed: boolean): PaymentResult {
    const { pending } = checkout;
    requireOpen(checkout.session);
    if (pending === null) throw invalidRequest('This session does not wait for authentication.');
    checkout.pending = null;
    const intent = this.intentOf(checkout);
    intent.next_action = null;
    if (isConfirmed) return this.complete(checkout, pending.card, pending.payer);
    this.fail(checkout, intent, NOT_AUTHENTICATED);
    this.events.publish([{ type: 'payment_intent.payment_failed', object: intent }]);
    return { kind: 'declined', problem: NOT_AUTHENTICATED };
  }

  /** Expires a session. Throws Stripe's error when it is not open. */
  expire(checkout: Checkout, request?: EventRequest): void {
    const { session } = checkout;
    if (session.status !== 'open') {
      throw invalidRequest(
        `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
      );
    }
    session.status = 'expired';
    session.url = null;
    checkout.pending = null;
    const intent = session.payment_intent === null ? undefined : this.store.intents.find(session.payment_intent);
    if (intent !== undefined) {
      intent.status = 'canceled';
      intent.canceled_at = seconds(this.now());
      intent.cancellation_reason = 'automatic';
    }
    this.events.publish([{ type: 'checkout.session.expired', object: session }], request);
  }

  expireIfDue(checkout: Checkout): void {
    const { status, expires_at: expiresAt } = checkout.session;
    if (status === 'open' && expiresAt <= seconds(this.now())) this.expire(checkout);
  }

  clear(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
  }

  private intentOf(checkout: Checkout): PaymentIntent {
    const { session, intentData } = checkout;
    const known = session.payment_intent === null ? undefined : this.store.intents.find(session.payment_intent);
    if (known !== undefined) return known;
    const draft = {
      ...intentData,
      amount: session.amount_total,
      currency: session.currency,
      paymentMethodTypes: session.payment_method_types,
    };
    const intent = this.store.intents.add(newPaymentIntent(draft, this.now()));
    session.payment_intent = intent.id;
    return intent;
  }

  private complete(checkout: Checkout, card: TestCard, payer: Payer): PaymentResult {
    const { session } = checkout;
    const intent = this.intentOf(checkout);
    const charge = this.charge(checkout, intent, card, payer, isBank(card) ? 'pending' : 'succeeded');
    session.status = 'complete';
    session.url = null;
    session.customer_details = customerDetails(payer.email, payer.name ?? payer.email);
    if (isBank(card)) {
      intent.status = 'processing';
      this.events.publish([{ type: 'checkout.session.completed', object: session }]);
      this.later(() => this.settle(checkout, intent, charge, card));
      return { kind: 'complete' };
    }
    session.payment_status = 'paid';
    this.events.publish([...this.succeed(intent, charge), { type: 'checkout.session.completed', object: session }]);
    return { kind: 'complete' };
  }

  private decline(checkout: Checkout, card: TestCard, payer: Payer): PaymentResult {
    const intent = this.intentOf(checkout);
    const charge = this.charge(checkout, intent, card, payer, 'failed');
    const problem: PaymentProblem = {
      type: 'card_error',
      code: 'card_declined',
      message: card.declineText ?? 'Your card was declined.',
      ...(card.declineCode === undefined ? {} : { decline_code: card.declineCode }),
    };
    this.fail(checkout, intent, problem);
    this.events.publish([
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
      this.events.publish([
        ...this.succeed(intent, charge),
        { type: 'checkout.session.async_payment_succeeded', object: session },
      ]);
      return;
    }
    charge.status = 'failed';
    charge.failure_code = 'insufficient_funds';
    charge.failure_message = BANK_REFUSED;
    this.fail(checkout, intent, { type: 'invalid_request_error', code: 'insufficient_funds', message: BANK_REFUSED });
    this.events.publish([
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

  private charge(
    { baseUrl }: Checkout,
    intent: PaymentIntent,
    card: TestCard,
    payer: Payer,
    status: Charge['status'],
  ): Charge {
    const charge = this.store.charges.add(newCharge({ intent, card, payer, baseUrl, status }, this.now()));
    intent.latest_charge = charge.id;
    return charge;
  }

  private later(work: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      work();
    }, this.bankDelayMs);
    this.timers.add(timer);
  }
}

function requireOpen({ status }: Session): void {
  if (status === 'complete') throw new StripeError(400, 'invalid_request_error', 'This session is already paid.');
  if (status === 'expired') throw new StripeError(400, 'invalid_request_error', 'This session has expired.');
}

const refundParams = z.strictObject({
  charge: z.string().optional(),
  payment_intent: z.string().optional(),
  amount: amount.pipe(z.number().min(1, 'This value must be greater than or equal to 1.')).optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  metadata: metadata.default({}),
  instructions_email: inert,
});

/** Refunds by the product and disputes by the buyer's bank. */
export class Reversals {
  constructor(
    private readonly store: StripeStore,
    private readonly events: Events,
    private readonly now: () => number = Date.now,
  ) {}

  refund(params: unknown, request: EventRequest): Refund {
    const given = readParams(refundParams, params);
    const charge = this.chargeOf(given.charge, given.payment_intent);
    const left = charge.amount - charge.amount_refunded;
    if (left === 0) {
      throw invalidRequest(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' });
    }
    if (charge.disputed) {
      throw invalidRequest(`Charge ${charge.id} has been charged back; cannot issue a refund.`, {
        code: 'charge_disputed',
      });
    }
    const taken = given.amount ?? left;
    if (taken > left) {
      throw invalidRequest(
        `Refund amount (${dollars(taken)}) is greater than unrefunded amount on charge (${dollars(left)})`,
        { param: 'amount' },
      );
    }
    const draft = { amount: taken, reason: given.reason ?? null, metadata: given.metadata };
    const refund = this.store.refunds.add(newRefund(charge, draft, this.now()));
    const previous = { amount_refunded: charge.amount_refunded, refunded: charge.refunded };
    charge.amount_refunded += taken;
    charge.refunded = charge.amount_refunded === charge.amount;
    this.events.publish([{ type: 'charge.refunded', object: charge, previous }], request);
    return refund;
  }

  /** Opens a dispute. */
  dispute(chargeId: string, reason: string): Dispute {
    const charge = this.store.charges.get(chargeId, 'charge');
    if (!charge.paid || charge.disputed) {
      throw invalidRequest(`Charge ${charge.id} is ${charge.disputed ? 'already disputed' : 'not paid'}.`);
    }
    charge.disputed = true;
    const dispute = this.store.disputes.add(newDispute(charge, reason, this.now()));
    this.events.publish([{ type: 'charge.dispute.created', object: dispute }]);
    return dispute;
  }

  /** Closes a dispute. */
  closeDispute(disputeId: string, outcome: DisputeOutcome): Dispute {
    const dispute = this.store.disputes.get(disputeId, 'dispute');
    const { status } = dispute;
    if (status !== 'needs_response') throw invalidRequest(`Dispute ${dispute.id} is already closed.`);
    dispute.status = outcome;
    this.events.publish([{ type: 'charge.dispute.closed', object: dispute, previous: { status } }]);
    return dispute;
  }

  private chargeOf(chargeId: string | undefined, intentId: string | undefined): Charge {
    if (chargeId !== undefined) {
      const charge = this.store.charges.get(chargeId, 'charge');
      if (!charge.paid) throw invalidRequest(`Charge ${charge.id} has no money to refund.`);
      return charge;
    }
    if (intentId === undefined) {
      throw invalidRequest(
        'One of the following params should be provided for this request: payment_intent or charge.',
      );
    }
    const intent = this.store.intents.get(intentId, 'payment_intent');
    const charge = intent.latest_charge === null ? undefined : this.store.charges.find(intent.latest_charge);
    if (charge === undefined || !charge.paid) {
      throw invalidRequest(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`, {
        code: 'payment_intent_unexpected_state',
      });
    }
    return charge;
  }
}

function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}
