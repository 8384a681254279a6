import { cardPayments, priceCards } from './pricing.js';

describe('priceCards', () => {
  it('has the five cards of the product specification', () => {
    expect(priceCards.slice(0, 4).map(({ title, price, amount }) => [title, price, amount])).toEqual([
      ['Starter', '$3', '50 credits'],
      ['Basic', '$10', '250 credits'],
      ['Pro', '$30', '1,000 credits'],
      ['Enterprise', '$50', '2,500 credits'],
    ]);
    expect(priceCards[4]?.title).toBe('Custom');
    expect(priceCards[4]?.words.join()).toContain('Contact sales');
  });
});

describe('cardPayments', () => {
  it.each([
    'card payment provider',
    'not stored',
    'one-time charge',
    'unless you turn on automatic top-up',
    'Terms of Service',
  ])('includes: %s', (words) => {
    expect(cardPayments).toContain(words);
  });
});
