import { dollars, packs } from './packs.js';

describe('packs', () => {
  it('has the prices and credits of the specification', () => {
    expect(packs.map(({ title, priceCents, credits }) => [title, priceCents, credits])).toEqual([
      ['Starter', 300, 50],
      ['Basic', 1_000, 250],
      ['Pro', 3_000, 1_000],
      ['Enterprise', 5_000, 2_500],
    ]);
  });

  it.each([
    [300, '$3'],
    [350, '$3.50'],
    [1_005, '$10.05'],
    [0, '$0'],
    [135_000, '$1,350'],
  ])('writes %i cents as %s', (cents, text) => {
    expect(dollars(cents)).toBe(text);
  });
});
