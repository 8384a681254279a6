import { choiceOf, lastDays, spanIn } from './days.js';

const now = new Date('2026-11-03T04:30:00Z');
const read = (query: string) => spanIn(new URLSearchParams(query), now);
const lastMonth = { from: '2026-10-04', to: '2026-11-02' };

describe('the days of the deliverability view', () => {
  it('end today in New York, also when the clocks change between them', () => {
    expect(lastDays(1, now)).toEqual({ from: '2026-11-02', to: '2026-11-02' });
    expect(lastDays(7, now)).toEqual({ from: '2026-10-27', to: '2026-11-02' });
    expect(lastDays(30, now)).toEqual(lastMonth);
  });

  it('are those of the address', () => {
    expect(read('from=2026-08-03&to=2026-11-02')).toEqual({ from: '2026-08-03', to: '2026-11-02' });
    expect(read('from=2026-11-02&to=2026-11-02')).toEqual({ from: '2026-11-02', to: '2026-11-02' });
  });

  it.each([
    '',
    'from=2026-10-10',
    'from=2026-11-03&to=2026-11-02',
    'from=2026-08-02&to=2026-11-02',
    'from=x&to=2026-11-02',
    'from=2026-02-30&to=2026-03-01',
  ])('are the last 30 for %j', (query) => {
    expect(read(query)).toEqual(lastMonth);
  });

  it('are known as a choice only if they end today', () => {
    expect([choiceOf(lastMonth, now), choiceOf(lastDays(7, now), now)]).toEqual([30, 7]);
    expect(choiceOf({ from: '2026-10-03', to: '2026-11-01' }, now)).toBeUndefined();
  });
});
