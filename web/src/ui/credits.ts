/** '1 credit', '2,500 credits'. */
export function credits(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'credit' : 'credits'}`;
}
