import { invalidRequest, resourceMissing } from './stripe-error.js';
import { newPrice, newProduct, type Price, type Product } from './catalogue.js';
import type { Charge, Dispute, PaymentIntent, Refund } from './payment-objects.js';
import type { Checkout } from './sessions.js';

/** Stripe's list cursors. */
interface ListQuery {
  readonly limit: number;
  readonly starting_after?: string | undefined;
  readonly ending_before?: string | undefined;
}

/** Stripe's list object. */
interface StripeList<T> {
  readonly object: 'list';
  readonly data: T[];
  readonly has_more: boolean;
  readonly url: string;
}

/** The newest objects of one type, by id and in order of creation. */
export class Kept<T extends { readonly id: string }> {
  private readonly byId = new Map<string, T>();

  /** `noun` names the type in error messages. */
  constructor(
    private readonly noun: string,
    private readonly keptMax = 20_000,
  ) {}

  add(item: T): T {
    this.byId.set(item.id, item);
    const [oldest] = this.byId.keys();
    if (this.byId.size > this.keptMax && oldest !== undefined) this.byId.delete(oldest);
    return item;
  }

  find(id: string): T | undefined {
    return this.byId.get(id);
  }

  /** Throws `resource_missing`: 404 for the object of the path, 400 for a parameter. */
  get(id: string, param?: string): T {
    const item = this.byId.get(id);
    if (item === undefined) throw resourceMissing(this.noun, id, param, param === undefined ? 404 : 400);
    return item;
  }

  newestFirst(): T[] {
    return [...this.byId.values()].reverse();
  }

  /** Returns a page of matching objects, newest first. */
  list(url: string, query: ListQuery, matches: (item: T) => boolean = () => true): StripeList<T> {
    const all = this.newestFirst().filter(matches);
    const place = (id: string, param: string) => {
      const index = all.findIndex((item) => item.id === id);
      if (index === -1) throw invalidRequest(`No such ${this.noun}: '${id}'`, { code: 'resource_missing', param });
      return index;
    };
    const { limit, starting_after: after, ending_before: before } = query;
    const end = before === undefined ? undefined : place(before, 'ending_before');
    const start = after === undefined ? 0 : place(after, 'starting_after') + 1;
    if (end !== undefined) {
      const from = Math.max(0, end - limit);
      return { object: 'list', data: all.slice(from, end), has_more: from > 0, url };
    }
    return { object: 'list', data: all.slice(start, start + limit), has_more: all.length > start + limit, url };
  }

  clear(): void {
    this.byId.clear();
  }
}

/** A price that exists from the start, in US cents. */
export interface SeededPrice {
  readonly id: string;
  readonly cents: number;
}

/** All objects of the Stripe account, in memory. */
export class StripeStore {
  readonly products = new Kept<Product>('product');
  readonly prices = new Kept<Price>('price');
  readonly checkouts = new Kept<Checkout>('checkout.session');
  readonly intents = new Kept<PaymentIntent>('payment_intent');
  readonly charges = new Kept<Charge>('charge');
  readonly refunds = new Kept<Refund>('refund');
  readonly disputes = new Kept<Dispute>('dispute');

  constructor(private readonly seeded: readonly SeededPrice[]) {
    this.seed();
  }

  /** Deletes everything except the seeded prices. */
  clear(): void {
    for (const kept of [this.products, this.prices, this.checkouts, this.intents, this.charges, this.refunds]) {
      kept.clear();
    }
    this.disputes.clear();
    this.seed();
  }

  private seed(): void {
    for (const { id, cents } of this.seeded) {
      const words = id.replace(/^price_/, '').replace(/[_-]+/g, ' ');
      const name = words.charAt(0).toUpperCase() + words.slice(1);
      const product = this.products.add(newProduct({ id: id.replace(/^price_|^/, 'prod_'), name }, Date.now()));
      this.prices.add(newPrice({ id, product: product.id, currency: 'usd', unit_amount: cents }, Date.now()));
    }
  }
}
