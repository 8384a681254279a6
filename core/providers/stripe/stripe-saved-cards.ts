import { Injectable } from '@nestjs/common';
import StripeSdk, { type Stripe } from 'stripe';
import { packCurrency } from '#contract/packs.js';
import {
  type CardSetup,
  type ChargeOutcome,
  type NewCharge,
  type SavedCard,
  SavedCardPayments,
} from '../../billing/card-payments.js';
import { Config } from '../../platform/config/config.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { detailOf, idOf, stripeClient, whileWaiting } from './stripe-card-payments.js';

/** Tolerated difference between our clock and Stripe's. */
const CLOCK_SKEW_SECONDS = 300;
const LISTED_MAX = 100;
/** A problem that the owner of the card solves by authenticating. */
const AUTHENTICATION_CODES: readonly (string | undefined)[] = [
  'authentication_required',
  'payment_intent_authentication_failure',
];

/**
 * Saves cards through Stripe Checkout and charges them off-session
 * (https://docs.stripe.com/payments/save-and-reuse).
 */
@Injectable()
export class StripeSavedCards extends SavedCardPayments {
  private readonly client: StripeSdk | undefined;

  constructor({ stripe }: Config) {
    super();
    this.client = stripe && stripeClient(stripe);
  }

  async createCustomer({ accountId, email }: { accountId: string; email: string }): Promise<string> {
    const customer = await this.asked((stripe) =>
      stripe.customers.create(
        { email, metadata: { account: accountId } },
        {
          idempotencyKey: `customer-${accountId}`,
          ...whileWaiting,
        },
      ),
    );
    return customer.id;
  }

  async removeCustomer(customerId: string): Promise<void> {
    await this.unlessGone((stripe) => stripe.customers.del(customerId));
  }

  async openSetup({
    accountId,
    customerId,
    savedUrl,
    cancelledUrl,
  }: {
    accountId: string;
    customerId: string;
    savedUrl: string;
    cancelledUrl: string;
  }): Promise<{ url: string }> {
    const { url } = await this.asked((stripe) =>
      stripe.checkout.sessions.create(
        {
          mode: 'setup',
          currency: packCurrency,
          allowed_payment_method_types: ['card'],
          customer: customerId,
          client_reference_id: accountId,
          success_url: savedUrl.replace('{SESSION_ID}', '{CHECKOUT_SESSION_ID}'),
          cancel_url: cancelledUrl,
        },
        whileWaiting,
      ),
    );
    if (!url) throw new DomainError('checkout_failed', 'Stripe did not open a checkout page. Please try again.');
    return { url };
  }

  async findSetup(sessionId: string): Promise<CardSetup | undefined> {
    const session = await this.unlessGone((stripe) =>
      stripe.checkout.sessions.retrieve(sessionId, { expand: ['setup_intent.payment_method'] }, whileWaiting),
    );
    if (session?.mode !== 'setup') return undefined;
    const { id, client_reference_id: accountId, customer, created, setup_intent: setup } = session;
    const method =
      setup !== null && typeof setup === 'object' && setup.status === 'succeeded' ? setup.payment_method : null;
    const card = method !== null && typeof method === 'object' ? cardOf(method) : null;
    return { sessionId: id, accountId, customerId: idOf(customer), openedAt: new Date(created * 1_000), card };
  }

  async removeCard(paymentMethodId: string): Promise<void> {
    await this.unlessGone((stripe) => stripe.paymentMethods.detach(paymentMethodId));
  }

  async charge({
    topUpId,
    accountId,
    customerId,
    paymentMethodId,
    amountCents,
    description,
  }: NewCharge): Promise<ChargeOutcome> {
    return this.charged((stripe) =>
      stripe.paymentIntents.create(
        {
          amount: amountCents,
          currency: packCurrency,
          customer: customerId,
          payment_method: paymentMethodId,
          allowed_payment_method_types: ['card'],
          off_session: true,
          confirm: true,
          description,
          metadata: { top_up: topUpId, account: accountId },
          expand: ['latest_charge'],
        },
        { idempotencyKey: `top-up-${topUpId}` },
      ),
    );
  }

  async find(cardPaymentId: string): Promise<ChargeOutcome> {
    const options = { expand: ['latest_charge'] };
    return outcomeOf(await this.asked((stripe) => stripe.paymentIntents.retrieve(cardPaymentId, options)));
  }

  async findOf({
    topUpId,
    customerId: customer,
    since,
  }: {
    topUpId: string;
    customerId: string;
    since: Date;
  }): Promise<ChargeOutcome | undefined> {
    const gte = Math.floor(since.getTime() / 1_000) - CLOCK_SKEW_SECONDS;
    const list = await this.asked((stripe) =>
      stripe.paymentIntents.list({ customer, created: { gte }, limit: LISTED_MAX }),
    );
    const found = list.data.find(({ metadata }) => metadata['top_up'] === topUpId);
    return found && this.find(found.id);
  }

  async confirm({
    cardPaymentId,
    paymentMethodId,
    returnUrl,
  }: {
    cardPaymentId: string;
    paymentMethodId: string;
    returnUrl: string;
  }): Promise<ChargeOutcome> {
    const known = await this.find(cardPaymentId);
    // An authentication that was begun continues at the same address.
    if (known.kind !== 'action_required' || known.url !== null) return known;
    return this.charged((stripe) =>
      stripe.paymentIntents.confirm(cardPaymentId, {
        payment_method: paymentMethodId,
        return_url: returnUrl,
        expand: ['latest_charge'],
      }),
    );
  }

  async cancel(cardPaymentId: string): Promise<ChargeOutcome> {
    try {
      await this.asked((stripe) => stripe.paymentIntents.cancel(cardPaymentId));
    } catch (error) {
      // The charge was paid or canceled meanwhile: return its state.
      if (!(error instanceof DomainError) || !(error.cause instanceof StripeSdk.errors.StripeInvalidRequestError))
        throw error;
    }
    return this.find(cardPaymentId);
  }

  /** A refusal by the bank is an outcome; so is the absence of an answer. */
  private async charged(call: (stripe: StripeSdk) => Promise<Stripe.PaymentIntent>): Promise<ChargeOutcome> {
    const { client } = this;
    if (!client) return { kind: 'unknown', cause: 'Card payments are not set up on this installation.' };
    try {
      return outcomeOf(await call(client));
    } catch (cause) {
      const { StripeCardError, StripeInvalidRequestError } = StripeSdk.errors;
      if (cause instanceof StripeCardError) {
        const { payment_intent: intent, decline_code: declineCode, code = 'card_declined' } = cause;
        return intent ? outcomeOf(intent) : { kind: 'declined', cardPaymentId: null, code: declineCode ?? code };
      }
      if (cause instanceof StripeInvalidRequestError)
        return { kind: 'declined', cardPaymentId: null, code: cause.code ?? 'invalid_request' };
      return { kind: 'unknown', cause };
    }
  }

  private async asked<T>(call: (stripe: StripeSdk) => Promise<T>): Promise<T> {
    if (!this.client)
      throw new DomainError('stripe_not_configured', 'Card payments are not set up on this installation.');
    try {
      return await call(this.client);
    } catch (cause) {
      if (!(cause instanceof StripeSdk.errors.StripeError)) throw cause;
      const isRefused = cause instanceof StripeSdk.errors.StripeInvalidRequestError;
      throw new DomainError(isRefused ? 'checkout_failed' : 'unavailable', detailOf(cause), {
        cause,
        ...(!isRefused && { retryAfterSeconds: 2 }),
      });
    }
  }

  /** Returns undefined when the object does not exist, or no longer exists. */
  private async unlessGone<T>(call: (stripe: StripeSdk) => Promise<T>): Promise<T | undefined> {
    try {
      return await this.asked(call);
    } catch (error) {
      if (error instanceof DomainError && error.cause instanceof StripeSdk.errors.StripeInvalidRequestError)
        return undefined;
      throw error;
    }
  }
}

function cardOf({ id, card }: Stripe.PaymentMethod): SavedCard | null {
  if (!card) return null;
  const expires = `${String(card.exp_month).padStart(2, '0')}/${card.exp_year}`;
  return { paymentMethodId: id, brand: card.brand, last4: card.last4, expires };
}

/** Converts a PaymentIntent (https://docs.stripe.com/payments/paymentintents/lifecycle). */
function outcomeOf(intent: Stripe.PaymentIntent): ChargeOutcome {
  const { id: cardPaymentId, status, latest_charge: charge, last_payment_error: problem, next_action: next } = intent;
  switch (status) {
    case 'succeeded': {
      const receiptUrl = charge !== null && typeof charge === 'object' ? charge.receipt_url : null;
      return {
        kind: 'paid',
        cardPaymentId,
        amountCents: intent.amount_received,
        currency: intent.currency,
        receiptUrl,
      };
    }
    case 'requires_action':
      return { kind: 'action_required', cardPaymentId, url: next?.redirect_to_url?.url ?? null };
    case 'canceled':
      return { kind: 'canceled', cardPaymentId };
    case 'requires_payment_method':
      if (!problem) return { kind: 'pending', cardPaymentId };
      if (AUTHENTICATION_CODES.includes(problem.code)) return { kind: 'action_required', cardPaymentId, url: null };
      return { kind: 'declined', cardPaymentId, code: problem.decline_code ?? problem.code ?? 'card_declined' };
    case 'processing':
    case 'requires_capture':
    case 'requires_confirmation':
    default:
      return { kind: 'pending', cardPaymentId };
  }
}
