const CLAIMED = 'pennytext.purchases';
const UNSETTLED = 'pennytext.purchase';
const CLAIMED_MAX = 50;

/**
 * Which purchases this browser has told of, in all its tabs, and the one that this tab still waits for. A browser that keeps
 * nothing, as some are told to, tells again after a reload: no credits come from that.
 */
export const purchaseClaims = {
  /** Takes a purchase that came back for this tab; false when it has been told of before. */
  take(sessionId: string): boolean {
    const claimed = claimedIds();
    if (claimed.includes(sessionId)) return false;
    keep(() => {
      localStorage.setItem(CLAIMED, [...claimed, sessionId].slice(-CLAIMED_MAX).join(' '));
      sessionStorage.setItem(UNSETTLED, sessionId);
    });
    return true;
  },

  /** What this tab took and has not told of yet: a reload must not lose it. */
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

/** Undefined where the browser keeps nothing. */
function keep<T>(access: () => T): T | undefined {
  try {
    return access();
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}
