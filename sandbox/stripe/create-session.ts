import { z } from 'zod';
import { newLineItem, newPrice, newProduct, type LineItem } from './catalogue.js';
import { seconds } from './ids.js';
import { amount, currency, inert, integer, metadata, readParams, text, url } from './params.js';
import { newSession, type Checkout } from './session.js';
import { invalidRequest } from './stripe-error.js';
import type { StripeStore } from './stripe-store.js';

const LIFE_SECONDS = 86_400;
const LIFE_SECONDS_MIN = 1_800;
const LINE_ITEMS_MAX = 100;
/** Stripe takes no less than half a dollar. */
const TOTAL_CENTS_MIN = 50;

const priceData = z.strictObject({
  currency,
  unit_amount: amount,
  product: z.string().optional(),
  product_data: z
    .strictObject({
      name: text.min(1),
      description: text.optional(),
      metadata: metadata.optional(),
      images: inert,
      tax_code: inert,
    })
    .optional(),
  tax_behavior: inert,
});

const createParams = z.strictObject({
  mode: z.string().default('payment'),
  line_items: z
    .array(
      z.strictObject({
        price: z.string().optional(),
        price_data: priceData.optional(),
        quantity: integer.pipe(z.number().min(1).max(999_999)).default(1),
        adjustable_quantity: inert,
        metadata: inert,
      }),
    )
    .min(1)
    .max(LINE_ITEMS_MAX),
  success_url: url,
  cancel_url: url.optional(),
  client_reference_id: z.string().max(200).optional(),
  customer_email: z
    .string()
    .max(800)
    .regex(/^[^\s@]+@[^\s@]+$/, 'Invalid email address')
    .optional(),
  expires_at: integer.optional(),
  metadata: metadata.default({}),
  payment_intent_data: z
    .strictObject({
      metadata: metadata.default({}),
      description: text.optional(),
      receipt_email: text.optional(),
      statement_descriptor: inert,
      statement_descriptor_suffix: inert,
      setup_future_usage: inert,
      capture_method: inert,
    })
    .default({ metadata: {} }),
  payment_method_types: z
    .array(z.enum(['card', 'us_bank_account']))
    .min(1)
    .optional(),
  submit_type: z.enum(['auto', 'book', 'donate', 'pay', 'subscribe']).optional(),
  locale: z.string().optional(),
  ui_mode: z.literal('hosted_page').optional(),
  allow_promotion_codes: inert,
  adaptive_pricing: inert,
  automatic_tax: inert,
  billing_address_collection: inert,
  branding_settings: inert,
  consent_collection: inert,
  custom_text: inert,
  customer_creation: inert,
  invoice_creation: inert,
  payment_method_options: inert,
  phone_number_collection: inert,
});

/** Creates a session in mode `payment` from the parameters of the API. `baseUrl` is where the buyer's browser finds the page. */
export function createSession(params: unknown, store: StripeStore, baseUrl: string, nowMs: number): Checkout {
  const given = readParams(createParams, params);
  if (given.mode !== 'payment') {
    throw invalidRequest(`This sandbox has no mode but payment; it was asked for: ${given.mode}`, { param: 'mode' });
  }
  const lineItems = given.line_items.map((item, index) => lineItemOf(item, `line_items[${index}]`, store, nowMs));
  const code = lineItems[0]?.currency ?? 'usd';
  if (lineItems.some(({ currency: other }) => other !== code)) {
    throw invalidRequest('All line items in a Checkout Session must have the same currency.', { param: 'line_items' });
  }
  const session = newSession(
    {
      lineItems,
      currency: code,
      successUrl: given.success_url,
      cancelUrl: given.cancel_url ?? null,
      clientReferenceId: given.client_reference_id ?? null,
      customerEmail: given.customer_email ?? null,
      expiresAt: expiryOf(given.expires_at, nowMs),
      metadata: given.metadata,
      paymentMethodTypes: given.payment_method_types ?? ['card', 'us_bank_account'],
      submitType: given.submit_type ?? null,
      locale: given.locale ?? null,
      baseUrl,
    },
    nowMs,
  );
  if (session.amount_total < TOTAL_CENTS_MIN) {
    throw invalidRequest("The Checkout Session's total amount due must add up to at least $0.50 usd", {
      code: 'amount_too_small',
    });
  }
  const { metadata: pairs, description, receipt_email: receiptEmail } = given.payment_intent_data;
  return store.checkouts.add({
    id: session.id,
    session,
    lineItems,
    baseUrl,
    intentData: { metadata: pairs, description: description ?? null, receiptEmail: receiptEmail ?? null },
    pending: null,
    problem: null,
  });
}

type GivenItem = z.output<typeof createParams>['line_items'][number];

function lineItemOf(item: GivenItem, param: string, store: StripeStore, nowMs: number): LineItem {
  if (item.price !== undefined && item.price_data !== undefined) {
    throw invalidRequest('You may only specify one of these parameters: price, price_data.', { param });
  }
  if (item.price !== undefined) {
    const price = store.prices.get(item.price, `${param}[price]`);
    if (!price.active) throw invalidRequest('The price specified is inactive. This field only accepts active prices.');
    return newLineItem(price, store.products.get(price.product), item.quantity);
  }
  const made = item.price_data;
  if (made === undefined) {
    const missing = `${param}[price]`;
    throw invalidRequest(`Missing required param: ${missing}.`, { code: 'parameter_missing', param: missing });
  }
  const product =
    made.product_data === undefined
      ? store.products.get(made.product ?? '', `${param}[price_data][product]`)
      : store.products.add(newProduct(made.product_data, nowMs));
  // Stripe keeps a price that was made for one session as inactive, so that nobody else finds it.
  const draft = { product: product.id, currency: made.currency, unit_amount: made.unit_amount, active: false };
  return newLineItem(store.prices.add(newPrice(draft, nowMs)), product, item.quantity);
}

function expiryOf(given: number | undefined, nowMs: number): number {
  const now = seconds(nowMs);
  if (given === undefined) return now + LIFE_SECONDS;
  if (given < now + LIFE_SECONDS_MIN || given > now + LIFE_SECONDS) {
    throw invalidRequest(
      'The `expires_at` timestamp must be at least 30 minutes and at most 24 hours from Checkout Session creation.',
      { param: 'expires_at' },
    );
  }
  return given;
}
