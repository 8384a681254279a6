import { ApiFailure, failureOf } from '../../../api/api-failure.js';

/** Why no checkout was opened: `fault` is told beside the packs, `failure` makes the purchase a failed one. */
export type CheckoutFailure =
  { readonly kind: 'fault'; readonly text: string } | { readonly kind: 'failure'; readonly text: string };

const toldWhole: readonly (string | undefined)[] = ['stripe_not_configured', 'checkout_failed'];

/** The words for it (product specification, section 8). What the server says no to is told apart from all other errors. */
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

/** The card payment provider's page, if it is one that a browser may be sent to. Throws for people. */
export function checkoutPage(url: string): URL {
  const page = new URL(url);
  if (page.protocol !== 'https:' && page.protocol !== 'http:')
    throw new Error('the address of the payment page is not a web address');
  return page;
}
