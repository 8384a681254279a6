import {
  type Charge,
  type Customer,
  type Dispute,
  newPrice,
  type PaymentIntent,
  type PaymentMethod,
  type PaymentProblem,
  type Payer,
  type Price,
  type Refund,
  type Session,
  type SetupIntent,
  type StripeEvent,
} from './objects.js';
import { resourceMissing } from './stripe-error.js';
import type { TestCard } from './test-cards.js';

const KEPT_MAX = 20_000;

/** The newest objects of one type, by id and in order of creation. */
export class Kept<T extends { readonly id: string }> {
  private readonly byId = new Map<string, T>();

  /** `noun` names the type in error messages. */
  constructor(private readonly noun: string) {}

  add(item: T): T {
    this.byId.set(item.id, item);
    const [oldest] = this.byId.keys();
    if (this.byId.size > KEPT_MAX && oldest !== undefined) this.byId.delete(oldest);
    return item;
  }

  find(id: string): T | undefined {
    return this.byId.get(id);
  }

  /** Throws `resource_missing`: 404 for the object of the path, 400 for a parameter. */
  get(id: string, param?: string): T {
    const item = this.byId.get(id);
    if (item === undefined) throw resourceMissing(this.noun, id, param);
    return item;
  }

  remove(id: string): void {
    this.byId.delete(id);
  }

  newestFirst(): T[] {
    return [...this.byId.values()].reverse();
  }

  get size(): number {
    return this.byId.size;
  }

  clear(): void {
    this.byId.clear();
  }
}

/** A position of the bill. */
export interface LineItem {
  readonly name: string;
  readonly quantity: number;
  /** Price in cents. */
  readonly unitAmount: number;
}

/** A session with its internal state. */
export interface Checkout {
  readonly id: string;
  readonly session: Session;
  readonly lineItems: readonly LineItem[];
  readonly baseUrl: string;
  /** Card and buyer of the last attempt. */
  attempt: { readonly card: TestCard; readonly payer: Payer } | null;
  /** The last attempt waits for 3-D Secure. */
  isPending: boolean;
  /** Failure of the last attempt. */
  problem: PaymentProblem | null;
}

/** A saved card with its behavior. */
export interface SavedCard {
  readonly id: string;
  readonly method: PaymentMethod;
  readonly card: TestCard;
}

/** A price that exists from the start, in US cents. */
export interface SeededPrice {
  readonly id: string;
  readonly cents: number;
}

/** All objects of the Stripe account, in memory. */
export class StripeStore {
  readonly prices = new Kept<Price>('price');
  readonly customers = new Kept<Customer>('customer');
  readonly cards = new Kept<SavedCard>('PaymentMethod');
  readonly setupIntents = new Kept<SetupIntent>('setupintent');
  readonly checkouts = new Kept<Checkout>('checkout.session');
  readonly intents = new Kept<PaymentIntent>('payment_intent');
  readonly charges = new Kept<Charge>('charge');
  readonly refunds = new Kept<Refund>('refund');
  readonly disputes = new Kept<Dispute>('dispute');
  readonly events = new Kept<StripeEvent>('event');

  constructor(seeded: readonly SeededPrice[]) {
    for (const { id, cents } of seeded) this.prices.add(newPrice(id, cents));
  }

  /** Deletes everything except the prices. */
  clear(): void {
    for (const kept of [this.customers, this.cards, this.setupIntents]) kept.clear();
    for (const kept of [this.checkouts, this.intents, this.charges, this.refunds, this.disputes, this.events]) {
      kept.clear();
    }
  }
}
