import { z } from 'zod';
import {
  currency,
  decimal,
  empty,
  expandable,
  idOf,
  instant,
  metadata,
  nothing,
  object,
  text,
  thing,
  whole,
  yesOrNo,
} from './kinds.js';

// The Checkout Session of Stripe's API 2026-10-28.endive, as its SDK 23.1.0 describes it.

export const checkoutSession = z.strictObject({
  id: idOf('cs_test_'),
  object: z.literal('checkout.session'),
  adaptive_pricing: z.strictObject({ enabled: yesOrNo }).nullable(),
  after_expiration: nothing,
  allow_promotion_codes: yesOrNo.nullable(),
  allowed_payment_method_types: nothing,
  amount_subtotal: whole.nullable(),
  amount_total: whole.nullable(),
  automatic_tax: z.strictObject({
    enabled: yesOrNo,
    liability: nothing,
    provider: text.nullable(),
    status: z.enum(['complete', 'failed', 'requires_location_inputs']).nullable(),
  }),
  billing_address_collection: z.enum(['auto', 'required']).nullable(),
  cancel_url: z.url().nullable(),
  client_reference_id: text.nullable(),
  client_secret: text.nullable(),
  collected_information: nothing,
  consent: nothing,
  consent_collection: nothing,
  created: instant,
  currency: currency.nullable(),
  currency_conversion: nothing,
  custom_fields: empty,
  custom_text: z.strictObject({
    after_submit: nothing,
    shipping_address: nothing,
    submit: nothing,
    terms_of_service_acceptance: nothing,
  }),
  customer: expandable('customer').nullable(),
  customer_account: text.nullable(),
  customer_creation: z.enum(['always', 'if_required']).nullable(),
  customer_details: z
    .strictObject({
      address: z
        .strictObject({
          city: text.nullable(),
          country: text.nullable(),
          line1: text.nullable(),
          line2: text.nullable(),
          postal_code: text.nullable(),
          state: text.nullable(),
        })
        .nullable(),
      business_name: text.nullable(),
      email: z.email().nullable(),
      individual_name: text.nullable(),
      name: text.nullable(),
      phone: text.nullable(),
      tax_exempt: z.enum(['none', 'exempt', 'reverse']).nullable(),
      tax_ids: empty.nullable(),
    })
    .nullable(),
  customer_email: z.email().nullable(),
  discounts: empty.nullable(),
  expires_at: instant,
  integration_identifier: text.nullable(),
  invoice: expandable('invoice').nullable(),
  invoice_creation: z
    .strictObject({
      enabled: yesOrNo,
      invoice_data: z.strictObject({
        account_tax_ids: nothing,
        custom_fields: nothing,
        description: text.nullable(),
        footer: text.nullable(),
        issuer: nothing,
        metadata: metadata.nullable(),
        rendering_options: nothing,
      }),
    })
    .nullable(),
  line_items: object('list').optional(),
  livemode: yesOrNo,
  locale: text.nullable(),
  managed_payments: nothing,
  metadata: metadata.nullable(),
  mode: z.enum(['payment', 'setup', 'subscription']),
  origin_context: z.enum(['mobile_app', 'web']).nullable(),
  payment_intent: expandable('payment_intent').nullable(),
  payment_link: expandable('payment_link').nullable(),
  payment_method_collection: z.enum(['always', 'if_required']).nullable(),
  payment_method_configuration_details: nothing,
  payment_method_options: z
    .strictObject({
      card: z
        .strictObject({
          capture_method: z.enum(['manual']).optional(),
          request_extended_authorization: z.enum(['if_available', 'never']).optional(),
          request_incremental_authorization: z.enum(['if_available', 'never']).optional(),
          request_multicapture: z.enum(['if_available', 'never']).optional(),
          request_overcapture: z.enum(['if_available', 'never']).optional(),
          request_three_d_secure: z.enum(['automatic', 'any', 'challenge']),
          setup_future_usage: z.enum(['none', 'off_session', 'on_session']).optional(),
          statement_descriptor_suffix_kana: text.optional(),
          statement_descriptor_suffix_kanji: text.optional(),
        })
        .optional(),
    })
    .nullable(),
  payment_method_types: z.array(text),
  payment_status: z.enum(['no_payment_required', 'paid', 'unpaid']),
  permissions: nothing,
  phone_number_collection: z.strictObject({ enabled: yesOrNo }).optional(),
  recovered_from: text.nullable(),
  redirect_on_completion: z.enum(['always', 'if_required', 'never']).optional(),
  return_url: text.optional(),
  saved_payment_method_options: nothing,
  setup_intent: expandable('setup_intent').nullable(),
  shipping_address_collection: nothing,
  shipping_cost: nothing,
  shipping_options: empty,
  status: z.enum(['complete', 'expired', 'open']).nullable(),
  submit_type: z.enum(['auto', 'book', 'donate', 'pay', 'subscribe']).nullable(),
  subscription: expandable('subscription').nullable(),
  success_url: z.url().nullable(),
  total_details: z
    .strictObject({ amount_discount: whole, amount_shipping: whole.nullable(), amount_tax: whole })
    .nullable(),
  ui_mode: z.enum(['elements', 'embedded_page', 'form', 'hosted_page']).nullable(),
  url: z.url().nullable(),
  wallet_options: nothing,
});

// Product, Price and LineItem of Stripe's API 2026-10-28.endive, as its SDK 23.1.0 describes it.

export const product = z.strictObject({
  id: idOf('prod_'),
  object: z.literal('product'),
  active: yesOrNo,
  created: instant,
  default_price: expandable('price').nullable().optional(),
  description: text.nullable(),
  images: empty,
  livemode: yesOrNo,
  marketing_features: empty,
  metadata,
  name: text,
  package_dimensions: nothing,
  shippable: yesOrNo.nullable(),
  statement_descriptor: text.nullable().optional(),
  tax_code: expandable('tax_code').nullable().optional(),
  tax_details: nothing,
  type: z.enum(['good', 'service']),
  unit_label: text.nullable().optional(),
  updated: instant,
  url: z.url().nullable(),
});

export const price = z.strictObject({
  id: idOf('price_'),
  object: z.literal('price'),
  active: yesOrNo,
  billing_scheme: z.enum(['per_unit', 'tiered']),
  created: instant,
  currency,
  custom_unit_amount: nothing,
  livemode: yesOrNo,
  lookup_key: text.nullable(),
  metadata,
  nickname: text.nullable(),
  product: expandable('product'),
  recurring: nothing,
  tax_behavior: z.enum(['unspecified', 'exclusive', 'inclusive']).nullable(),
  tiers_mode: z.enum(['graduated', 'volume']).nullable(),
  transform_quantity: nothing,
  type: z.enum(['recurring', 'one_time']),
  unit_amount: whole.nullable(),
  unit_amount_decimal: decimal.nullable(),
});

export const item = z.strictObject({
  id: idOf('li_'),
  object: z.literal('item'),
  adjustable_quantity: nothing,
  amount_discount: whole,
  amount_subtotal: whole,
  amount_tax: whole,
  amount_total: whole,
  currency,
  description: text.nullable(),
  metadata: metadata.nullable(),
  price: object('price').nullable(),
  quantity: whole.nullable(),
});

// Lists and errors. Any error code is accepted: Stripe documents a long list.

export const list = z.strictObject({
  object: z.literal('list'),
  data: z.array(thing),
  has_more: yesOrNo,
  url: z.string().regex(/^\/v1\/[\w/]+$/),
});

export const error = z.strictObject({
  error: z.strictObject({
    type: z.enum(['api_error', 'card_error', 'idempotency_error', 'invalid_request_error']),
    message: text.min(1).optional(),
    code: z
      .string()
      .regex(/^[a-z_]+$/)
      .optional(),
    param: text.optional(),
    doc_url: z.url().optional(),
    charge: text.optional(),
    decline_code: text.optional(),
    request_log_url: z.url().optional(),
  }),
});

// The Event of Stripe's API 2026-10-28.endive, as its SDK 23.1.0 describes it; of its types, those that the sandbox sends.

export const event = z.strictObject({
  id: idOf('evt_'),
  object: z.literal('event'),
  account: text.optional(),
  api_version: text.nullable(),
  context: text.optional(),
  created: instant,
  data: z.strictObject({ object: thing, previous_attributes: z.record(text, z.unknown()).optional() }),
  livemode: yesOrNo,
  pending_webhooks: whole,
  request: z.strictObject({ id: text.nullable(), idempotency_key: text.nullable() }).nullable(),
  type: z.enum([
    'charge.dispute.created',
    'charge.failed',
    'charge.refunded',
    'charge.succeeded',
    'checkout.session.async_payment_failed',
    'checkout.session.async_payment_succeeded',
    'checkout.session.completed',
    'checkout.session.expired',
    'payment_intent.payment_failed',
    'payment_intent.succeeded',
  ]),
});
