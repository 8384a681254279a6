import { z } from 'zod';
import {
  type Charge,
  type Customer,
  newCharge,
  newCustomer,
  newPaymentIntent,
  type PaymentIntent,
  type PaymentMethod,
  type PaymentProblem,
} from './objects.js';
import { integer, metadata, readParams, url } from './params.js';
import { declineOf, NOT_AUTHENTICATED } from './payments.js';
import type { Checkout, SavedCard, StripeStore } from './store.js';
import { invalidRequest, StripeError } from './stripe-error.js';
import type { Webhooks } from './webhooks.js';

const truth = z.enum(['true', 'false']).transform((text) => text === 'true');

const customerParams = z.strictObject({
  email: z.string().nullable().default(null),
  name: z.string().nullable().default(null),
  metadata: metadata.default({}),
});

const payParams = z.strictObject({
  amount: integer.pipe(z.number().min(50, 'Amount must convert to at least 50 cents.')),
  currency: z.literal('usd', 'The sandbox supports only usd.'),
  customer: z.string(),
  payment_method: z.string(),
  confirm: z.literal('true', 'The sandbox supports only confirm=true.'),
  off_session: truth.default(false),
  allowed_payment_method_types: z.array(z.literal('card')).default(['card']),
  description: z.string().nullable().default(null),
  metadata: metadata.default({}),
});

const confirmParams = z.strictObject({
  payment_method: z.string(),
  return_url: url,
  off_session: truth.default(false),
});

const listParams = z.strictObject({
  customer: z.string().optional(),
  created: z.strictObject({ gte: integer.optional() }).optional(),
  limit: integer.pipe(z.number().min(1).max(100)).default(10),
});

const AUTHENTICATION_REQUIRED = {
  type: 'card_error',
  code: 'authentication_required',
  decline_code: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
} as const;

/**
 * Customers, and payments with their saved cards while they are absent (PaymentIntents with
 * `off_session`).
 */
export class SavedCards {
  constructor(
    private readonly store: StripeStore,
    private readonly webhooks: Webhooks,
  ) {}

  createCustomer(params: unknown): Customer {
    return this.store.customers.add(newCustomer(readParams(customerParams, params)));
  }

  /** Deletes a customer and detaches its cards. */
  deleteCustomer(id: string): object {
    this.store.customers.get(id);
    this.store.customers.remove(id);
    for (const { method } of this.store.cards.newestFirst()) if (method.customer === id) method.customer = null;
    return { id, object: 'customer', deleted: true };
  }

  /** Removes a card from its customer; it cannot be used again. */
  detach(id: string): PaymentMethod {
    const { method } = this.store.cards.get(id);
    if (method.customer === null) throw invalidRequest('The payment method is not attached to a customer.');
    method.customer = null;
    return method;
  }

  /**
   * Creates and confirms a PaymentIntent. `baseUrl` is the sandbox's URL for browsers. Throws a
   * card error with status 402.
   */
  pay(params: unknown, baseUrl: string): PaymentIntent {
    const given = readParams(payParams, params);
    const saved = this.cardOf(given.customer, given.payment_method);
    const { amount, currency, customer, description, allowed_payment_method_types: payment_method_types } = given;
    const intent = this.store.intents.add(
      newPaymentIntent({ amount, currency, customer, description, payment_method_types, metadata: given.metadata }),
    );
    intent.payment_method = saved.id;
    const outcome = given.off_session ? saved.card.offSession : saved.card.outcome;
    if (outcome === 'succeeds') return this.succeed(intent, saved, baseUrl);
    return this.refuse(
      intent,
      saved,
      baseUrl,
      outcome === 'declines' ? declineOf(saved.card) : AUTHENTICATION_REQUIRED,
    );
  }

  /**
   * Confirms a PaymentIntent while the customer is present; the answer has the address where a card
   * authenticates.
   */
  confirm(id: string, params: unknown, baseUrl: string): PaymentIntent {
    const { payment_method, return_url } = readParams(confirmParams, params);
    const intent = this.store.intents.get(id);
    if (!['requires_payment_method', 'requires_action'].includes(intent.status)) throw unexpectedState(intent);
    const saved = this.cardOf(intent.customer ?? '', payment_method);
    intent.payment_method = saved.id;
    if (saved.card.offSession === 'succeeds') return this.succeed(intent, saved, baseUrl);
    if (saved.card.offSession === 'declines') return this.refuse(intent, saved, baseUrl, declineOf(saved.card));
    intent.status = 'requires_action';
    intent.next_action = {
      type: 'redirect_to_url',
      redirect_to_url: { url: `${baseUrl}/checkout/authenticate/${intent.id}`, return_url },
    };
    this.webhooks.publish([{ type: 'payment_intent.requires_action', object: intent }]);
    return intent;
  }

  cancel(id: string): PaymentIntent {
    const intent = this.store.intents.get(id);
    if (['succeeded', 'canceled', 'processing'].includes(intent.status)) throw unexpectedState(intent);
    intent.status = 'canceled';
    intent.next_action = null;
    this.webhooks.publish([{ type: 'payment_intent.canceled', object: intent }]);
    return intent;
  }

  /** Lists PaymentIntents, newest first. */
  list(params: unknown): object {
    const { customer, created, limit } = readParams(listParams, params);
    const matching = this.store.intents
      .newestFirst()
      .filter((intent) => customer === undefined || intent.customer === customer)
      .filter((intent) => intent.created >= (created?.gte ?? 0));
    const data = matching.slice(0, limit);
    return { object: 'list', data, has_more: matching.length > limit, url: '/v1/payment_intents' };
  }

  /** The payment that waits for the customer's authentication. Throws `resource_missing`. */
  pending(id: string): { amount: number; last4: string } {
    const { amount, payment_method: card } = this.store.intents.get(id);
    return { amount, last4: this.store.cards.find(card ?? '')?.method.card.last4 ?? '' };
  }

  /**
   * Ends the authentication; returns the browser's next address. A payment that does not wait for
   * authentication stays as it is.
   */
  authenticate(id: string, isConfirmed: boolean): string {
    const intent = this.store.intents.get(id);
    const target = intent.next_action?.redirect_to_url;
    const saved = this.store.cards.find(intent.payment_method ?? '');
    if (intent.status !== 'requires_action' || !target || !saved) throw unexpectedState(intent);
    intent.next_action = null;
    if (isConfirmed) this.succeed(intent, saved, new URL(target.url).origin);
    else this.fail(intent, saved, NOT_AUTHENTICATED);
    const address = new URL(target.return_url);
    address.searchParams.set('payment_intent', intent.id);
    address.searchParams.set('redirect_status', isConfirmed ? 'succeeded' : 'failed');
    return address.href;
  }

  /** Item, card and payer of a saved card's charge, as its receipt shows them. */
  billOf({ amount, payment_intent: id, payment_method: card }: Charge): Pick<Checkout, 'lineItems' | 'attempt'> {
    const { customer, description } = this.store.intents.get(id);
    const saved = this.store.cards.get(card ?? '');
    const { email, name } = this.store.customers.get(customer ?? '');
    return {
      lineItems: [{ name: description ?? 'Payment', quantity: 1, unitAmount: amount }],
      attempt: { card: saved.card, payer: { email: email ?? '', name: name ?? '' } },
    };
  }

  private cardOf(customer: string, id: string): SavedCard {
    this.store.customers.get(customer, 'customer');
    const saved = this.store.cards.get(id, 'payment_method');
    if (saved.method.customer !== customer) {
      const message = `The payment method ${id} does not belong to the customer ${customer}, or was detached from it.`;
      throw invalidRequest(message, { param: 'payment_method' });
    }
    return saved;
  }

  private succeed(intent: PaymentIntent, { card }: SavedCard, baseUrl: string): PaymentIntent {
    const charge = this.store.charges.add(newCharge(intent, card, 'succeeded', baseUrl));
    intent.latest_charge = charge.id;
    intent.status = 'succeeded';
    intent.amount_received = intent.amount;
    intent.last_payment_error = null;
    this.webhooks.publish([
      { type: 'charge.succeeded', object: charge },
      { type: 'payment_intent.succeeded', object: intent },
    ]);
    return intent;
  }

  /** Fails the payment. Throws Stripe's card error, which contains the PaymentIntent. */
  private refuse(intent: PaymentIntent, saved: SavedCard, baseUrl: string, problem: PaymentProblem): never {
    const charge = this.store.charges.add(newCharge(intent, saved.card, 'failed', baseUrl));
    intent.latest_charge = charge.id;
    this.webhooks.publish([{ type: 'charge.failed', object: charge }]);
    this.fail(intent, saved, problem);
    const { code, message, decline_code } = problem;
    const fields = { code, payment_intent: structuredClone(intent), ...(decline_code && { decline_code }) };
    throw new StripeError(402, 'card_error', message, fields);
  }

  private fail(intent: PaymentIntent, { method }: SavedCard, problem: PaymentProblem): void {
    intent.status = 'requires_payment_method';
    intent.last_payment_error = { ...problem, payment_method: structuredClone(method) };
    intent.payment_method = null;
    this.webhooks.publish([{ type: 'payment_intent.payment_failed', object: intent }]);
  }
}

function unexpectedState({ status }: PaymentIntent): StripeError {
  const message = `This PaymentIntent's status is ${status}, which does not allow this.`;
  return invalidRequest(message, { code: 'payment_intent_unexpected_state' });
}
