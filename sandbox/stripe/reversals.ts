import { z } from 'zod';
import type { EventRequest } from './event.js';
import type { Events } from './events.js';
import { amount, inert, metadata, readParams } from './params.js';
import type { Charge } from './payment.js';
import { newDispute, newRefund, type Dispute, type DisputeOutcome, type Refund } from './reversal.js';
import { invalidRequest } from './stripe-error.js';
import type { StripeStore } from './stripe-store.js';

const refundParams = z.strictObject({
  charge: z.string().optional(),
  payment_intent: z.string().optional(),
  amount: amount.pipe(z.number().min(1, 'This value must be greater than or equal to 1.')).optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  metadata: metadata.default({}),
  instructions_email: inert,
});

/** Money that goes back: refunds by the product, disputes by the buyer's bank. */
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

  /** What a cardholder's bank does. */
  dispute(chargeId: string, reason: string): Dispute {
    const charge = this.store.charges.get(chargeId, 'charge');
    if (!charge.paid || charge.disputed) {
      throw invalidRequest(`Charge ${charge.id} is ${charge.disputed ? 'disputed already' : 'not paid'}.`);
    }
    charge.disputed = true;
    const dispute = this.store.disputes.add(newDispute(charge, reason, this.now()));
    this.events.publish([{ type: 'charge.dispute.created', object: dispute }]);
    return dispute;
  }

  /** What the bank decides in the end. */
  closeDispute(disputeId: string, outcome: DisputeOutcome): Dispute {
    const dispute = this.store.disputes.get(disputeId, 'dispute');
    const { status } = dispute;
    if (status !== 'needs_response') throw invalidRequest(`Dispute ${dispute.id} is closed already.`);
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
