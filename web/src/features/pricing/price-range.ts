interface Priced {
  readonly creditsPerSms: number;
}

/** Whether both lists have the same lowest and highest price. */
export function hasRangeOf(prices: readonly Priced[], others: readonly Priced[]): boolean {
  return rangeOf(prices).join() === rangeOf(others).join();
}

/** The range of prices in words: 'from 1 credit to 5, depending on the country'. */
export function rangeText(prices: readonly Priced[]): string {
  const [least = 0, most = 0] = rangeOf(prices);
  const cheapest = `${least} ${least === 1 ? 'credit' : 'credits'}`;
  return least === most ? cheapest : `from ${cheapest} to ${most}, depending on the country`;
}

function rangeOf(prices: readonly Priced[]): number[] {
  const credits = prices.map(({ creditsPerSms }) => creditsPerSms);
  return credits.length === 0 ? [] : [Math.min(...credits), Math.max(...credits)];
}
