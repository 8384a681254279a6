import type { NumberView } from '#contract/numbers.js';

type Rented = Pick<NumberView, 'status' | 'auto_renew' | 'renews_at' | 'credits_per_month'>;

interface UncoveredRent {
  /** When the rent is taken, RFC 3339. */
  readonly at: string;
  /** Credits that are taken until then, for so many numbers. */
  readonly credits: number;
  readonly numbers: number;
}

/** The first rent that these credits do not cover after the rents before it; undefined when they cover all. */
export function uncoveredRent(numbers: readonly Rented[], spendable: number): UncoveredRent | undefined {
  const rents = numbers
    .flatMap(({ status, auto_renew: isRenewed, renews_at: at, credits_per_month: rent }) =>
      status === 'active' && isRenewed && at !== null && rent !== null ? [{ at, rent }] : [],
    )
    .sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  let credits = 0;
  for (const [place, { at, rent }] of rents.entries()) {
    credits += rent;
    if (credits > spendable) return { at, credits, numbers: place + 1 };
  }
  return undefined;
}
