import { dayText, newYorkTime, shortDayText } from './date-time.js';

describe('dates for people', () => {
  it.each([
    ['2026-11-21T20:04:05Z', '11/21/2026, 3:04:05 PM'],
    ['2026-07-04T04:00:00.000Z', '7/4/2026, 12:00:00 AM'],
  ])('%s is %s in New York', (instant, text) => {
    expect(newYorkTime(instant)).toBe(text);
  });

  it('writes a day as it is, wherever its reader is', () => {
    expect([dayText('2026-11-01'), shortDayText('2026-03-08')]).toEqual(['Nov 1, 2026', 'Mar 8']);
  });
});
