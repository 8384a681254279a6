import { endOfNewYorkDay, startOfNewYorkDay } from './new-york-days.js';

describe('days in New York', () => {
  it.each([
    ['2026-01-15', '2026-01-15T05:00:00.000Z', '2026-01-16T05:00:00.000Z'],
    ['2026-07-04', '2026-07-04T04:00:00.000Z', '2026-07-05T04:00:00.000Z'],
    ['2026-03-08', '2026-03-08T05:00:00.000Z', '2026-03-09T04:00:00.000Z'],
    ['2026-11-01', '2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z'],
    ['2026-12-31', '2026-12-31T05:00:00.000Z', '2027-01-01T05:00:00.000Z'],
  ])('knows when %s begins and ends, also when clocks change', (day, start, end) => {
    expect([startOfNewYorkDay(day), endOfNewYorkDay(day)]).toEqual([start, end]);
  });
});
