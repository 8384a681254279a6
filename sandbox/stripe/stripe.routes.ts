import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { newPrice, newProduct } from './catalogue.js';
import { createSession } from './sessions.js';
import { lineItems, StripeApi, type StripeApiParts } from './stripe-api.js';
import { Kept } from './store.js';
import { amount, currency, flag, inert, list, metadata, readParams, text } from './params.js';
import type { Payments, Reversals } from './payments.js';

interface StripeParts extends StripeApiParts {
  readonly payments: Payments;
  readonly reversals: Reversals;
  /** Base URL of the hosted pages for browsers; null uses the host of the API call. */
  readonly publicUrl: string | null;
}

const nothing = z.strictObject({});
const productParams = z.strictObject({
  id: z.string().optional(),
  name: text.min(1),
  description: text.optional(),
  active: flag.optional(),
  metadata: metadata.optional(),
  images: inert,
  tax_code: inert,
  url: inert,
});
const priceParams = z.strictObject({
  product: z.string().optional(),
  product_data: z.strictObject({ name: text.min(1), metadata: metadata.optional() }).optional(),
  currency,
  unit_amount: amount,
  nickname: text.optional(),
  lookup_key: z.string().max(200).optional(),
  active: flag.optional(),
  metadata: metadata.optional(),
  tax_behavior: inert,
});
const listParams = z.strictObject(list);

/** Stripe's API for one-time payments with Checkout, under /v1. */
export function stripeRoutes(parts: StripeParts) {
  const { store, events, payments, reversals, publicUrl } = parts;
  return async (app: FastifyInstance): Promise<void> => {
    const api = new StripeApi(app, parts);
    /** Registers list and retrieve; a list can be filtered by these fields. */
    const readable = <T extends { readonly id: string }>(
      path: string,
      kept: Kept<T>,
      filters: (keyof T & string)[],
    ) => {
      const query = z.strictObject({
        ...list,
        ...Object.fromEntries(filters.map((name) => [name, z.string().optional()])),
      });
      api.get(path, ({ params }) => {
        const given = readParams(query, params);
        const wanted = filters.flatMap((name) => (params[name] === undefined ? [] : [[name, params[name]] as const]));
        return kept.list(`/v1${path}`, given, (item) => wanted.every(([name, value]) => String(item[name]) === value));
      });
      api.get(`${path}/:id`, ({ id, params }) => {
        readParams(nothing, params);
        return kept.get(id);
      });
    };

    api.post('/checkout/sessions', ({ params, baseUrl }) => {
      return createSession(params, store, publicUrl ?? baseUrl, Date.now()).session;
    });
    api.get('/checkout/sessions', ({ params }) => {
      const { payment_intent: intent, ...page } = readParams(
        listParams.extend({ payment_intent: z.string().optional() }),
        params,
      );
      const isWanted = (id: string | null) => intent === undefined || id === intent;
      const { data, ...rest } = store.checkouts.list('/v1/checkout/sessions', page, ({ session }) =>
        isWanted(session.payment_intent),
      );
      return { ...rest, data: data.map(({ session }) => session) };
    });
    api.get('/checkout/sessions/:id', ({ id, params }) => {
      readParams(nothing, params);
      const checkout = store.checkouts.get(id);
      payments.expireIfDue(checkout);
      return checkout.session;
    });
    api.get('/checkout/sessions/:id/line_items', ({ id, params }) => {
      readParams(listParams, params);
      return lineItems(id, store);
    });
    api.post('/checkout/sessions/:id/expire', ({ id, params, caller }) => {
      readParams(nothing, params);
      const checkout = store.checkouts.get(id);
      payments.expire(checkout, caller);
      return checkout.session;
    });

    api.post('/products', ({ params }) =>
      store.products.add(newProduct(readParams(productParams, params), Date.now())),
    );
    api.post('/prices', ({ params }) => {
      const { product, product_data: data, ...price } = readParams(priceParams, params);
      const owner =
        data === undefined
          ? store.products.get(product ?? '', 'product')
          : store.products.add(newProduct(data, Date.now()));
      return store.prices.add(newPrice({ ...price, product: owner.id }, Date.now()));
    });
    api.post('/refunds', ({ params, caller }) => reversals.refund(params, caller));

    readable('/products', store.products, ['active']);
    readable('/prices', store.prices, ['active', 'product', 'currency']);
    readable('/payment_intents', store.intents, []);
    readable('/charges', store.charges, ['payment_intent']);
    readable('/refunds', store.refunds, ['charge', 'payment_intent']);
    readable('/disputes', store.disputes, ['charge', 'payment_intent']);
    readable('/events', events.kept, ['type']);
  };
}
