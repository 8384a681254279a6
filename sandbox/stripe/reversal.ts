import { newId, seconds } from './ids.js';
import type { Charge } from './payment.js';

const DAY_SECONDS = 86_400;
const ANSWER_WITHIN_DAYS = 9;

export interface NewRefund {
  readonly amount: number;
  readonly reason: string | null;
  readonly metadata: Record<string, string>;
}

/** A Refund that went through at once. */
export function newRefund(charge: Charge, { amount, reason, metadata }: NewRefund, nowMs: number) {
  return {
    id: newId('re_'),
    object: 'refund' as const,
    amount,
    balance_transaction: newId('txn_'),
    charge: charge.id,
    created: seconds(nowMs),
    currency: charge.currency,
    customer: null,
    customer_account: null,
    destination_details: {
      card: {
        reference: newId('', 15),
        reference_status: 'pending',
        reference_type: 'acquirer_reference_number',
        type: 'refund',
      },
      type: 'card',
    },
    metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded' as const,
    transfer_reversal: null,
  };
}
export type Refund = ReturnType<typeof newRefund>;

const EVIDENCE = [
  'access_activity_log',
  'billing_address',
  'cancellation_policy',
  'cancellation_policy_disclosure',
  'cancellation_rebuttal',
  'customer_communication',
  'customer_email_address',
  'customer_name',
  'customer_purchase_ip',
  'customer_signature',
  'duplicate_charge_documentation',
  'duplicate_charge_explanation',
  'duplicate_charge_id',
  'product_description',
  'receipt',
  'refund_policy',
  'refund_policy_disclosure',
  'refund_refusal_explanation',
  'service_date',
  'service_documentation',
  'shipping_address',
  'shipping_carrier',
  'shipping_date',
  'shipping_documentation',
  'shipping_tracking_number',
  'uncategorized_file',
  'uncategorized_text',
];

/** How a bank decides. An inquiry that comes to nothing ends as `warning_closed`. */
export const disputeOutcomes = ['won', 'lost', 'warning_closed'] as const;
export type DisputeOutcome = (typeof disputeOutcomes)[number];
type DisputeStatus = DisputeOutcome | 'needs_response';

/** A Dispute as it stands when the cardholder's bank has just opened it. */
export function newDispute(charge: Charge, reason: string, nowMs: number) {
  return {
    id: newId('dp_'),
    object: 'dispute' as const,
    amount: charge.amount,
    balance_transactions: [],
    charge: charge.id,
    created: seconds(nowMs),
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: { ...Object.fromEntries(EVIDENCE.map((name) => [name, null])), enhanced_evidence: {} },
    evidence_details: {
      due_by: seconds(nowMs) + ANSWER_WITHIN_DAYS * DAY_SECONDS,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted' as const,
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method_details: {
      card: { brand: 'visa', case_type: 'chargeback', network: 'visa', network_reason_code: '10.4' },
      type: 'card',
    },
    reason,
    status: 'needs_response' as DisputeStatus,
  };
}
export type Dispute = ReturnType<typeof newDispute>;
