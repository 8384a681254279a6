/**
 * How the browser returned from the checkout. The server decides by the session id; the address alone proves nothing.
 */
export type ReturnedPurchase =
  { readonly kind: 'success'; readonly sessionId: string | null } | { readonly kind: 'failed' };

/** Parses the return address, which core/billing writes. Undefined when the page was not reached from a checkout. */
export function returnedPurchase(search: string): ReturnedPurchase | undefined {
  const parameters = new URLSearchParams(search);
  const transaction = parameters.get('transaction');
  if (transaction === 'failed') return { kind: 'failed' };
  return transaction === 'success' ? { kind: 'success', sessionId: parameters.get('session_id') || null } : undefined;
}

const CLAIMED = 'pennytext.purchases';
const UNSETTLED = 'pennytext.purchase';
const CLAIMED_MAX = 50;

/**
 * Purchases that this browser has announced, in any tab, and the one this tab still waits for. Without browser storage
 * a reload announces a purchase again, which adds no credits.
 */
export const purchaseClaims = {
  /** Claims a returned purchase for this tab; false when it was announced before. */
  take(sessionId: string): boolean {
    const claimed = claimedIds();
    if (claimed.includes(sessionId)) return false;
    keep(() => {
      localStorage.setItem(CLAIMED, [...claimed, sessionId].slice(-CLAIMED_MAX).join(' '));
      sessionStorage.setItem(UNSETTLED, sessionId);
    });
    return true;
  },

  /** The purchase this tab has claimed but not announced yet; it survives a reload. */
  unsettled(): string | null {
    return keep(() => sessionStorage.getItem(UNSETTLED)) ?? null;
  },

  settle(): void {
    keep(() => sessionStorage.removeItem(UNSETTLED));
  },
};

function claimedIds(): string[] {
  return keep(() => localStorage.getItem(CLAIMED))?.split(' ') ?? [];
}

/** Undefined when the browser has no storage. */
function keep<T>(access: () => T): T | undefined {
  try {
    return access();
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}
