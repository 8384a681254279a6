import { credits } from './credits.js';

describe('credits', () => {
  it.each([
    [1, '1 credit'],
    [0, '0 credits'],
    [2_500, '2,500 credits'],
  ])('%i is %s', (count, words) => {
    expect(credits(count)).toBe(words);
  });
});
