import fc from 'fast-check';
import { axisMax, columnOf, dayInWords, fromFirstMessage, sumOf } from './activity-days.js';

const none = {
  day: '2026-11-21',
  delivered: 0,
  sent: 0,
  queued: 0,
  scheduled: 0,
  undelivered: 0,
  failed: 0,
  canceled: 0,
};

describe('axisMax', () => {
  it.each([
    [0, 4],
    [4, 4],
    [5, 6],
    [9, 10],
    [10, 10],
    [11, 20],
    [21, 40],
    [61, 80],
    [999, 1_000],
    [1_000_001, 2_000_000],
  ])('for %i messages a day goes up to %i', (delivered, max) => {
    expect(axisMax([none, { ...none, delivered }])).toBe(max);
  });

  it('has a whole half and covers every day', () => {
    fc.assert(
      fc.property(fc.nat({ max: 2_000_000_000 }), (delivered) => {
        const max = axisMax([{ ...none, delivered }]);
        expect(max).toBeGreaterThanOrEqual(delivered);
        expect(max % 2).toBe(0);
      }),
    );
  });
});

describe('fromFirstMessage', () => {
  const days = (messages: readonly number[]) => messages.map((delivered) => ({ ...none, delivered }));

  it.each([
    [[0, 0, 0, 1, 0, 2, 0, 0, 0, 0], 7],
    [[0, 0, 0, 0, 0, 0, 0, 0, 0, 1], 7],
    [[0, 3, 0, 0, 0, 0, 0, 0, 0, 1], 9],
    [[1, 0, 0, 0, 0, 0, 0, 0, 0, 0], 10],
    [[0, 0, 1], 3],
    [[0, 0, 0], 3],
  ])('of %j shows the last %i', (messages, shown) => {
    expect(fromFirstMessage(days(messages))).toEqual(days(messages.slice(-shown)));
  });
});

describe('a day', () => {
  const day = { ...none, delivered: 1_200, queued: 2, scheduled: 3, failed: 1 };

  it('stacks segments and skips empty statuses', () => {
    const pieces = columnOf(day, 2_000);
    expect(pieces.map(({ state }) => state)).toEqual(['delivered', 'queued', 'scheduled', 'failed']);
    expect(pieces[0]).toEqual({ state: 'delivered', y: 0.4, height: 0.6 });
    for (const [index, piece] of pieces.slice(1).entries())
      expect(piece.y + piece.height).toBeCloseTo(pieces[index]?.y ?? 0);
  });

  it('is described in words', () => {
    expect([dayInWords(day), dayInWords(none)]).toEqual([
      '1,200 delivered, 2 queued, 3 scheduled, 1 failed',
      'no messages',
    ]);
  });

  it('is summed per status', () => {
    expect(sumOf([day, day, none])).toEqual({
      delivered: 2_400,
      sent: 0,
      queued: 4,
      scheduled: 6,
      undelivered: 0,
      failed: 2,
      canceled: 0,
    });
  });
});
