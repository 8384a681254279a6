import type { LineItem } from './catalogue.js';
import { newId, seconds } from './ids.js';
import type { PaymentProblem } from './payment.js';
import type { TestCard } from './test-cards.js';

type Metadata = Record<string, string>;

export interface NewSession {
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

/** A Checkout Session in mode `payment` with Stripe's own page, field for field as Stripe's API description has it. */
export function newSession(draft: NewSession, nowMs: number) {
  const id = newId('cs_test_a1', ID_CHARACTERS);
  const total = draft.lineItems.reduce((sum, { amount_total: amount }) => sum + amount, 0);
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

/** Who paid, as the page asked it. */
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
export type CustomerDetails = ReturnType<typeof customerDetails>;

/** A session with what belongs to it and is not shown in the API. */
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
  /** The payment that waits for the buyer's word in 3-D Secure. */
  pending: { readonly card: TestCard; readonly payer: Payer } | null;
  /** Why the last try did not pay. */
  problem: PaymentProblem | null;
}

export interface Payer {
  readonly email: string;
  readonly name: string | null;
}

/** Where the buyer goes after paying: Stripe puts the session's id where the product left room for it. */
export function successUrlOf({ id, success_url: url }: Session): string {
  return url.replaceAll('{CHECKOUT_SESSION_ID}', id);
}
