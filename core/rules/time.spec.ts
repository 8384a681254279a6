import fc from 'fast-check';
import {
  dayAfter,
  daysUntil,
  meantInstant,
  newYorkDay,
  newYorkTimestamp,
  parseInstant,
  secondsUntilNewYorkMidnight,
  secondsUntilNewYorkMonth,
  startOfNewYorkDay,
} from './time.js';

describe('newYorkDay', () => {
  it.each([
    ['2026-11-21T20:04:05Z', '2026-11-21'],
    ['2026-01-01T04:59:59.999Z', '2025-12-31'],
    ['2026-01-01T05:00:00Z', '2026-01-01'],
    ['2026-07-04T03:59:59.999Z', '2026-07-03'],
    ['2026-07-04T04:00:00Z', '2026-07-04'],
    // Clocks go forward on 2026-03-08 and back on 2026-11-01, at 02:00.
    ['2026-03-08T04:59:59.999Z', '2026-03-07'],
    ['2026-03-08T05:00:00Z', '2026-03-08'],
    ['2026-03-09T03:59:59.999Z', '2026-03-08'],
    ['2026-03-09T04:00:00Z', '2026-03-09'],
    ['2026-11-01T03:59:59.999Z', '2026-10-31'],
    ['2026-11-01T04:00:00Z', '2026-11-01'],
    ['2026-11-02T04:59:59.999Z', '2026-11-01'],
    ['2026-11-02T05:00:00Z', '2026-11-02'],
  ])('returns the date at %s: %s', (instant, day) => {
    expect(newYorkDay(new Date(instant))).toBe(day);
  });
});

describe('secondsUntilNewYorkMonth', () => {
  it.each([
    ['a month begins', '2026-02-01T05:00:00Z', 28 * 86_400],
    ['the clocks go forward in it', '2026-03-01T05:00:00Z', 31 * 86_400 - 3_600],
    ['the year ends', '2027-01-01T04:59:58.001Z', 2],
  ])('counts %s (%s): %d', (_moment, instant, seconds) => {
    expect(secondsUntilNewYorkMonth(new Date(instant))).toBe(seconds);
  });
});

describe('secondsUntilNewYorkMidnight', () => {
  it.each([
    ['an ordinary day begins', '2026-01-15T05:00:00Z', 24 * 3600],
    ['the 23-hour day begins', '2026-03-08T05:00:00Z', 23 * 3600],
    ['the clocks have just gone forward', '2026-03-08T07:00:00Z', 21 * 3600],
    ['the 25-hour day begins', '2026-11-01T04:00:00Z', 25 * 3600],
    ['it is half past one for the first time', '2026-11-01T05:30:00Z', 23.5 * 3600],
    ['it is half past one for the second time', '2026-11-01T06:30:00Z', 22.5 * 3600],
    ['a millisecond is left', '2026-07-04T03:59:59.999Z', 1],
    ['a second and a millisecond are left', '2026-07-04T03:59:58.999Z', 2],
  ])('counts %s (%s): %d', (_moment, instant, seconds) => {
    expect(secondsUntilNewYorkMidnight(new Date(instant))).toBe(seconds);
  });

  it('ends exactly when the next day begins', () => {
    const instants = fc.date({ min: new Date('2007-12-01'), max: new Date('2099-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(instants, (at) => {
        const seconds = secondsUntilNewYorkMidnight(at);
        const after = (count: number) => newYorkDay(new Date(at.getTime() + count * 1000));
        expect(seconds >= 1 && seconds <= 90_000).toBe(true);
        expect(after(seconds) > newYorkDay(at)).toBe(true);
        expect(after(seconds - 1)).toBe(newYorkDay(at));
      }),
    );
  });
});

describe('startOfNewYorkDay', () => {
  it.each([
    ['2026-01-15', '2026-01-15T05:00:00.000Z'],
    ['2026-07-04', '2026-07-04T04:00:00.000Z'],
    ['2026-03-08', '2026-03-08T05:00:00.000Z'],
    ['2026-03-09', '2026-03-09T04:00:00.000Z'],
    ['2026-11-01', '2026-11-01T04:00:00.000Z'],
    ['2026-11-02', '2026-11-02T05:00:00.000Z'],
    ['2000-01-01', '2000-01-01T05:00:00.000Z'],
    ['2024-02-29', '2024-02-29T05:00:00.000Z'],
  ])('returns the start of %s: %s', (day, instant) => {
    expect(startOfNewYorkDay(day).toISOString()).toBe(instant);
  });
});

describe('dayAfter', () => {
  it.each([
    ['2026-11-21', '2026-11-22'],
    ['2024-02-28', '2024-02-29'],
    ['2026-02-28', '2026-03-01'],
    ['2025-12-31', '2026-01-01'],
  ])('returns the day after %s: %s', (day, next) => {
    expect(dayAfter(day)).toBe(next);
  });
});

describe('daysUntil', () => {
  it.each([
    ['2026-11-21', 1, ['2026-11-21']],
    ['2026-03-01', 3, ['2026-02-27', '2026-02-28', '2026-03-01']],
    ['2026-11-02', 3, ['2026-10-31', '2026-11-01', '2026-11-02']],
  ])('returns the days up to %s: %i', (last, count, days) => {
    expect(daysUntil(last, count)).toEqual(days);
  });
});

describe('newYorkTimestamp', () => {
  it.each([
    ['2026-11-21T20:04:05Z', '11/21/2026, 3:04:05 PM'],
    ['2026-07-04T04:00:00Z', '7/4/2026, 12:00:00 AM'],
    ['2026-03-08T06:59:59Z', '3/8/2026, 1:59:59 AM'],
    ['2026-03-08T07:00:00Z', '3/8/2026, 3:00:00 AM'],
    ['2026-11-01T05:30:00Z', '11/1/2026, 1:30:00 AM'],
    ['2026-11-01T06:30:00Z', '11/1/2026, 1:30:00 AM'],
  ])('formats %s as %s', (instant, text) => {
    expect(newYorkTimestamp(new Date(instant))).toBe(text);
  });
});

describe('parseInstant', () => {
  it.each([
    ['2026-12-01T09:30:00Z', '2026-12-01T09:30:00.000Z'],
    ['2026-12-01t09:30:00z', '2026-12-01T09:30:00.000Z'],
    ['2026-12-01T09:30:00.123456Z', '2026-12-01T09:30:00.123Z'],
    ['2026-12-01T09:30:00-05:00', '2026-12-01T14:30:00.000Z'],
    ['2026-12-01T09:30:00+05:30', '2026-12-01T04:00:00.000Z'],
    [' 2028-02-29T00:00:00Z ', '2028-02-29T00:00:00.000Z'],
  ])('reads %s', (text, instant) => {
    expect(parseInstant(text)?.toISOString()).toBe(instant);
  });

  it.each([
    '',
    'tomorrow',
    '2026-12-01',
    '2026-12-01T09:30:00',
    '2026-12-01T09:30Z',
    '2026-12-01 09:30:00Z',
    '2026-02-30T09:30:00Z',
    '2026-13-01T09:30:00Z',
    '2026-12-01T24:00:00Z',
    '2026-12-01T23:59:60Z',
    '2026-12-01T09:30:00+0530',
    '2026-12-01T09:30:00+24:00',
    '2026-12-01T09:30:00+01:60',
    '1764581400',
  ])('refuses %j', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });
});

describe('meantInstant', () => {
  it.each([
    ['2026-12-01 09:00:00-05:00', '2026-12-01T09:00:00-05:00'],
    ['2026-12-01T09:00-05:00', '2026-12-01T09:00:00-05:00'],
    ['2026-12-01T09:00:00-0500', '2026-12-01T09:00:00-05:00'],
    ['2026-12-01T09:00:00 05:00', '2026-12-01T09:00:00+05:00'],
    ['2026-12-01 09:00Z', '2026-12-01T09:00:00Z'],
    ['2026-12-01T09:00:00', undefined],
    ['2026-02-30 09:00:00-05:00', undefined],
    ['tomorrow', undefined],
    ['12/01/2026 09:00 -05:00', undefined],
  ])('of %j', (text, meant) => {
    expect(meantInstant(text)).toBe(meant);
  });
});
