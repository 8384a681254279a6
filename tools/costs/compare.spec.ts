import { differences, hasRisen, lineOf } from './compare.js';
import { leastOf, medianOf } from './figures.js';

const committed = {
  alone: { statements: 7, 'log bytes': 1_000 },
  together: { statements: 0.2, 'allocated by the server': 100_000 },
};

describe('differences', () => {
  it.each([
    ['a count', { alone: { ...committed.alone, statements: 8 } }, 'alone: statements: 7 → 8'],
    ['bytes, by more than 2 %', { alone: { statements: 7, 'log bytes': 1_021 } }, 'alone: log bytes: 1000 → 1021'],
    [
      'a share of batches, by more than double',
      { together: { ...committed.together, statements: 0.401 } },
      'together: statements: 0.2 → 0.401',
    ],
    [
      'allocation, by more than 10 %',
      { together: { statements: 0.2, 'allocated by the server': 110_001 } },
      'allocated by the server: 100000 → 110001',
    ],
    ['a figure that is new', { alone: { ...committed.alone, jobs: 1 } }, 'alone: jobs: 0 → 1'],
  ])('names %s that rose', (_what, change, line) => {
    const [found, ...others] = differences(committed, { ...committed, ...change });
    expect(others).toEqual([]);
    expect(found && lineOf(found)).toContain(line);
    expect(found && hasRisen(found)).toBe(true);
  });

  it('names a figure that fell, and those of a scenario that is gone', () => {
    const fewer = { ...committed, alone: { ...committed.alone, statements: 6 } };
    expect(differences(committed, fewer).map(hasRisen)).toEqual([false]);
    expect(differences(committed, { alone: committed.alone })).toHaveLength(2);
  });

  it('a statement that takes the place of another one has not risen', () => {
    const renamed = { ...committed, alone: { ...committed.alone, 'statement routes-2': 1 } };
    expect(differences(committed, renamed).map(hasRisen)).toEqual([false]);
  });

  it('leaves out what is within its tolerance', () => {
    const near = {
      alone: { statements: 7, 'log bytes': 1_020 },
      together: { statements: 0.4, 'allocated by the server': 95_000 },
    };
    expect(differences(committed, near)).toEqual([]);
  });
});

describe('the median of runs', () => {
  it('leaves out what happens in a few of them', () => {
    const runs = [{ statements: 7 }, { statements: 8, 'statement routes-1': 1 }, { statements: 7 }];
    expect(medianOf(runs)).toEqual({ statements: 7 });
  });
});

describe('the least of runs', () => {
  it('leaves out batches that a busy machine has split', () => {
    const runs = [{ statements: 0.17 }, { statements: 0.24, jobs: 0.03 }, { statements: 0.17, jobs: 0.03 }];
    expect(leastOf(runs)).toEqual({ statements: 0.17 });
  });
});
