/** A pack of credits at a fixed price. */
export interface Pack {
  readonly id: PackId;
  readonly title: string;
  readonly priceCents: number;
  readonly credits: number;
}

export const packIds = ['starter', 'basic', 'pro', 'enterprise'] as const;
export type PackId = (typeof packIds)[number];

/** Packs for sale, in US dollars. Source: product specification, section 9. */
export const packs: readonly Pack[] = [
  { id: 'starter', title: 'Starter', priceCents: 300, credits: 50 },
  { id: 'basic', title: 'Basic', priceCents: 1_000, credits: 250 },
  { id: 'pro', title: 'Pro', priceCents: 3_000, credits: 1_000 },
  { id: 'enterprise', title: 'Enterprise', priceCents: 5_000, credits: 2_500 },
];

/** Currency of the product: ISO 4217 in lower case, as Stripe writes it. */
export const packCurrency = 'usd';

/** Formats cents with both decimals, for documents: '$10.00', '$1,250.50'. */
export function exactDollars(cents: number): string {
  return `$${(cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}

/**
 * Formats the price of one message at a pack's price per credit: '$0.06', with as many decimals as
 * it takes, up to four.
 */
export function messageDollars({ priceCents, credits }: Pick<Pack, 'priceCents' | 'credits'>, used: number): string {
  const price = (priceCents * used) / credits / 100;
  return `$${price.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 4 })}`;
}

/** Formats cents: '$10', '$3.50', '$1,350'. */
export function dollars(cents: number): string {
  const digits = cents % 100 === 0 ? 0 : 2;
  return `$${(cents / 100).toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
}
