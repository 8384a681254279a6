import { storableCode } from './carrier-code.js';

describe('storableCode', () => {
  it.each([
    [1, 1],
    [21_610, 21_610],
    [2_147_483_647, 2_147_483_647],
    [2_147_483_648, null],
    [0xffff_ffff, null],
    [0, null],
    [-1, null],
    [1.5, null],
    [NaN, null],
    [Infinity, null],
    [null, null],
    [undefined, null],
  ])('stores %p as %p', (code, stored) => {
    expect(storableCode(code)).toBe(stored);
  });
});
