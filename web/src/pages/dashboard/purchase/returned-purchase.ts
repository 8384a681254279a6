/** How a browser came back from the checkout. The id names what the server is asked about: the address alone proves nothing. */
export type ReturnedPurchase =
  { readonly kind: 'success'; readonly sessionId: string | null } | { readonly kind: 'failed' };

/** The address that leads back is written by core/billing/start-checkout. Undefined: nobody came back. */
export function returnedPurchase(search: string): ReturnedPurchase | undefined {
  const parameters = new URLSearchParams(search);
  const transaction = parameters.get('transaction');
  if (transaction === 'failed') return { kind: 'failed' };
  return transaction === 'success' ? { kind: 'success', sessionId: parameters.get('session_id') || null } : undefined;
}
