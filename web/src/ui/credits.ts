const grouped = new Intl.NumberFormat('en-US');

/** '1 credit', '2,500 credits'. */
export function credits(count: number): string {
  return `${grouped.format(count)} ${count === 1 ? 'credit' : 'credits'}`;
}
