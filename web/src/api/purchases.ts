import {
  checkoutAnswer,
  checkoutStatusAnswer,
  type CheckoutAnswer,
  type CheckoutStatusAnswer,
} from '#contract/billing.js';
import type { PackId } from '#contract/packs.js';
import { redeemCodeAnswer, type RedeemCodeAnswer } from '#contract/credits.js';
import { call } from './call.js';

/** Opens a checkout of one pack; the buyer goes on to its `url`. */
export function startCheckout(pack: PackId): Promise<CheckoutAnswer> {
  return call(checkoutAnswer, { method: 'POST', path: '/api/checkout', body: { pack } });
}

/** What became of a checkout; a paid one is credited by asking. */
export function readCheckout(sessionId: string): Promise<CheckoutStatusAnswer> {
  return call(checkoutStatusAnswer, { method: 'GET', path: `/api/checkout/${encodeURIComponent(sessionId)}` });
}

/** Throws a failure with the message of whatever the code is not good for. */
export function redeemCode(code: string): Promise<RedeemCodeAnswer> {
  return call(redeemCodeAnswer, { method: 'POST', path: '/api/redeemcode', body: { code }, refusal: redeemCodeAnswer });
}
