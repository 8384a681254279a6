import type { Stripe } from 'stripe';
import type { CardSession } from '../../billing/card-payments.js';

/** Converts Stripe's checkout session (https://docs.stripe.com/api/checkout/sessions/object) to a {@link CardSession}. */
export function sessionOf(session: Stripe.Checkout.Session): CardSession {
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
