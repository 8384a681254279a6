import { ApiFailure } from '../../api/api-failure.js';
import { checkoutFailure, checkoutPage, returnedPurchase } from './checkout.js';

describe('checkoutFailure', () => {
  it.each([
    [
      'Stripe is not configured',
      new ApiFailure('broken', 'Stripe failed to initialize. Please check your configuration.', {
        code: 'stripe_not_configured',
      }),
      { kind: 'fault', text: 'Stripe failed to initialize. Please check your configuration.' },
    ],
    [
      'Stripe refuses',
      new ApiFailure('broken', 'Failed to create checkout session: Stripe is busy.', { code: 'checkout_failed' }),
      { kind: 'fault', text: 'Failed to create checkout session: Stripe is busy.' },
    ],
    [
      'the server refuses',
      new ApiFailure('refused', 'Forbidden', { code: 'cross_site' }),
      { kind: 'fault', text: 'Failed to create checkout session: Forbidden' },
    ],
    [
      'there were too many',
      new ApiFailure('too_many', 'Try later.', { code: 'too_many_checkouts' }),
      { kind: 'fault', text: 'Try later.' },
    ],
    [
      'nothing was reached',
      new TypeError('Failed to fetch'),
      {
        kind: 'failure',
        text: 'An error occurred: Pennytext could not be reached. Please try again or contact support.',
      },
    ],
    [
      'the answer took too long',
      new DOMException('signal timed out', 'TimeoutError'),
      {
        kind: 'failure',
        text: 'An error occurred: Pennytext took too long to answer. Please try again or contact support.',
      },
    ],
    [
      'the address of the payment page is wrong',
      new ApiFailure('broken', 'Stripe 2.0 is down'),
      { kind: 'failure', text: 'An error occurred: Stripe 2.0 is down. Please try again or contact support.' },
    ],
    [
      'the answer is none of the server’s',
      new ApiFailure('broken', 'Something went wrong. Please try again.'),
      {
        kind: 'failure',
        text: 'An error occurred: Something went wrong. Please try again or contact support.',
      },
    ],
  ])('uses the specified words when %s', (_when, error, expected) => {
    expect(checkoutFailure(error)).toEqual(expected);
  });
});

it('accepts only web addresses', () => {
  expect(checkoutPage('https://checkout.example/pay').href).toBe('https://checkout.example/pay');
  expect(() => checkoutPage('javascript:alert(1)')).toThrow('not a web address');
});

describe('returnedPurchase', () => {
  it.each([
    ['?transaction=canceled', { kind: 'canceled' }],
    ['?transaction=success&credits=250&session_id=cs_1', { kind: 'success', sessionId: 'cs_1' }],
    ['?transaction=success&credits=250', { kind: 'success', sessionId: null }],
    ['?transaction=success&credits=250&session_id=', { kind: 'success', sessionId: null }],
    ['?transaction=failed', { kind: 'failed' }],
    ['?transaction=paid', undefined],
    ['?session_id=cs_1', undefined],
    ['', undefined],
  ])('%s', (search, returned) => {
    expect(returnedPurchase(search)).toEqual(returned);
  });
});
