import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';
import type { TestCard } from './test-cards.js';

// Stripe's objects with the fields that vary in one-time payments. `satisfies` checks names and
// types against the SDK.

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Creates a Stripe id: a prefix such as `pi_`, then letters and digits. */
export function newId(prefix: string, characters = 24): string {
  let id = prefix;
  for (const byte of randomBytes(characters)) id += LETTERS[byte % LETTERS.length];
  return id;
}

/** The current time in Stripe's seconds since 1970. */
export function seconds(): number {
  return Math.floor(Date.now() / 1000);
}

/** Creates a one-time price in US cents. */
export function newPrice(id: string, cents: number) {
  return {
    id,
    object: 'price' as const,
    active: true,
    billing_scheme: 'per_unit' as const,
    created: seconds(),
    currency: 'usd',
    livemode: false,
    metadata: {},
    product: id.replace(/^price_|^/, 'prod_'),
    type: 'one_time' as const,
    unit_amount: cents,
  } satisfies Partial<Stripe.Price>;
}
export type Price = ReturnType<typeof newPrice>;

/** Name of the product of a price: `Starter` for `price_starter`. */
export function nameOf({ product }: Price): string {
  const words = product.replace(/^prod_/, '').replace(/[_-]+/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

interface NewSession {
  /** Null when the session saves a card. */
  readonly total: number | null;
  readonly baseUrl: string;
  readonly success_url: string;
  readonly cancel_url: string | null;
  readonly client_reference_id: string | null;
  readonly customer: string | null;
  readonly customer_email: string | null;
  readonly metadata: Record<string, string>;
  readonly payment_method_types: string[];
}

const SESSION_ID_CHARACTERS = 58;
/** Stripe's default lifetime of a session. */
export const SESSION_SECONDS = 86_400;

/**
 * Creates a hosted Checkout Session: in mode `payment`, or without a total in mode `setup`, which
 * saves a card.
 */
export function newSession({ total, baseUrl, ...given }: NewSession) {
  const id = newId('cs_test_a1', SESSION_ID_CHARACTERS);
  return {
    ...given,
    id,
    object: 'checkout.session' as const,
    amount_subtotal: total,
    amount_total: total,
    created: seconds(),
    currency: 'usd',
    customer_details: null as ReturnType<typeof customerDetails> | null,
    expires_at: seconds() + SESSION_SECONDS,
    livemode: false,
    mode: total === null ? ('setup' as const) : ('payment' as const),
    payment_intent: null as string | null,
    payment_status: (total === null ? 'no_payment_required' : 'unpaid') as Stripe.Checkout.Session.PaymentStatus,
    setup_intent: null as string | null,
    status: 'open' as 'open' | 'complete' | 'expired',
    ui_mode: 'hosted_page' as const,
    url: `${baseUrl}/checkout/${id}` as string | null,
  } satisfies Partial<Stripe.Checkout.Session>;
}
export type Session = ReturnType<typeof newSession>;

/** The buyer, from the page. */
export interface Payer {
  readonly email: string;
  readonly name: string;
}

export function customerDetails({ email, name }: Payer) {
  return {
    address: null,
    business_name: null,
    email,
    individual_name: null,
    name,
    phone: null,
    tax_exempt: null,
    tax_ids: null,
  } satisfies Stripe.Checkout.Session.CustomerDetails;
}

/** Address where the payer authenticates. */
interface NextAction {
  readonly type: 'redirect_to_url';
  readonly redirect_to_url: { readonly url: string; readonly return_url: string };
}

/** The last payment error of a PaymentIntent. */
export interface PaymentProblem {
  readonly type: 'card_error' | 'invalid_request_error';
  readonly code: string;
  readonly message: string;
  readonly decline_code?: string;
  readonly payment_method?: PaymentMethod;
}

/** Creates a Customer, whose cards can be saved. */
export function newCustomer(given: { email: string | null; name: string | null; metadata: Record<string, string> }) {
  const fixed = { object: 'customer' as const, created: seconds(), description: null, livemode: false };
  return { ...given, ...fixed, id: newId('cus_', 14) } satisfies Partial<Stripe.Customer>;
}
export type Customer = ReturnType<typeof newCustomer>;

export function newPaymentMethod(card: TestCard, customer: string) {
  return {
    id: newId('pm_'),
    object: 'payment_method' as const,
    card: { brand: 'visa', exp_month: 12, exp_year: 2034, last4: card.number.slice(-4) },
    created: seconds(),
    customer: customer as string | null,
    livemode: false,
    metadata: {},
    type: 'card' as const,
  };
}
export type PaymentMethod = ReturnType<typeof newPaymentMethod>;

/** Creates the SetupIntent of a session that has saved a card. */
export function newSetupIntent(customer: string | null, paymentMethod: string) {
  return {
    id: newId('seti_'),
    object: 'setup_intent' as const,
    created: seconds(),
    customer,
    livemode: false,
    metadata: {},
    payment_method: paymentMethod,
    status: 'succeeded' as const,
    usage: 'off_session',
  } satisfies Partial<Stripe.SetupIntent>;
}
export type SetupIntent = ReturnType<typeof newSetupIntent>;

interface NewPaymentIntent {
  readonly amount: number;
  readonly currency: string;
  readonly payment_method_types: string[];
  readonly customer?: string | null;
  readonly description?: string | null;
  readonly metadata?: Record<string, string>;
}

export function newPaymentIntent(given: NewPaymentIntent) {
  const { amount, currency, payment_method_types, customer = null, description = null, metadata = {} } = given;
  return {
    id: newId('pi_'),
    object: 'payment_intent' as const,
    amount,
    amount_received: 0,
    created: seconds(),
    currency,
    customer,
    description,
    last_payment_error: null as PaymentProblem | null,
    latest_charge: null as string | null,
    livemode: false,
    metadata,
    next_action: null as NextAction | null,
    payment_method: null as string | null,
    payment_method_types,
    status: 'requires_payment_method' as Stripe.PaymentIntent.Status,
  } satisfies Partial<Omit<Stripe.PaymentIntent, 'last_payment_error'>> & { last_payment_error: unknown };
}
export type PaymentIntent = ReturnType<typeof newPaymentIntent>;

/** Creates a Charge: one attempt to collect a PaymentIntent. */
export function newCharge(intent: PaymentIntent, card: TestCard, status: Stripe.Charge.Status, baseUrl: string) {
  const id = newId(card.isBank ? 'py_' : 'ch_');
  const isFailed = status === 'failed';
  return {
    id,
    object: 'charge' as const,
    amount: intent.amount,
    amount_captured: isFailed ? 0 : intent.amount,
    amount_refunded: 0,
    captured: !isFailed,
    created: seconds(),
    currency: intent.currency,
    disputed: false as boolean,
    failure_code: isFailed ? 'card_declined' : (null as string | null),
    failure_message: isFailed ? card.declined.text : (null as string | null),
    livemode: false,
    metadata: {},
    paid: status === 'succeeded',
    payment_intent: intent.id,
    payment_method: intent.payment_method,
    receipt_url: isFailed ? null : `${baseUrl}/checkout/receipts/${id}`,
    refunded: false as boolean,
    status,
  } satisfies Partial<Stripe.Charge>;
}
export type Charge = ReturnType<typeof newCharge>;

/** States of a refund whose money comes back. */
export const refundOutcomes = ['failed', 'canceled'] as const;
export type RefundOutcome = (typeof refundOutcomes)[number];

/** Creates a Refund that succeeds at once. */
export function newRefund(charge: Charge, amount: number, reason: Stripe.Refund.Reason | null) {
  return {
    id: newId('re_'),
    object: 'refund' as const,
    amount,
    charge: charge.id,
    created: seconds(),
    currency: charge.currency,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason,
    status: 'succeeded' as RefundOutcome | 'succeeded',
  } satisfies Partial<Stripe.Refund>;
}
export type Refund = ReturnType<typeof newRefund>;

/** Final states of a dispute. An inquiry ends as `warning_closed`. */
export const disputeOutcomes = ['won', 'lost', 'warning_closed'] as const;
export type DisputeOutcome = (typeof disputeOutcomes)[number];

/** Creates an open Dispute. */
export function newDispute(charge: Charge, reason: string) {
  return {
    id: newId('dp_'),
    object: 'dispute' as const,
    amount: charge.amount,
    charge: charge.id,
    created: seconds(),
    currency: charge.currency,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason,
    status: 'needs_response' as DisputeOutcome | 'needs_response',
  } satisfies Partial<Stripe.Dispute>;
}
export type Dispute = ReturnType<typeof newDispute>;

type EventObject = Session | PaymentIntent | Charge | Refund | Dispute;

type EventType = Extract<
  Stripe.Event['type'],
  | 'charge.dispute.closed'
  | 'charge.dispute.created'
  | 'charge.failed'
  | 'charge.refund.updated'
  | 'charge.refunded'
  | 'charge.succeeded'
  | 'checkout.session.async_payment_failed'
  | 'checkout.session.async_payment_succeeded'
  | 'checkout.session.completed'
  | 'checkout.session.expired'
  | 'payment_intent.canceled'
  | 'payment_intent.payment_failed'
  | 'payment_intent.requires_action'
  | 'payment_intent.succeeded'
  | 'refund.created'
  | 'refund.failed'
  | 'refund.updated'
>;

export interface NewEvent {
  readonly type: EventType;
  readonly object: EventObject;
  readonly previous?: object;
}

/** Creates an Event with a copy of its object. */
export function newEvent({ type, object, previous }: NewEvent, apiVersion: string) {
  return {
    id: newId('evt_'),
    object: 'event' as const,
    api_version: apiVersion,
    created: seconds(),
    data: {
      object: structuredClone(object),
      ...(previous === undefined ? {} : { previous_attributes: previous }),
    },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  };
}
export type StripeEvent = ReturnType<typeof newEvent>;
