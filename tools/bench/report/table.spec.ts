import { figureTable, ratioTable, table } from './table.js';

describe('the table of the bench', () => {
  it('sets columns under each other, numbers to the right', () => {
    expect(
      table(
        ['name', 'n'],
        [
          ['a', '1'],
          ['long name', '1,000'],
        ],
        [1],
      ).split('\n'),
    ).toEqual(['name           n', '─────────  ─────', 'a              1', 'long name  1,000']);
  });

  it.each([
    [{ value: 5_000, p99Ms: 49 }, '✓ ≥ 5,000, p99 < 50'],
    [{ value: 4_999, p99Ms: 49 }, '✗ ≥ 5,000, p99 < 50'],
    [{ value: 5_000, p99Ms: 50 }, '✗ ≥ 5,000, p99 < 50'],
  ])('says of %j whether the goal is reached', (measured, text) => {
    const figure = { part: 'accept', name: 'one account', unit: 'per second', ...measured } as const;
    expect(figureTable([{ ...figure, goal: { atLeast: 5_000, p99BelowMs: 50 } }])).toContain(text);
  });

  it('shows a ratio with two places', () => {
    expect(ratioTable([{ name: 'a / b', value: 3.456, goal: { atLeast: 3 } }])).toContain('3.46 ×  ✓ ≥ 3');
  });
});
