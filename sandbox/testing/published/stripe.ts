import type { z } from 'zod';
import { describeIssues } from './issues.js';
import { item, price, product } from './stripe-catalogue.js';
import { charge } from './stripe-charge.js';
import { checkoutSession } from './stripe-checkout-session.js';
import { error, list } from './stripe-envelopes.js';
import { event } from './stripe-event.js';
import { paymentIntent } from './stripe-payment-intent.js';
import { dispute, refund } from './stripe-reversals.js';

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
