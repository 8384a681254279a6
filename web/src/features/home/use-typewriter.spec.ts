import { typedAfter } from './use-typewriter.js';

describe('the typewriter', () => {
  it.each([
    [0, 0],
    [19, 0],
    [20, 1],
    [200, 10],
    [2_000, 100],
    [1_000_000, 100],
  ])('has typed of 100 characters after %i ms: %i', (elapsedMs, characters) => {
    expect(typedAfter(elapsedMs, 100)).toBe(characters);
  });
});
