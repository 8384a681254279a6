import { z } from 'zod';
import {
  currency,
  empty,
  expandable,
  idOf,
  instant,
  metadata,
  nothing,
  object,
  text,
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
