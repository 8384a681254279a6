import { z } from 'zod';
import { type LineItem, newId, newLineItem, newPrice, newProduct, seconds } from './catalogue.js';
import type { PaymentProblem } from './payment-objects.js';
import type { TestCard } from './test-cards.js';
import { amount, currency, inert, integer, metadata, readParams, text, url } from './params.js';
import { invalidRequest } from './stripe-error.js';
import type { StripeStore } from './store.js';

type Metadata = Record<string, string>;

interface NewSession {
  readonly lineItems: readonly LineItem[];
  readonly currency: string;
  readonly successUrl: string;
  readonly cancelUrl: string | null;
  readonly clientReferenceId: string | null;
  readonly customerEmail: string | null;
  readonly expiresAt: number;
  readonly metadata: Metadata;
  readonly paymentMethodTypes: string[];
  readonly submitType: string | null;
  readonly locale: string | null;
  readonly baseUrl: string;
}

const ID_CHARACTERS = 58;

/** Creates a hosted Checkout Session in mode `payment` with all fields of Stripe's API description. */
function newSession(draft: NewSession, nowMs: number) {
  const id = newId('cs_test_a1', ID_CHARACTERS);
  const total = draft.lineItems.reduce((sum, item) => sum + item.amount_total, 0);
  return {
    id,
    object: 'checkout.session' as const,
    adaptive_pricing: { enabled: false },
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: null,
    amount_subtotal: total,
    amount_total: total,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: draft.cancelUrl,
    client_reference_id: draft.clientReferenceId,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: seconds(nowMs),
    currency: draft.currency,
    currency_conversion: null,
    custom_fields: [],
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    customer: null,
    customer_account: null,
    customer_creation: 'if_required' as const,
    customer_details: draft.customerEmail === null ? null : customerDetails(draft.customerEmail, null),
    customer_email: draft.customerEmail,
    discounts: [],
    expires_at: draft.expiresAt,
    integration_identifier: null,
    invoice: null,
    invoice_creation: {
      enabled: false,
      invoice_data: {
        account_tax_ids: null,
        custom_fields: null,
        description: null,
        footer: null,
        issuer: null,
        metadata: {},
        rendering_options: null,
      },
    },
    livemode: false,
    locale: draft.locale,
    managed_payments: null,
    metadata: draft.metadata,
    mode: 'payment' as const,
    origin_context: null,
    payment_intent: null as string | null,
    payment_link: null,
    payment_method_collection: 'if_required' as const,
    payment_method_configuration_details: null,
    payment_method_options: { card: { request_three_d_secure: 'automatic' } },
    payment_method_types: draft.paymentMethodTypes,
    payment_status: 'unpaid' as 'unpaid' | 'paid',
    permissions: null,
    phone_number_collection: { enabled: false },
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open' as 'open' | 'complete' | 'expired',
    submit_type: draft.submitType,
    subscription: null,
    success_url: draft.successUrl,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page' as const,
    url: `${draft.baseUrl}/checkout/${id}` as string | null,
    wallet_options: null,
  };
}
export type Session = ReturnType<typeof newSession>;

/** The customer details from the page. */
export function customerDetails(email: string, name: string | null) {
  return {
    address:
      name === null ? null : { city: null, country: 'US', line1: null, line2: null, postal_code: '10001', state: null },
    business_name: null,
    email,
    individual_name: null,
    name,
    phone: null,
    tax_exempt: 'none' as const,
    tax_ids: name === null ? null : [],
  };
}

/** A session with its internal state. */
export interface Checkout {
  readonly id: string;
  readonly session: Session;
  readonly lineItems: readonly LineItem[];
  readonly baseUrl: string;
  readonly intentData: {
    readonly metadata: Metadata;
    readonly description: string | null;
    readonly receiptEmail: string | null;
  };
  /** The payment that waits for 3-D Secure. */
  pending: { readonly card: TestCard; readonly payer: Payer } | null;
  /** Why the last attempt failed. */
  problem: PaymentProblem | null;
}

export interface Payer {
  readonly email: string;
  readonly name: string | null;
}

/** The redirect after payment, with the session's id in place of its placeholder. */
export function successUrlOf({ id, success_url: successUrl }: Session): string {
  return successUrl.replaceAll('{CHECKOUT_SESSION_ID}', id);
}

const LIFE_SECONDS = 86_400;
const LIFE_SECONDS_MIN = 1_800;
const LINE_ITEMS_MAX = 100;
/** Stripe's minimum of half a dollar. */
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

/** Creates a session from API parameters. `baseUrl` is the sandbox's URL for the buyer's browser. Throws StripeError. */
export function createSession(params: unknown, store: StripeStore, baseUrl: string, nowMs: number): Checkout {
  const given = readParams(createParams, params);
  if (given.mode !== 'payment') {
    throw invalidRequest(`The sandbox supports only mode payment, not ${given.mode}`, { param: 'mode' });
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
  // Stripe makes prices from `price_data` inactive.
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
