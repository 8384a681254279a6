import { instantOf, pickerValueOf, timeFault, timeInWords } from './send-time.js';

const now = new Date('2026-03-05T12:00:00Z');
const later = (minutes: number) =>
  ({ kind: 'later', local: pickerValueOf(new Date(now.getTime() + minutes * 60_000)) }) as const;

describe('the time of a message', () => {
  it('is picked in local time', () => {
    expect(instantOf(later(90))?.toISOString()).toBe('2026-03-05T13:30:00.000Z');
    expect(instantOf({ kind: 'now' })).toBeUndefined();
    expect(instantOf({ kind: 'later', local: '' })).toBeUndefined();
  });

  it.each([
    [{ kind: 'now' } as const, undefined],
    [later(1), undefined],
    [later(35 * 24 * 60), undefined],
    [later(0), 'This time is over. Choose a later one.'],
    [later(35 * 24 * 60 + 1), 'Choose a time within 35 days.'],
    [{ kind: 'later', local: '' } as const, 'Choose a date and a time.'],
  ])('of %j has the fault %s', (time, fault) => {
    expect(timeFault(time, now)).toBe(fault);
  });

  it('is shown in New York time too', () => {
    expect(timeInWords(now).newYork).toBe('Mar 5, 7:00 AM');
  });
});
