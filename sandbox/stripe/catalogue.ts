import { randomBytes } from 'node:crypto';

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Creates a Stripe id: a prefix such as `pi_`, then letters and digits. */
export function newId(prefix: string, characters = 24): string {
  let id = prefix;
  for (const byte of randomBytes(characters)) id += LETTERS[byte % LETTERS.length];
  return id;
}

/** Converts milliseconds to Stripe's seconds since 1970. */
export function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}

type Metadata = Record<string, string>;

interface NewProduct {
  readonly id?: string | undefined;
  readonly name: string;
  readonly description?: string | undefined;
  readonly active?: boolean | undefined;
  readonly metadata?: Metadata | undefined;
}

interface NewPrice {
  readonly id?: string | undefined;
  readonly product: string;
  readonly currency: string;
  readonly unit_amount: number;
  readonly nickname?: string | undefined;
  readonly lookup_key?: string | undefined;
  readonly active?: boolean | undefined;
  readonly metadata?: Metadata | undefined;
}

/** Creates a Product with all fields of Stripe's API description. */
export function newProduct({ id, name, description, active, metadata }: NewProduct, nowMs: number) {
  return {
    id: id ?? newId('prod_', 14),
    object: 'product' as const,
    active: active ?? true,
    created: seconds(nowMs),
    default_price: null,
    description: description ?? null,
    images: [] as string[],
    livemode: false,
    marketing_features: [],
    metadata: metadata ?? {},
    name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service' as const,
    unit_label: null,
    updated: seconds(nowMs),
    url: null,
  };
}
export type Product = ReturnType<typeof newProduct>;

/** Creates a one-time Price. `unit_amount` is in the currency's smallest unit. */
export function newPrice(price: NewPrice, nowMs: number) {
  return {
    id: price.id ?? newId('price_'),
    object: 'price' as const,
    active: price.active ?? true,
    billing_scheme: 'per_unit' as const,
    created: seconds(nowMs),
    currency: price.currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: price.lookup_key ?? null,
    metadata: price.metadata ?? {},
    nickname: price.nickname ?? null,
    product: price.product,
    recurring: null,
    tax_behavior: 'unspecified' as const,
    tiers_mode: null,
    transform_quantity: null,
    type: 'one_time' as const,
    unit_amount: price.unit_amount,
    unit_amount_decimal: String(price.unit_amount),
  };
}
export type Price = ReturnType<typeof newPrice>;

/** Creates a line item of a session. */
export function newLineItem(price: Price, product: Product, quantity: number) {
  const total = price.unit_amount * quantity;
  return {
    id: newId('li_'),
    object: 'item' as const,
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: total,
    amount_tax: 0,
    amount_total: total,
    currency: price.currency,
    description: product.name,
    metadata: {},
    price,
    quantity,
  };
}
export type LineItem = ReturnType<typeof newLineItem>;
