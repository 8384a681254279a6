import fc from 'fast-check';
import { dollarsOf, microusdOf } from './microusd.js';

describe('microusdOf', () => {
  it.each([
    ['0', 0n],
    ['0.0079', 7_900n],
    ['0.00395', 3_950n],
    ['12', 12_000_000n],
    ['0.0000004', 0n],
    ['0.0000005', 1n],
    ['0.00000049999', 0n],
    ['0.9999999', 1_000_000n],
  ])('parses %s dollars as %s millionths', (text, microusd) => {
    expect(microusdOf(text)).toBe(microusd);
  });

  it.each(['', '.5', '1.', '-1', '+1', '1e3', '0x10', '1,5', ' 1', '1 ', '１', 'NaN', '1234567890123'])(
    'returns undefined for %j',
    (text) => {
      expect(microusdOf(text)).toBeUndefined();
    },
  );

  it('gives back what dollarsOf has written', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 17n), (microusd) => {
        expect(microusdOf(dollarsOf(microusd))).toBe(microusd);
      }),
    );
  });
});

describe('dollarsOf', () => {
  it.each([
    [0n, '0.000000'],
    [-4_000n, '-0.004000'],
    [1_234_567n, '1.234567'],
  ])('writes %s millionths as %s dollars', (microusd, text) => {
    expect(dollarsOf(microusd)).toBe(text);
  });
});
