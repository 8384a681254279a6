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

// The Charge of Stripe's API 2026-10-28.endive, as its SDK 23.1.0 describes it.

/** Result of 3-D Secure. */
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

/** Card payment details of a charge. */
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

/** Bank account details of a charge. */
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

// The PaymentIntent of Stripe's API 2026-10-28.endive, as its SDK 23.1.0 describes it.

export const paymentIntent = z.strictObject({
  id: idOf('pi_'),
  object: z.literal('payment_intent'),
  allowed_payment_method_types: nothing,
  amount: whole,
  amount_capturable: whole,
  amount_details: z
    .strictObject({ discount_amount: whole.optional(), tip: z.strictObject({ amount: whole.optional() }).optional() })
    .optional(),
  amount_received: whole,
  application: expandable('application').nullable(),
  application_fee_amount: whole.nullable(),
  automatic_payment_methods: nothing,
  canceled_at: instant.nullable(),
  cancellation_reason: z
    .enum([
      'automatic',
      'expired',
      'abandoned',
      'fraudulent',
      'duplicate',
      'requested_by_customer',
      'failed_invoice',
      'void_invoice',
    ])
    .nullable(),
  capture_method: z.enum(['automatic', 'manual', 'automatic_async']),
  client_secret: text.nullable(),
  confirmation_method: z.enum(['automatic', 'manual']),
  created: instant,
  currency,
  customer: expandable('customer').nullable(),
  customer_account: text.nullable(),
  description: text.nullable(),
  excluded_payment_method_types: nothing,
  last_payment_error: z
    .strictObject({
      advice_code: text.optional(),
      charge: text.optional(),
      code: z.enum(['card_declined', 'insufficient_funds', 'payment_intent_authentication_failure']).optional(),
      decline_code: text.optional(),
      doc_url: z.url().optional(),
      message: text.optional(),
      network_advice_code: text.optional(),
      network_decline_code: text.optional(),
      param: text.optional(),
      payment_method_type: text.optional(),
      request_log_url: text.optional(),
      type: z.enum(['api_error', 'card_error', 'idempotency_error', 'invalid_request_error']),
    })
    .nullable(),
  latest_charge: expandable('charge').nullable(),
  livemode: yesOrNo,
  managed_payments: nothing,
  metadata,
  next_action: z.strictObject({ type: text }).nullable(),
  on_behalf_of: expandable('account').nullable(),
  payment_method: expandable('payment_method').nullable(),
  payment_method_configuration_details: nothing,
  payment_method_options: z.strictObject({}).nullable(),
  payment_method_types: z.array(text),
  payment_record: expandable('payment_record').nullable(),
  processing: nothing,
  receipt_email: z.email().nullable(),
  review: expandable('review').nullable(),
  setup_future_usage: z.enum(['off_session', 'on_session']).nullable(),
  shipping: nothing,
  source: expandable('account', 'bank_account', 'card', 'source').nullable(),
  statement_descriptor: text.nullable(),
  statement_descriptor_suffix: text.nullable(),
  status: z.enum([
    'canceled',
    'succeeded',
    'processing',
    'requires_action',
    'requires_capture',
    'requires_confirmation',
    'requires_payment_method',
  ]),
  transfer_data: nothing.optional(),
  transfer_group: text.nullable(),
});

// The Refund and the Dispute of Stripe's API 2026-10-28.endive, as its SDK 23.1.0 describes it.

export const refund = z.strictObject({
  id: idOf('re_'),
  object: z.literal('refund'),
  amount: whole,
  balance_transaction: expandable('balance_transaction').nullable(),
  charge: expandable('charge').nullable(),
  created: instant,
  currency,
  customer: expandable('customer').nullable(),
  customer_account: text.nullable(),
  description: text.optional(),
  destination_details: z
    .strictObject({
      card: z
        .strictObject({
          reference: text.optional(),
          reference_status: text.optional(),
          reference_type: text.optional(),
          type: z.enum(['pending', 'refund', 'reversal']),
        })
        .optional(),
      type: text,
    })
    .optional(),
  failure_reason: text.optional(),
  instructions_email: text.optional(),
  metadata: metadata.nullable(),
  payment_intent: expandable('payment_intent').nullable(),
  payment_method: expandable('payment_method').nullable(),
  pending_reason: z.enum(['charge_pending', 'insufficient_funds', 'processing']).optional(),
  reason: z.enum(['fraudulent', 'duplicate', 'expired_uncaptured_charge', 'requested_by_customer']).nullable(),
  receipt_number: text.nullable(),
  source_transfer_reversal: expandable('transfer_reversal').nullable(),
  status: text.nullable(),
  transfer_reversal: expandable('transfer_reversal').nullable(),
});

/** Evidence against a dispute. */
const evidence = z.strictObject({
  access_activity_log: text.nullable(),
  billing_address: text.nullable(),
  cancellation_policy: expandable('file').nullable(),
  cancellation_policy_disclosure: text.nullable(),
  cancellation_rebuttal: text.nullable(),
  customer_communication: expandable('file').nullable(),
  customer_email_address: text.nullable(),
  customer_name: text.nullable(),
  customer_purchase_ip: text.nullable(),
  customer_signature: expandable('file').nullable(),
  duplicate_charge_documentation: expandable('file').nullable(),
  duplicate_charge_explanation: text.nullable(),
  duplicate_charge_id: text.nullable(),
  enhanced_evidence: z.strictObject({}),
  product_description: text.nullable(),
  receipt: expandable('file').nullable(),
  refund_policy: expandable('file').nullable(),
  refund_policy_disclosure: text.nullable(),
  refund_refusal_explanation: text.nullable(),
  service_date: text.nullable(),
  service_documentation: expandable('file').nullable(),
  shipping_address: text.nullable(),
  shipping_carrier: text.nullable(),
  shipping_date: text.nullable(),
  shipping_documentation: expandable('file').nullable(),
  shipping_tracking_number: text.nullable(),
  uncategorized_file: expandable('file').nullable(),
  uncategorized_text: text.nullable(),
});

export const dispute = z.strictObject({
  id: idOf('dp_'),
  object: z.literal('dispute'),
  amount: whole,
  balance_transactions: empty,
  charge: expandable('charge'),
  created: instant,
  currency,
  enhanced_eligibility_types: empty,
  evidence,
  evidence_details: z.strictObject({
    due_by: instant.nullable(),
    enhanced_eligibility: z.strictObject({}),
    has_evidence: yesOrNo,
    past_due: yesOrNo,
    submission_count: whole,
    submission_method: z.enum(['manual', 'not_submitted', 'smart_disputes']),
  }),
  intended_submission_method: z.enum(['manual', 'smart_disputes', 'prefer_manual', 'prefer_smart_disputes']).nullable(),
  is_charge_refundable: yesOrNo,
  livemode: yesOrNo,
  metadata,
  network_reason_code: text.nullable().optional(),
  payment_intent: expandable('payment_intent').nullable(),
  payment_method_details: z
    .strictObject({
      card: z
        .strictObject({
          brand: text,
          case_type: z.enum(['chargeback', 'block', 'compliance', 'inquiry', 'resolution']),
          network: text,
          network_reason_code: text.nullable(),
        })
        .optional(),
      type: z.enum(['card', 'amazon_pay', 'klarna', 'paypal']),
    })
    .optional(),
  reason: text,
  status: z.enum([
    'appeal_needs_response',
    'appeal_under_review',
    'lost',
    'needs_response',
    'prevented',
    'under_review',
    'warning_closed',
    'warning_needs_response',
    'warning_under_review',
    'won',
  ]),
});
