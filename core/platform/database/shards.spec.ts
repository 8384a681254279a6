import { GroupCommit } from './group-commit.js';
import { PerGroup } from './per-group.js';
import { currentGroup, inGroup } from './shards.js';

describe('the context of a group of shards', () => {
  it('lasts as long as its work, also over asynchronous steps, and is none outside', async () => {
    const seen = await inGroup('7', async () => {
      await new Promise(setImmediate);
      return [currentGroup(), inGroup('8', currentGroup), inGroup(undefined, currentGroup), currentGroup()];
    });
    expect(seen).toEqual(['7', '8', undefined, '7']);
    expect(currentGroup()).toBeUndefined();
  });

  it('keeps what a service remembers apart', () => {
    const last = new PerGroup(() => 0);
    inGroup('7', () => last.set(70));
    inGroup('8', () => last.set(80));
    expect([inGroup('7', () => last.get()), inGroup('8', () => last.get()), last.get()]).toEqual([70, 80, 0]);
    expect(last.all()).toEqual([70, 80]);
  });

  it.each([
    {
      title: 'gives each group batches of its own, which run on it',
      isAcrossGroups: false,
      expected: [
        ['7', ['a', 'd']],
        ['8', ['b']],
        [undefined, ['c']],
      ],
    },
    {
      title: 'shares batches of another store among all groups, and runs them on none',
      isAcrossGroups: true,
      expected: [[undefined, ['a', 'b', 'c', 'd']]],
    },
  ])('$title', async ({ isAcrossGroups, expected }) => {
    const batches: [string | undefined, string[]][] = [];
    const commit = new GroupCommit<string, string>({
      isAcrossGroups,
      batchMax: 10,
      inFlightMax: 1,
      waitingMax: 100,
      run: async (items) => {
        batches.push([currentGroup(), items]);
        return items.map((item) => item.toUpperCase());
      },
      onFull: () => new Error('full'),
    });
    const results = await Promise.all([
      inGroup('7', () => commit.submit('a')),
      inGroup('8', () => commit.submit('b')),
      commit.submit('c'),
      inGroup('7', () => commit.submit('d')),
    ]);
    expect(results).toEqual(['A', 'B', 'C', 'D']);
    expect(batches).toEqual(expected);
    expect(commit.waitingCount).toBe(0);
  });
});
