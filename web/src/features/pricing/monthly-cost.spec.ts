import fc from 'fast-check';
import { messageDollars, packs } from '#contract/packs.js';
import { monthlyCosts } from './monthly-cost.js';

describe('monthlyCosts', () => {
  it('buys as many packs as the messages need, and marks the cheapest kind', () => {
    // 100 messages of 3 credits.
    expect(monthlyCosts(packs, 100, 3)).toEqual([
      {
        id: 'starter',
        title: 'Starter',
        perMessage: '$0.18',
        packs: 6,
        creditsLeft: 0,
        price: '$18',
        isCheapest: true,
      },
      { id: 'basic', title: 'Basic', perMessage: '$0.12', packs: 2, creditsLeft: 200, price: '$20', isCheapest: false },
      { id: 'pro', title: 'Pro', perMessage: '$0.09', packs: 1, creditsLeft: 700, price: '$30', isCheapest: false },
      {
        id: 'enterprise',
        title: 'Enterprise',
        perMessage: '$0.06',
        packs: 1,
        creditsLeft: 2_200,
        price: '$50',
        isCheapest: false,
      },
    ]);
  });

  it('always has enough credits, with no pack too many, and one cheapest kind', () => {
    const messages = fc.integer({ min: 1, max: 1_000_000 });
    fc.assert(
      fc.property(messages, fc.integer({ min: 1, max: 50 }), (count, each) => {
        const costs = monthlyCosts(packs, count, each);
        costs.forEach((cost, place) => {
          const { credits = 0 } = packs[place] ?? {};
          expect(cost.packs * credits).toBeGreaterThanOrEqual(count * each);
          expect(cost.creditsLeft).toBe(cost.packs * credits - count * each);
          expect((cost.packs - 1) * credits).toBeLessThan(count * each);
        });
        expect(costs.filter(({ isCheapest }) => isCheapest)).toHaveLength(1);
      }),
    );
  });
});

it.each([
  [300, 50, 1, '$0.06'],
  [5_000, 2_500, 5, '$0.10'],
  [1_000, 3_000, 1, '$0.0033'],
  [3_000, 1_000, 50, '$1.50'],
])('a message from a pack of %s cents and %s credits for %s credits costs %s', (priceCents, credits, used, price) => {
  expect(messageDollars({ priceCents, credits }, used)).toBe(price);
});
