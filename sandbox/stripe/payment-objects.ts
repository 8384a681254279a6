import { newId, seconds } from './catalogue.js';
import { isBank, type TestCard } from './test-cards.js';

type Metadata = Record<string, string>;

/** The last payment error of a PaymentIntent. */
export interface PaymentProblem {
  readonly type: 'card_error' | 'invalid_request_error';
  readonly code: string;
  readonly message: string;
  readonly decline_code?: string;
}

interface NewPaymentIntent {
  readonly amount: number;
  readonly currency: string;
  readonly description: string | null;
  readonly metadata: Metadata;
  readonly receiptEmail: string | null;
  readonly paymentMethodTypes: string[];
}

type PaymentIntentStatus = 'requires_payment_method' | 'requires_action' | 'processing' | 'succeeded' | 'canceled';

/** Creates a PaymentIntent with all fields of Stripe's API description. */
export function newPaymentIntent(draft: NewPaymentIntent, nowMs: number) {
  const id = newId('pi_');
  return {
    id,
    object: 'payment_intent' as const,
    allowed_payment_method_types: null,
    amount: draft.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null as number | null,
    cancellation_reason: null as string | null,
    capture_method: 'automatic_async' as const,
    client_secret: `${id}_secret_${newId('', 25)}`,
    confirmation_method: 'automatic' as const,
    created: seconds(nowMs),
    currency: draft.currency,
    customer: null,
    customer_account: null,
    description: draft.description,
    excluded_payment_method_types: null,
    last_payment_error: null as PaymentProblem | null,
    latest_charge: null as string | null,
    livemode: false,
    managed_payments: null,
    metadata: draft.metadata,
    next_action: null as { type: string } | null,
    on_behalf_of: null,
    payment_method: null as string | null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: draft.paymentMethodTypes,
    payment_record: null,
    processing: null,
    receipt_email: draft.receiptEmail,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method' as PaymentIntentStatus,
    transfer_data: null,
    transfer_group: null,
  };
}
export type PaymentIntent = ReturnType<typeof newPaymentIntent>;

interface NewCharge {
  readonly intent: PaymentIntent;
  readonly card: TestCard;
  readonly payer: { readonly email: string; readonly name: string | null };
  readonly baseUrl: string;
  readonly status: 'succeeded' | 'pending' | 'failed';
}

/** Creates a Charge: one attempt to collect a PaymentIntent. */
export function newCharge({ intent, card, payer, baseUrl, status }: NewCharge, nowMs: number) {
  const id = newId(isBank(card) ? 'py_' : 'ch_');
  const failed = status === 'failed';
  return {
    id,
    object: 'charge' as const,
    amount: intent.amount,
    amount_captured: failed ? 0 : intent.amount,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: failed ? null : newId('txn_'),
    billing_details: {
      address: { city: null, country: 'US', line1: null, line2: null, postal_code: '10001', state: null },
      email: payer.email,
      name: payer.name,
      phone: null,
      tax_id: null,
    },
    calculated_statement_descriptor: 'PENNYTEXT SANDBOX',
    captured: !failed,
    created: seconds(nowMs),
    currency: intent.currency,
    customer: null,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: failed ? 'card_declined' : (null as string | null),
    failure_message: failed ? (card.declineText ?? null) : (null as string | null),
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: failed ? 'declined_by_network' : 'approved_by_network',
      reason: failed ? (card.declineCode ?? null) : null,
      risk_level: 'normal',
      risk_score: 12,
      seller_message: failed ? 'The bank did not return any further details with this decline.' : 'Payment complete.',
      type: failed ? 'issuer_declined' : 'authorized',
    },
    paid: status === 'succeeded',
    payment_intent: intent.id,
    payment_method: intent.payment_method,
    payment_method_details: isBank(card) ? bankDetails(card) : cardDetails(card, intent.amount, nowMs),
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: failed ? null : `${baseUrl}/checkout/receipts/${id}`,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status,
    transfer_data: null,
    transfer_group: null,
  };
}
export type Charge = ReturnType<typeof newCharge>;

function cardDetails({ brand, number, outcome }: TestCard, amount: number, nowMs: number) {
  const isAuthenticated = outcome === 'authenticates';
  return {
    card: {
      amount_authorized: amount,
      authorization_code: null,
      brand,
      checks: { address_line1_check: null, address_postal_code_check: 'pass', cvc_check: 'pass' },
      country: 'US',
      electronic_commerce_indicator: isAuthenticated ? '05' : null,
      exp_month: 12,
      exp_year: new Date(nowMs).getUTCFullYear() + 3,
      extended_authorization: { status: 'disabled' },
      fingerprint: 'sAnDbOxFiNgErPrT',
      funding: 'credit',
      incremental_authorization: { status: 'unavailable' },
      installments: null,
      last4: number.slice(-4),
      mandate: null,
      multicapture: { status: 'unavailable' },
      network: brand,
      network_token: { used: false },
      network_transaction_id: null,
      overcapture: { maximum_amount_capturable: amount, status: 'unavailable' },
      regulated_status: 'unregulated',
      three_d_secure: isAuthenticated
        ? {
            authentication_flow: 'challenge',
            electronic_commerce_indicator: '05',
            exemption_indicator: null,
            result: 'authenticated',
            result_reason: null,
            transaction_id: newId('', 20),
            version: '2.2.0',
          }
        : null,
      transaction_link_id: null,
      wallet: null,
    },
    type: 'card' as const,
  };
}

function bankDetails({ number }: TestCard) {
  return {
    type: 'us_bank_account' as const,
    us_bank_account: {
      account_holder_type: 'individual',
      account_type: 'checking',
      bank_name: 'STRIPE TEST BANK',
      fingerprint: 'sAnDbOxBaNkPrInT',
      last4: number.slice(-4),
      payment_reference: null,
      routing_number: '110000000',
    },
  };
}

const DAY_SECONDS = 86_400;
const ANSWER_WITHIN_DAYS = 9;

interface NewRefund {
  readonly amount: number;
  readonly reason: string | null;
  readonly metadata: Record<string, string>;
}

/** Creates a Refund that succeeds at once. */
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

/** Final states of a dispute. An inquiry ends as `warning_closed`. */
export const disputeOutcomes = ['won', 'lost', 'warning_closed'] as const;
export type DisputeOutcome = (typeof disputeOutcomes)[number];
type DisputeStatus = DisputeOutcome | 'needs_response';

/** Creates an open Dispute. */
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
