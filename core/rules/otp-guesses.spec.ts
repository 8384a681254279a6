import fc from 'fast-check';
import { guessesAllowed, liveCodesCountedMax } from './otp-guesses.js';

describe('wrong guesses that an account may make without a recipient', () => {
  it.each([
    [0, 1_000],
    [1, 1_000],
    [10, 1_000],
    [11, 909],
    [100, 100],
    [333, 30],
    [500, 20],
    [501, 20],
    [100_000, 20],
  ])('with %i live codes of six digits are %i', (count, allowed) => {
    expect(guessesAllowed([{ digits: 6, count }])).toBe(allowed);
  });

  it.each([
    [[{ digits: 4, count: 1 }], 100],
    [[{ digits: 4, count: 5 }], 20],
    [[{ digits: 4, count: 100 }], 1],
    [[{ digits: 4, count: 101 }], 0],
    [[{ digits: 5, count: 1 }], 1_000],
    [[{ digits: 5, count: 100 }], 10],
    [[{ digits: 8, count: 100 }], 100],
    [
      [
        { digits: 6, count: 60 },
        { digits: 8, count: 40 },
      ],
      100,
    ],
    [
      [
        { digits: 4, count: 10 },
        { digits: 6, count: 100 },
      ],
      10,
    ],
    [
      [
        { digits: 4, count: 1 },
        { digits: 6, count: 500 },
      ],
      20,
    ],
  ])('with %j are %i', (live, allowed) => {
    expect(guessesAllowed(live)).toBe(allowed);
  });

  it('find a code in less than 1 % of windows, whatever length is guessed', () => {
    // Beyond 500 codes of the usual length the decided minimum of 20 guesses stands above that.
    const counts = { '4': 20_000, '5': 20_000, '6': 500, '7': 500, '8': 500 };
    const live = Object.entries(counts).map(([digits, most]) =>
      fc.integer({ min: 0, max: most }).map((count) => ({ digits: Number(digits), count })),
    );
    fc.assert(
      fc.property(fc.tuple(...live), (codes) => {
        const usual = codes.filter(({ digits }) => digits >= 6).reduce((sum, { count }) => sum + count, 0);
        fc.pre(usual <= 500);
        const allowed = guessesAllowed(codes);
        for (const { digits, count } of codes) expect((allowed * count) / 10 ** digits).toBeLessThanOrEqual(0.01);
      }),
    );
  });

  it('do not depend on how many codes of a length are counted beyond the bound', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 4, max: 8 }),
        fc.integer({ min: liveCodesCountedMax, max: 1_000_000 }),
        (digits, count) => {
          expect(guessesAllowed([{ digits, count }])).toBe(guessesAllowed([{ digits, count: liveCodesCountedMax }]));
        },
      ),
    );
  });
});
