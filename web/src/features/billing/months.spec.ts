import { firstDayOf } from './months.js';

describe('firstDayOf', () => {
  it.each([
    [1, '2026-11-26', '2026-11-01'],
    [6, '2026-03-31', '2025-10-01'],
    [12, '2026-01-01', '2025-02-01'],
  ])('of %s months until %s is %s', (months, day, first) => {
    expect(firstDayOf(months, day)).toBe(first);
  });
});
