/** A checkout session to open at the payment provider. */
export interface NewCardSession {
  /** Requests with the same key open one session. */
  readonly idempotencyKey: string;
  readonly accountId: string;
  readonly email: string;
  readonly priceId: string;
  /** Where the buyer's browser returns to; the provider replaces `{SESSION_ID}` by the session's id. */
  readonly paidUrl: string;
  readonly cancelledUrl: string;
}

/** A checkout session at the provider. `open`: not paid, or not paid yet. */
export interface CardSession {
  readonly sessionId: string;
  readonly state: 'open' | 'paid' | 'failed';
  /** The account it was opened for. */
  readonly accountId: string | null;
  readonly amountCents: number | null;
  /** ISO 4217, lower case. */
  readonly currency: string | null;
  /** The provider's id of the payment, which refunds and disputes refer to. */
  readonly cardPaymentId: string | null;
  readonly receiptUrl: string | null;
}

/** A dispute of a payment. `lost`: the buyer got the money back; `won`: we kept it or got it back. */
export interface Dispute {
  readonly disputeId: string;
  readonly cardPaymentId: string;
  /** The disputed amount, without the provider's fee. */
  readonly amountCents: number;
  readonly reason: string;
  readonly status: 'open' | 'won' | 'lost';
}

/** An event reported by the provider. `refundedCents` is the payment's total refund so far. */
export type CardEvent =
  | { readonly kind: 'session'; readonly session: CardSession }
  | { readonly kind: 'session_failed'; readonly sessionId: string }
  /** A card was saved, or a charge of a saved card changed its state: the provider is asked what holds. */
  | { readonly kind: 'card_saved'; readonly sessionId: string }
  | { readonly kind: 'top_up'; readonly topUpId: string; readonly cardPaymentId: string }
  | { readonly kind: 'refunded'; readonly cardPaymentId: string; readonly refundedCents: number }
  | { readonly kind: 'disputed'; readonly dispute: Dispute }
  | { readonly kind: 'other'; readonly type: string };

/** Port to a payment provider. */
export abstract class CardPayments {
  /** Opens a checkout session; `url` is its page. Throws `stripe_not_configured`, `checkout_failed`. */
  abstract open(session: NewCardSession): Promise<CardSession & { readonly url: string }>;
  /** Returns undefined when the session does not exist. Throws `unavailable` when the provider does not answer. */
  abstract find(sessionId: string): Promise<CardSession | undefined>;
}
