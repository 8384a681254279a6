import { newPrice, newProduct, type Price, type Product } from './catalogue.js';
import { Kept } from './kept.js';
import type { Charge, PaymentIntent } from './payment.js';
import type { Dispute, Refund } from './reversal.js';
import type { Checkout } from './session.js';

/** A price that is there from the start. `cents` are of a US dollar. */
export interface SeededPrice {
  readonly id: string;
  readonly cents: number;
}

/** Everything that Stripe keeps for the account, in memory. */
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

  /** Forgets everything but the seeded prices. */
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
