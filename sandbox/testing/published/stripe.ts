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
 * Lists the differences between an answer or event and Stripe's published schema. Checks every nested object against the
 * table of its type.
 */
export function stripeFaults(answer: unknown): string[] {
  if (typeof answer !== 'object' || answer === null) return [];
  if ('error' in answer) return describeIssues('error', error, answer);
  return [...ownFaults(answer), ...Object.values(answer).flatMap(stripeFaults)];
}

/** Lists the object types in an answer, so that a test can prove its coverage. */
export function kindsIn(answer: unknown): string[] {
  if (typeof answer !== 'object' || answer === null) return [];
  const kind = kindOf(answer);
  return [...(kind === undefined ? [] : [kind]), ...Object.values(answer).flatMap(kindsIn)];
}

function ownFaults(answer: object): string[] {
  const kind = kindOf(answer);
  if (kind === undefined) return [];
  const table = tables.get(kind);
  return table === undefined ? [`${kind}: no published object has this name`] : describeIssues(kind, table, answer);
}

// Inside an event, `object` holds the object itself, not the name of its type.
function kindOf(answer: object): string | undefined {
  return 'object' in answer && typeof answer.object === 'string' ? answer.object : undefined;
}

type RequiredField<T> = { [Name in keyof T]-?: object extends Pick<T, Name> ? never : Name }[keyof T];

/** Differences: fields of a table that the SDK does not know, and required fields of the SDK missing in the table. */
type Apart<Table extends z.ZodType, Sdk> =
  Exclude<keyof z.output<Table>, keyof Sdk> | Exclude<RequiredField<Sdk>, RequiredField<z.output<Table>>>;

type Agreement<Differences extends Record<string, never>> = Differences;

/** Fails to compile when a table and the installed SDK name different fields, i.e. the table is outdated. */
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
