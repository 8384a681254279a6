import type Stripe from 'stripe';
import type { z } from 'zod';
import type { item, price, product } from './stripe-catalogue.js';
import type { charge } from './stripe-charge.js';
import type { checkoutSession } from './stripe-checkout-session.js';
import type { paymentIntent } from './stripe-payment-intent.js';
import type { dispute, refund } from './stripe-reversals.js';

type RequiredField<T> = { [Name in keyof T]-?: object extends Pick<T, Name> ? never : Name }[keyof T];

/** Fields that one side has and the other lacks: those of a table that the SDK does not know, those that the SDK counts on. */
type Apart<Table extends z.ZodType, Sdk> =
  Exclude<keyof z.output<Table>, keyof Sdk> | Exclude<RequiredField<Sdk>, RequiredField<z.output<Table>>>;

type Agreement<Differences extends Record<string, never>> = Differences;

/** The compiler refuses this when the installed SDK and a table no longer name the same fields: then the table is out of date. */
export type TablesAgreeWithSdk = Agreement<{
  charge: Apart<typeof charge, Stripe.Charge>;
  'checkout.session': Apart<typeof checkoutSession, Stripe.Checkout.Session>;
  dispute: Apart<typeof dispute, Stripe.Dispute>;
  item: Apart<typeof item, Stripe.LineItem>;
  payment_intent: Apart<typeof paymentIntent, Stripe.PaymentIntent>;
  price: Apart<typeof price, Stripe.Price>;
  product: Apart<typeof product, Stripe.Product>;
  refund: Apart<typeof refund, Stripe.Refund>;
}>;
