import { z } from 'zod';
import { currency, expandable, idOf, instant, metadata, nothing, object, text, whole, yesOrNo } from './kinds.js';

// The Charge of Stripe's API 2026-10-28.endive, as its SDK 23.1.0 describes it.

/** What became of 3-D Secure. */
const threeDSecure = z.strictObject({
  authentication_flow: z.enum(['challenge', 'frictionless']).nullable(),
  electronic_commerce_indicator: z.enum(['01', '02', '05', '06', '07']).nullable(),
  exemption_indicator: z.enum(['none', 'low_risk']).nullable(),
  exemption_indicator_applied: yesOrNo.optional(),
  result: z
    .enum([
      'failed',
      'not_supported',
      'attempt_acknowledged',
      'authenticated',
      'data_share_only',
      'exempted',
      'processing_error',
    ])
    .nullable(),
  result_reason: z
    .enum([
      'abandoned',
      'bypassed',
      'canceled',
      'card_not_enrolled',
      'network_not_supported',
      'protocol_error',
      'rejected',
    ])
    .nullable(),
  transaction_id: text.nullable(),
  version: z.enum(['1.0.2', '2.1.0', '2.2.0', '2.3.0', '2.3.1']).nullable(),
});

/** How a charge was paid by card. */
const cardDetails = z.strictObject({
  amount_authorized: whole.nullable(),
  authorization_code: text.nullable(),
  brand: text.nullable(),
  capture_before: whole.optional(),
  checks: z
    .strictObject({
      address_line1_check: text.nullable(),
      address_postal_code_check: text.nullable(),
      cvc_check: text.nullable(),
    })
    .nullable(),
  country: text.nullable(),
  description: text.nullable().optional(),
  electronic_commerce_indicator: text.nullable(),
  exp_month: whole,
  exp_year: whole,
  extended_authorization: z.strictObject({ status: z.enum(['disabled', 'enabled']) }).optional(),
  fingerprint: text.nullable().optional(),
  funding: text.nullable(),
  iin: text.nullable().optional(),
  incremental_authorization: z.strictObject({ status: z.enum(['available', 'unavailable']) }).optional(),
  installments: nothing,
  issuer: text.nullable().optional(),
  last4: text.nullable(),
  mandate: expandable('mandate').nullable(),
  moto: yesOrNo.nullable().optional(),
  multicapture: z.strictObject({ status: z.enum(['available', 'unavailable']) }).optional(),
  network: text.nullable(),
  network_token: z.strictObject({ used: yesOrNo }).nullable().optional(),
  network_transaction_id: text.nullable(),
  overcapture: z
    .strictObject({ maximum_amount_capturable: whole, status: z.enum(['available', 'unavailable']) })
    .optional(),
  regulated_status: z.enum(['regulated', 'unregulated']).nullable(),
  setup_credential_usage: z.enum(['installment', 'recurring', 'unscheduled']).optional(),
  stored_credential_usage: z.enum(['installment', 'recurring', 'unscheduled']).optional(),
  three_d_secure: threeDSecure.nullable(),
  transaction_link_id: text.nullable(),
  wallet: nothing,
});

/** How a charge was paid by bank account. */
const bankDetails = z.strictObject({
  account_holder_type: z.enum(['company', 'individual']).nullable(),
  account_type: z.enum(['checking', 'savings']).nullable(),
  bank_name: text.nullable(),
  expected_debit_date: text.optional(),
  fingerprint: text.nullable(),
  last4: text.nullable(),
  payment_reference: text.nullable(),
  routing_number: text.nullable(),
});

export const charge = z.strictObject({
  id: idOf('ch_', 'py_'),
  object: z.literal('charge'),
  amount: whole,
  amount_captured: whole,
  amount_refunded: whole,
  application: expandable('application').nullable(),
  application_fee: expandable('application_fee').nullable(),
  application_fee_amount: whole.nullable(),
  authorization_code: text.optional(),
  balance_transaction: expandable('balance_transaction').nullable(),
  billing_details: z.strictObject({
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
    email: z.email().nullable(),
    name: text.nullable(),
    phone: text.nullable(),
    tax_id: text.nullable(),
  }),
  calculated_statement_descriptor: text.nullable(),
  captured: yesOrNo,
  created: instant,
  currency,
  customer: expandable('customer').nullable(),
  description: text.nullable(),
  disputed: yesOrNo,
  failure_balance_transaction: expandable('balance_transaction').nullable(),
  failure_code: text.nullable(),
  failure_message: text.nullable(),
  fraud_details: z.strictObject({ stripe_report: text.optional(), user_report: text.optional() }).nullable(),
  livemode: yesOrNo,
  metadata,
  on_behalf_of: expandable('account').nullable(),
  outcome: z
    .strictObject({
      advice_code: z.enum(['confirm_card_data', 'do_not_try_again', 'try_again_later']).nullable(),
      network_advice_code: text.nullable(),
      network_decline_code: text.nullable(),
      network_status: text.nullable(),
      reason: text.nullable(),
      risk_level: text.optional(),
      risk_score: whole.optional(),
      seller_message: text.nullable(),
      type: text,
    })
    .nullable(),
  paid: yesOrNo,
  payment_intent: expandable('payment_intent').nullable(),
  payment_method: text.nullable(),
  payment_method_details: z
    .strictObject({ card: cardDetails.optional(), type: text, us_bank_account: bankDetails.optional() })
    .nullable(),
  receipt_email: z.email().nullable(),
  receipt_number: text.nullable(),
  receipt_url: z.url().nullable(),
  refunded: yesOrNo,
  refunds: object('list').nullable().optional(),
  review: expandable('review').nullable(),
  shipping: nothing,
  source: nothing,
  source_transfer: expandable('transfer').nullable(),
  statement_descriptor: text.nullable(),
  statement_descriptor_suffix: text.nullable(),
  status: z.enum(['failed', 'pending', 'succeeded']),
  transfer_data: nothing,
  transfer_group: text.nullable(),
});
