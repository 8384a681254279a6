import { ApiFailure, failureOf } from '../../api/api-failure.js';

/**
 * Reason why no checkout was opened: a `fault` is shown beside the packs, a `failure` in a popup.
 */
export type CheckoutFailure =
  | { readonly kind: 'fault'; readonly text: string }
  | { readonly kind: 'failure'; readonly text: string };

const toldWhole: readonly (string | undefined)[] = ['stripe_not_configured', 'checkout_failed'];

/**
 * Words the failure as in the product specification, section 8, which separates rejections from all
 * other errors.
 */
export function checkoutFailure(error: unknown): CheckoutFailure {
  const { kind, code, message } = failureOf(error);
  if (!(error instanceof ApiFailure) || (kind === 'broken' && code === undefined))
    return {
      kind: 'failure',
      text: `An error occurred: ${withoutAdvice(message)}. Please try again or contact support.`,
    };
  const isWhole = toldWhole.includes(code) || kind === 'too_many' || kind === 'session';
  return { kind: 'fault', text: isWhole ? message : `Failed to create checkout session: ${message}` };
}

/**
 * Removes the full stop of a message, and a last sentence that advises to try again, as the text
 * around it does.
 */
function withoutAdvice(message: string): string {
  return message.replace(/(\. [^.]*\btry again\b[^.]*)?\.?$/i, '');
}

/**
 * Parses the address of the payment page. Throws, with a message for the user, unless it is a web
 * address.
 */
export function checkoutPage(url: string): URL {
  const page = new URL(url);
  if (page.protocol !== 'https:' && page.protocol !== 'http:')
    throw new Error('the address of the payment page is not a web address');
  return page;
}

/**
 * Return of the browser from the checkout. The server decides by the session id; the address alone
 * proves nothing.
 */
export type ReturnedPurchase =
  | { readonly kind: 'success'; readonly sessionId: string | null }
  | { readonly kind: 'failed' | 'canceled' };

/**
 * Parses the return address, which core/billing writes. Undefined when the page was not reached
 * from a checkout.
 */
export function returnedPurchase(search: string): ReturnedPurchase | undefined {
  const parameters = new URLSearchParams(search);
  const transaction = parameters.get('transaction');
  if (transaction === 'failed' || transaction === 'canceled') return { kind: transaction };
  return transaction === 'success' ? { kind: 'success', sessionId: parameters.get('session_id') || null } : undefined;
}

const CLAIMED = 'pennytext.purchases';
const UNSETTLED = 'pennytext.purchase';
const CLAIMED_MAX = 50;

/**
 * Purchases that this browser has announced, in any tab, and the purchase this tab still waits for.
 * Without browser storage a reload announces a purchase again, which adds no credits.
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
