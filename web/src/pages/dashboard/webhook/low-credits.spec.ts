import { lowCreditsOf } from './low-credits.js';

describe('the balance below which credits are low', () => {
  it.each([
    ['10', 10],
    [' 1,000 ', 1_000],
    ['1000000', 1_000_000],
    ['1000001', undefined],
    ['0', undefined],
    ['-5', undefined],
    ['2.5', undefined],
    ['ten', undefined],
    ['', undefined],
  ])('%j', (text, count) => {
    expect(lowCreditsOf(text)).toBe(count);
  });
});
