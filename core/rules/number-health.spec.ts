import { codesOfNumbers, isFiltered, isFilter } from './number-health.js';

describe('isFiltered', () => {
  it.each([
    [{ ended: 3, failed: 3, filtered: 3 }, true],
    [{ ended: 2, failed: 2, filtered: 2 }, false],
    [{ ended: 15, failed: 3, filtered: 3 }, true],
    [{ ended: 16, failed: 3, filtered: 3 }, false],
    [{ ended: 1_000, failed: 200, filtered: 200 }, true],
    [{ ended: 10, failed: 5, filtered: 0 }, true],
    [{ ended: 10, failed: 4, filtered: 0 }, false],
    [{ ended: 9, failed: 9, filtered: 0 }, false],
    [{ ended: 0, failed: 0, filtered: 0 }, false],
  ])('of %j is %s', (figures, expected) => expect(isFiltered(figures)).toBe(expected));
});

describe('The codes of numbers', () => {
  const has = (code: number) => codesOfNumbers.some((one) => one.carrier === 1 && one.code === code);

  it('are those of the sender and the route, and those with which carriers filter', () => {
    expect([30_034, 30_007, 30_002, 30_003, 21_610].map(has)).toEqual([true, true, false, false, false]);
    expect(codesOfNumbers.some(({ carrier }) => carrier === 2)).toBe(true);
  });

  it('filter at the carrier that has them', () => {
    const filters = [
      [1, 30_007],
      [1, 30_034],
      [2, 40_002],
      [2, 40_010],
    ] as const;
    for (const [carrier, code] of filters)
      expect([carrier, code, isFilter(carrier, code)]).toEqual([carrier, code, true]);
    const others = [
      [1, 30_003],
      [2, 30_007],
      [2, 40_008],
      [3, 30_007],
    ] as const;
    for (const [carrier, code] of others)
      expect([carrier, code, isFilter(carrier, code)]).toEqual([carrier, code, false]);
  });
});
