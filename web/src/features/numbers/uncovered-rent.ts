import type { NumberView } from '#contract/numbers.js';

type Rented = Pick<NumberView, 'status' | 'auto_renew' | 'renews_at' | 'credits_per_month'>;

interface UncoveredRent {
  /** Time of the last rent, RFC 3339. */
  readonly at: string;
  /** Credits that are taken until `at`, for `numbers` numbers. */
  readonly credits: number;
  readonly numbers: number;
}

const DAY_MS = 86_400_000;

/**
 * Sums the rents up to a day after the first rent that the credits do not cover; undefined when the
 * credits cover all rents.
 */
export function uncoveredRent(numbers: readonly Rented[], spendable: number): UncoveredRent | undefined {
  const rents = numbers
    .flatMap(({ status, auto_renew: isRenewed, renews_at: at, credits_per_month: rent }) =>
      status === 'active' && isRenewed && at !== null && rent !== null ? [{ at, rent }] : [],
    )
    .sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  let credits = 0;
  const first = rents.find(({ rent }) => (credits += rent) > spendable);
  if (!first) return undefined;
  const until = Date.parse(first.at) + DAY_MS;
  const due = rents.filter(({ at }) => Date.parse(at) < until);
  return {
    at: due.at(-1)?.at ?? first.at,
    credits: due.reduce((sum, { rent }) => sum + rent, 0),
    numbers: due.length,
  };
}
