import { allDays, daysIn, daysText, isAll, lastDays, spanFault, spanOf } from './days.js';

/** In New York it is still November 2, in UTC November 3; the clocks changed on November 1. */
const now = new Date('2026-11-03T04:30:00Z');
const read = (query: string, rules = {}) => daysIn(new URLSearchParams(query), rules);

describe('the last days', () => {
  it('end today in New York, also when the clocks change between them', () => {
    expect(lastDays(1, now)).toEqual({ from: '2026-11-02', to: '2026-11-02' });
    expect(lastDays(7, now)).toEqual({ from: '2026-10-27', to: '2026-11-02' });
    expect(lastDays(30, now)).toEqual({ from: '2026-10-04', to: '2026-11-02' });
  });

  it('are those of the day on which they are asked for', () => {
    const chosen = { ...allDays, days: '7' };
    const dayAfter = new Date(now.getTime() + 86_400_000);
    expect(spanOf(chosen, now)).toEqual({ from: '2026-10-27', to: '2026-11-02' });
    expect(spanOf(chosen, dayAfter)).toEqual({ from: '2026-10-28', to: '2026-11-03' });
    expect(spanOf({ days: '', from: '2026-01-01', to: '' }, now)).toEqual({ from: '2026-01-01', to: '' });
  });
});

describe('daysText', () => {
  it.each([
    [{ ...allDays }, 'All days'],
    [{ ...allDays, days: '1' }, 'Today'],
    [{ ...allDays, days: '30' }, 'Last 30 days'],
    [{ days: '', from: '2026-10-04', to: '2026-11-02' }, 'Oct 4 – Nov 2'],
    [{ days: '', from: '2025-12-31', to: '2026-11-02' }, 'Dec 31, 2025 – Nov 2'],
    [{ days: '', from: '2026-10-04', to: '2026-10-04' }, 'Oct 4'],
    [{ days: '', from: '2026-10-04', to: '' }, 'Since Oct 4'],
    [{ days: '', from: '', to: '2026-10-04' }, 'Until Oct 4'],
  ])('names %j', (days, text) => {
    expect(daysText(days, now)).toBe(text);
    expect(isAll(days)).toBe(text === 'All days');
  });
});

describe('spanFault', () => {
  it.each([
    ['2026-08-03', '2026-11-02', {}, undefined],
    ['2026-08-03', '', {}, undefined],
    ['', '', {}, undefined],
    ['', '2026-08-03', { isWhole: true }, 'Choose a first and a last day.'],
    ['2026-11-03', '2026-11-02', {}, 'The first day is after the last day.'],
    ['2026-08-03', '2026-11-02', { daysMax: 92 }, undefined],
    ['2026-08-02', '2026-11-02', { daysMax: 92 }, 'These are 93 days. Choose at most 92.'],
    ['2026-03-07', '2026-03-09', { daysMax: 2 }, 'These are 3 days. Choose at most 2.'],
    ['2026-02-30', '', {}, '“2026-02-30” is not a day.'],
    ['soon', '', {}, '“soon” is not a day.'],
    ['1999-12-31', '', {}, 'Choose days from 2000 to 2999.'],
    ['', '3000-01-01', {}, 'Choose days from 2000 to 2999.'],
  ])('finds what is wrong with %j to %j under %j', (from, to, rules, fault) => {
    expect(spanFault({ from, to }, rules)).toBe(fault);
  });
});

describe('daysIn', () => {
  it('reads the days of an address, by number or by date', () => {
    expect(read('days=7')).toEqual({ days: { ...allDays, days: '7' }, fault: undefined });
    expect(read('from=2026-08-03&to=2026-11-02').days).toEqual({ days: '', from: '2026-08-03', to: '2026-11-02' });
    expect(read('')).toEqual({ days: allDays, fault: undefined });
  });

  it.each([
    ['days=5', '“5” is not a number of days to choose.'],
    ['from=x&to=2026-11-02', '“x” is not a day.'],
    ['from=2026-10-10', 'Choose a first and a last day.'],
    ['from=2026-01-01&to=2026-11-02', 'These are 306 days. Choose at most 92.'],
  ])('shows all days for %j, and explains it', (query, fault) => {
    expect(read(query, { isWhole: true, daysMax: 92 })).toEqual({ days: allDays, fault });
  });
});
