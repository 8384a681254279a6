import type { z } from 'zod';
import type Stripe from 'stripe';
import { describeIssues } from './kinds.js';
import { checkoutSession, error, event, item, list, price, product } from './stripe-checkout.js';
import { charge, dispute, paymentIntent, refund } from './stripe-payments.js';

const tables: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ['charge', charge],
  ['checkout.session', checkoutSession],
  ['dispute', dispute],
  ['event', event],
  ['item', item],
  ['list', list],
  ['payment_intent', paymentIntent],
  ['price', price],
  ['product', product],
  ['refund', refund],
]);

/**
 * Where an answer or an event of Stripe's differs from what Stripe has published: every object in it, however deep, against
 * the table of its kind.
 */
export function stripeFaults(answer: unknown): string[] {
  if (typeof answer !== 'object' || answer === null) return [];
  if ('error' in answer) return describeIssues('error', error, answer);
  return [...ownFaults(answer), ...Object.values(answer).flatMap(stripeFaults)];
}

/** The kinds of objects in an answer, so that a test can tell what it has looked at. */
export function kindsIn(answer: unknown): string[] {
  if (typeof answer !== 'object' || answer === null) return [];
  const kind = kindOf(answer);
  return [...(kind === undefined ? [] : [kind]), ...Object.values(answer).flatMap(kindsIn)];
}

function ownFaults(answer: object): string[] {
  const kind = kindOf(answer);
  if (kind === undefined) return [];
  const table = tables.get(kind);
  return table === undefined ? [`${kind}: no published object is called so`] : describeIssues(kind, table, answer);
}

// What is inside an event stands under the name `object` too: that one is an object, not the name of its kind.
function kindOf(answer: object): string | undefined {
  return 'object' in answer && typeof answer.object === 'string' ? answer.object : undefined;
}

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
