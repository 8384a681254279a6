/** A checkout session to open at the payment provider. */
export interface NewCardSession {
  /** Requests with the same key open one session. */
  readonly idempotencyKey: string;
  readonly accountId: string;
  readonly email: string;
  readonly priceId: string;
  /**
   * Page to which the buyer's browser returns; the provider replaces `{SESSION_ID}` by the
   * session's id.
   */
  readonly paidUrl: string;
  readonly cancelledUrl: string;
}

/** A checkout session at the provider. `open`: not paid, or not paid yet. */
export interface CardSession {
  readonly sessionId: string;
  readonly state: 'open' | 'paid' | 'failed';
  /** Account for which the session was opened. */
  readonly accountId: string | null;
  readonly amountCents: number | null;
  /** ISO 4217, lower case. */
  readonly currency: string | null;
  /** The provider's id of the payment, which refunds and disputes refer to. */
  readonly cardPaymentId: string | null;
  readonly receiptUrl: string | null;
}

/** A refund of a payment. `failed`: the buyer did not get the money, which came back to us. */
export interface Refund {
  readonly refundId: string;
  readonly cardPaymentId: string;
  readonly amountCents: number;
  readonly failed: boolean;
}

/**
 * A dispute of a payment. `lost`: the buyer got the money back; `won`: we kept it or got it back.
 */
export interface Dispute {
  readonly disputeId: string;
  readonly cardPaymentId: string;
  /** The disputed amount, without the provider's fee. */
  readonly amountCents: number;
  readonly reason: string;
  readonly status: 'open' | 'won' | 'lost';
}

/**
 * An event reported by the provider. `refundedCents` is the payment's total refund at that time.
 */
export type CardEvent =
  | { readonly kind: 'session'; readonly session: CardSession }
  | { readonly kind: 'session_failed'; readonly sessionId: string }
  /**
   * A card was saved, or a charge of a saved card changed its state: ask the provider for the
   * state.
   */
  | { readonly kind: 'card_saved'; readonly sessionId: string }
  | { readonly kind: 'top_up'; readonly topUpId: string; readonly cardPaymentId: string }
  | { readonly kind: 'refunded'; readonly cardPaymentId: string; readonly refundedCents: number }
  | { readonly kind: 'refund'; readonly refund: Refund }
  | { readonly kind: 'disputed'; readonly dispute: Dispute }
  | { readonly kind: 'other'; readonly type: string };

/** Port to a payment provider. */
export abstract class CardPayments {
  /**
   * Opens a checkout session; `url` is its page. Throws `stripe_not_configured`, `checkout_failed`.
   */
  abstract open(session: NewCardSession): Promise<CardSession & { readonly url: string }>;
  /**
   * Returns undefined when the session does not exist. Throws `unavailable` when the provider does
   * not answer.
   */
  abstract find(sessionId: string): Promise<CardSession | undefined>;
}

/** A card that the provider keeps for a customer. */
export interface SavedCard {
  readonly paymentMethodId: string;
  readonly brand: string;
  readonly last4: string;
  /** '12/2034'. */
  readonly expires: string;
}

/** A session in which a customer saves a card. `card` is set once it is saved. */
export interface CardSetup {
  readonly sessionId: string;
  readonly accountId: string | null;
  readonly customerId: string | null;
  readonly openedAt: Date;
  readonly card: SavedCard | null;
}

export interface NewCharge {
  /** Also the idempotency key: repeated calls charge once. */
  readonly topUpId: string;
  readonly accountId: string;
  readonly customerId: string;
  readonly paymentMethodId: string;
  readonly amountCents: number;
  readonly description: string;
}

/** State of a charge. `unknown`: the provider did not answer, so the card may have been charged. */
export type ChargeOutcome =
  | {
      readonly kind: 'paid';
      readonly cardPaymentId: string;
      readonly amountCents: number;
      readonly currency: string;
      readonly receiptUrl: string | null;
    }
  | {
      readonly kind: 'declined';
      readonly cardPaymentId: string | null;
      /** The provider's code, such as `insufficient_funds`. */
      readonly code: string;
    }
  /**
   * `url`: page where the customer authenticates; null until the charge is confirmed with the
   * customer present.
   */
  | { readonly kind: 'action_required'; readonly cardPaymentId: string; readonly url: string | null }
  | { readonly kind: 'pending'; readonly cardPaymentId: string }
  | { readonly kind: 'canceled'; readonly cardPaymentId: string }
  | { readonly kind: 'unknown'; readonly cause: unknown };

/**
 * Port to a payment provider that keeps cards and charges them while their owner is absent. Except
 * for charges, whose failures are outcomes, calls throw `stripe_not_configured`, `checkout_failed`
 * or `unavailable`.
 */
export abstract class SavedCardPayments {
  /**
   * Creates the provider's customer of an account; repeated calls within a day create one customer.
   */
  abstract createCustomer(customer: { accountId: string; email: string }): Promise<string>;
  /** Removes the customer with cards and address; does nothing for an unknown customer. */
  abstract removeCustomer(customerId: string): Promise<void>;
  /**
   * Opens a page on which the customer saves a card; `{SESSION_ID}` in `savedUrl` is replaced by
   * the session's id.
   */
  abstract openSetup(setup: {
    accountId: string;
    customerId: string;
    savedUrl: string;
    cancelledUrl: string;
  }): Promise<{ url: string }>;
  abstract findSetup(sessionId: string): Promise<CardSetup | undefined>;
  /** Removes a saved card; does nothing when it is gone. */
  abstract removeCard(paymentMethodId: string): Promise<void>;
  abstract charge(charge: NewCharge): Promise<ChargeOutcome>;
  /**
   * Returns the state of a charge by its id. Throws `unavailable` when the provider does not
   * answer.
   */
  abstract find(cardPaymentId: string): Promise<ChargeOutcome>;
  /**
   * Returns the charge of a top-up, looked up among the customer's charges; undefined when there is
   * none. Throws `unavailable`.
   */
  abstract findOf(topUp: { topUpId: string; customerId: string; since: Date }): Promise<ChargeOutcome | undefined>;
  /**
   * Continues a charge that needs authentication, with the customer present; the browser comes back
   * to `returnUrl`.
   */
  abstract confirm(charge: {
    cardPaymentId: string;
    paymentMethodId: string;
    returnUrl: string;
  }): Promise<ChargeOutcome>;
  /** Cancels a charge that is not paid, and returns its state. Throws `unavailable`. */
  abstract cancel(cardPaymentId: string): Promise<ChargeOutcome>;
}
