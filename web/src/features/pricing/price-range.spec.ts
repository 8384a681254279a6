import { hasRangeOf, rangeText } from './price-range.js';

const prices = (...credits: number[]) => credits.map((creditsPerSms) => ({ creditsPerSms }));

describe('the range of prices', () => {
  it.each([
    [[1], '1 credit'],
    [[2, 2], '2 credits'],
    [[4, 1, 5], 'from 1 credit to 5, depending on the country'],
    [[3, 2], 'from 2 credits to 3, depending on the country'],
  ])('of %j credits is %s', (credits, text) => {
    expect(rangeText(prices(...credits))).toBe(text);
  });

  it.each([
    [[1, 5], [5, 2, 1], true],
    [[1, 5], [1, 6], false],
    [[2, 5], [1, 5], false],
    [[], [1], false],
  ])('of %j and of %j is the same: %j', (one, other, isSame) => {
    expect(hasRangeOf(prices(...one), prices(...other))).toBe(isSame);
  });
});
