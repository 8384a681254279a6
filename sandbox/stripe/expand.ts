import { invalidRequest } from './stripe-error.js';
import type { StripeStore } from './stripe-store.js';

const DEPTH_MAX = 4;
type Resource = Record<string, unknown>;

/** Puts whole objects where ids stand, along paths such as `payment_intent.latest_charge` or, in a list, `data.charge`. */
export function expand(resource: object, paths: readonly string[], store: StripeStore): object {
  const copy = structuredClone(resource) as Resource;
  for (const path of paths) {
    const names = path.split('.');
    if (names.length > DEPTH_MAX) throw invalidRequest(`You cannot expand more than ${DEPTH_MAX} levels: ${path}`);
    expandInto(copy, names, path, store);
  }
  return copy;
}

function expandInto(
  resource: Resource,
  [name = '', ...rest]: readonly string[],
  path: string,
  store: StripeStore,
): void {
  if (resource['object'] === 'list' && name === 'data') {
    for (const item of resource['data'] as Resource[]) expandInto(item, rest, path, store);
    return;
  }
  const value = resource[name] ?? null;
  if (typeof value === 'object' && value !== null) {
    expandInto(value as Resource, rest, path, store);
    return;
  }
  const found = load(resource, name, value, store);
  if (found === undefined) throw invalidRequest(`This property cannot be expanded (${path}).`, { param: 'expand' });
  if (found === null) return;
  const copy = structuredClone(found) as Resource;
  resource[name] = copy;
  if (rest.length > 0) expandInto(copy, rest, path, store);
}

/** The object behind a property: null if it has none at present, undefined if the property is not expandable. */
function load(resource: Resource, name: string, value: unknown, store: StripeStore): object | null | undefined {
  const id = typeof value === 'string' ? value : '';
  const at = `${String(resource['object'])}.${name}`;
  if (at === 'checkout.session.line_items') return lineItems(String(resource['id']), store);
  if (at === 'charge.refunds') return refundsOf(String(resource['id']), store);
  if (name === 'payment_intent') return store.intents.find(id) ?? null;
  if (name === 'latest_charge' || name === 'charge') return store.charges.find(id) ?? null;
  if (at === 'price.product') return store.products.find(id) ?? null;
  // Nothing of these kinds is made here, so they are null and stay so.
  return ['customer', 'invoice', 'setup_intent', 'subscription'].includes(name) ? null : undefined;
}

/** Stripe's list of what a session sells. */
export function lineItems(sessionId: string, store: StripeStore): object {
  const { lineItems: items } = store.checkouts.get(sessionId);
  return { object: 'list', data: items, has_more: false, url: `/v1/checkout/sessions/${sessionId}/line_items` };
}

function refundsOf(chargeId: string, store: StripeStore): object {
  const query = { limit: 10 };
  return store.refunds.list(`/v1/charges/${chargeId}/refunds`, query, ({ charge }) => charge === chargeId);
}
