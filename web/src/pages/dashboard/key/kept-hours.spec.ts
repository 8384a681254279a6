import { keptHours } from './kept-hours.js';

describe('the hours that an old key keeps working', () => {
  it.each([
    ['0', 0],
    [' 24 ', 24],
    ['72', 72],
    ['073', undefined],
    ['73', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['1e1', undefined],
    ['', undefined],
    ['a day', undefined],
  ])('%j are %p', (typed, hours) => {
    expect(keptHours(typed)).toBe(hours);
  });
});
