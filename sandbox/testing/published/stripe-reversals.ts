import { z } from 'zod';
import { currency, empty, expandable, idOf, instant, metadata, text, whole, yesOrNo } from './kinds.js';

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

/** What a shop may send in its defence. */
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
