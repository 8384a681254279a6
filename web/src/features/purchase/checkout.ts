import { ApiFailure, failureOf } from '../../api/api-failure.js';

/** Why no checkout was opened: a `fault` is shown beside the packs, a `failure` opens the failure popup. */
export type CheckoutFailure =
  { readonly kind: 'fault'; readonly text: string } | { readonly kind: 'failure'; readonly text: string };

const toldWhole: readonly (string | undefined)[] = ['stripe_not_configured', 'checkout_failed'];

/** Words the failure as in the product specification, section 8, which separates rejections from all other errors. */
export function checkoutFailure(error: unknown): CheckoutFailure {
  const { kind, code, message } = failureOf(error);
  if (!(error instanceof ApiFailure) || (kind === 'broken' && code === undefined))
    return {
      kind: 'failure',
      text: `An error occurred: ${message.replace(/\.( Please try again\.)?$/, '')}. Please try again or contact support.`,
    };
  const isWhole = toldWhole.includes(code) || kind === 'too_many' || kind === 'session';
  return { kind: 'fault', text: isWhole ? message : `Failed to create checkout session: ${message}` };
}

/** Parses the address of the payment page. Throws, with a message for the user, unless it is a web address. */
export function checkoutPage(url: string): URL {
  const page = new URL(url);
  if (page.protocol !== 'https:' && page.protocol !== 'http:')
    throw new Error('the address of the payment page is not a web address');
  return page;
}
