import type { Stripe } from 'stripe';
import type { CardSession } from '../../billing/card-payments.js';

/** Stripe's checkout session (https://docs.stripe.com/api/checkout/sessions/object) in our terms. */
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

/** Stripe names an object by its id, or shows it whole when asked to. */
export function idOf(reference: string | { id: string } | null): string | null {
  return typeof reference === 'string' ? reference : (reference?.id ?? null);
}

function stateOf({ payment_status: payment, status }: Stripe.Checkout.Session): CardSession['state'] {
  if (payment === 'paid') return 'paid';
  return status === 'expired' ? 'failed' : 'open';
}
