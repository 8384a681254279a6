import fc from 'fast-check';
import { daysInWords, daysLeft, recentUseOf } from './credit-use.js';

const account = { ageHours: 2_000, usedInWeek: 0, usedInMonth: 0 };

describe('recentUseOf', () => {
  it.each([
    ['the last 7 days', { usedInWeek: 70, usedInMonth: 900 }, { credits: 70, hours: 168 }],
    [
      'the last 30 days when the last 7 have too little use',
      { usedInWeek: 9, usedInMonth: 90 },
      { credits: 90, hours: 720 },
    ],
    ['the life of a young account', { ageHours: 100.9, usedInWeek: 50, usedInMonth: 50 }, { credits: 50, hours: 100 }],
    ['nothing before 3 days', { ageHours: 71.9, usedInWeek: 500, usedInMonth: 500 }, undefined],
    ['nothing with fewer than 10 credits', { usedInWeek: 9, usedInMonth: 9 }, undefined],
    ['nothing when refunds outweigh the use', { usedInWeek: -20, usedInMonth: -20 }, undefined],
  ])('rests on %s', (_what, figures, use) => {
    expect(recentUseOf({ ...account, ...figures })).toEqual(use);
  });
});

describe('daysLeft', () => {
  it.each([
    [120, { credits: 70, hours: 168 }, 12],
    [9, { credits: 70, hours: 168 }, 0],
    [10, { credits: 70, hours: 168 }, 1],
    [0, { credits: 10, hours: 72 }, 0],
    [90, { credits: 90, hours: 720 }, 30],
  ])('of %i credits at %j is %i', (available, use, days) => {
    expect(daysLeft(available, use)).toBe(days);
  });

  it('never promises a day that the credits do not cover', () => {
    const use = fc.record({ credits: fc.integer({ min: 10, max: 1e6 }), hours: fc.integer({ min: 72, max: 720 }) });
    fc.assert(
      fc.property(fc.nat({ max: 1e6 }), use, (available, one) => {
        const days = daysLeft(available, one);
        expect(days * one.credits * 24).toBeLessThanOrEqual(available * one.hours);
        expect((days + 1) * one.credits * 24).toBeGreaterThan(available * one.hours);
      }),
    );
  });
});

it.each([
  [0, 'less than a day'],
  [1, 'about 1 day'],
  [12, 'about 12 days'],
  [365, 'about 365 days'],
  [366, 'more than a year'],
])('%i days are %j', (days, words) => {
  expect(daysInWords(days)).toBe(words);
});
