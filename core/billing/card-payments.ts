/** A checkout to be opened at the payment provider. */
export interface NewCardSession {
  /** The same key opens one session only. */
  readonly idempotencyKey: string;
  readonly accountId: string;
  readonly email: string;
  readonly priceId: string;
  /** Where the buyer's browser goes afterwards; the provider puts the session's id in place of `{SESSION_ID}`. */
  readonly paidUrl: string;
  readonly cancelledUrl: string;
}

/** A checkout as the provider knows it. `open`: not paid, or not paid yet. */
export interface CardSession {
  readonly sessionId: string;
  readonly state: 'open' | 'paid' | 'failed';
  /** The account it was opened for. */
  readonly accountId: string | null;
  readonly amountCents: number | null;
  /** ISO 4217, lower case. */
  readonly currency: string | null;
  /** The provider's id of the payment, by which refunds and disputes name it. */
  readonly cardPaymentId: string | null;
  readonly receiptUrl: string | null;
}

/** A buyer's bank asks for a payment's money back. `lost`: it has it; `won`: it is ours again, or was never taken. */
export interface Dispute {
  readonly disputeId: string;
  readonly cardPaymentId: string;
  /** The disputed part of the payment; the provider's fee is not in it. */
  readonly amountCents: number;
  readonly reason: string;
  readonly status: 'open' | 'won' | 'lost';
}

/** What the provider tells unasked. `refundedCents` is all that has been refunded of the payment so far. */
export type CardEvent =
  | { readonly kind: 'session'; readonly session: CardSession }
  | { readonly kind: 'session_failed'; readonly sessionId: string }
  | { readonly kind: 'refunded'; readonly cardPaymentId: string; readonly refundedCents: number }
  | { readonly kind: 'disputed'; readonly dispute: Dispute }
  | { readonly kind: 'other'; readonly type: string };

/** Whoever takes cards for us. */
export abstract class CardPayments {
  /** Opens a checkout; `url` is its page. Throws `stripe_not_configured`, `checkout_failed`. */
  abstract open(session: NewCardSession): Promise<CardSession & { readonly url: string }>;
  /** Undefined when the provider has no such checkout. Throws `unavailable` when it cannot be asked. */
  abstract find(sessionId: string): Promise<CardSession | undefined>;
}
