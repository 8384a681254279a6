import fc from 'fast-check';
import { FailedItem, GroupCommit, orEach } from './group-commit.js';

interface Batch {
  readonly items: number[];
  finish(): void;
  fail(error: Error): void;
}

type Bounds = Partial<ConstructorParameters<typeof GroupCommit<number, number>>[0]>;

/**
 * Returns a group whose batches end when the test ends them; the result of an item is its double.
 */
function group(bounds: Bounds = {}) {
  const batches: Batch[] = [];
  const commit = new GroupCommit<number, number>({
    batchMax: 100,
    inFlightMax: 1,
    waitingMax: 1_000,
    ...bounds,
    run: (items) =>
      new Promise((resolve, reject) => {
        batches.push({ items, finish: () => resolve(items.map((item) => item * 2)), fail: reject });
      }),
    onFull: () => new Error('full'),
  });
  return { commit, batches };
}

const turn = () => new Promise(setImmediate);

describe('GroupCommit', () => {
  it('starts a single item at once', async () => {
    const { commit, batches } = group();
    const answer = commit.submit(1);
    await turn();
    expect(batches.map(({ items }) => items)).toEqual([[1]]);
    batches[0]?.finish();
    expect(await answer).toBe(2);
  });

  it('puts items of one turn of the event loop into one batch, in order', async () => {
    const { commit, batches } = group();
    const answers = [3, 1, 2].map((item) => commit.submit(item));
    await turn();
    expect(batches.map(({ items }) => items)).toEqual([[3, 1, 2]]);
    batches[0]?.finish();
    expect(await Promise.all(answers)).toEqual([6, 2, 4]);
  });

  it('collects items that arrive while a batch runs into the next batch', async () => {
    const { commit, batches } = group();
    void commit.submit(1);
    await turn();
    void commit.submit(2);
    await turn();
    void commit.submit(3);
    await turn();
    expect(batches).toHaveLength(1);
    expect(commit.waitingCount).toBe(2);
    batches[0]?.finish();
    await turn();
    await turn();
    expect(batches.map(({ items }) => items)).toEqual([[1], [2, 3]]);
    expect(commit.waitingCount).toBe(0);
    batches[1]?.finish();
  });

  it('runs at most the configured number of batches at a time', async () => {
    const { commit, batches } = group({ batchMax: 2, inFlightMax: 2 });
    const answers = Array.from({ length: 9 }, (_, item) => commit.submit(item));
    for (let n = 0; n < 5; n += 1) await turn();
    expect(batches.map(({ items }) => items)).toEqual([
      [0, 1],
      [2, 3],
    ]);
    for (let n = 0; n < 5; n += 1) {
      batches[n]?.finish();
      await turn();
      await turn();
    }
    expect(await Promise.all(answers)).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16]);
    expect(batches.every(({ items }) => items.length <= 2)).toBe(true);
  });

  it('runs a batch beside another one only when it is full, or when the other takes long', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      const { commit, batches } = group({ batchMax: 3, inFlightMax: 3 });
      const answers = [commit.submit(1)];
      await turn();
      answers.push(commit.submit(2), commit.submit(3));
      await turn();
      expect(batches.map(({ items }) => items)).toEqual([[1]]);
      answers.push(commit.submit(4), commit.submit(5));
      await turn();
      expect(batches.map(({ items }) => items)).toEqual([[1], [2, 3, 4]]);
      jest.advanceTimersByTime(60);
      await turn();
      expect(batches.map(({ items }) => items)).toEqual([[1], [2, 3, 4], [5]]);
      for (const batch of batches) batch.finish();
      expect(await Promise.all(answers)).toEqual([2, 4, 6, 8, 10]);
      answers.push(commit.submit(6));
      await turn();
      expect(batches).toHaveLength(4);
      batches[3]?.finish();
    } finally {
      jest.useRealTimers();
    }
  });

  it('rejects items over its limit and accepts items again when there is room', async () => {
    const { commit, batches } = group({ waitingMax: 2 });
    void commit.submit(0);
    await turn();
    void commit.submit(1);
    void commit.submit(2);
    await expect(commit.submit(3)).rejects.toThrow('full');
    batches[0]?.finish();
    await turn();
    await turn();
    const late = commit.submit(4);
    batches[1]?.finish();
    await turn();
    await turn();
    batches[2]?.finish();
    expect(await late).toBe(8);
  });

  it('fails every item of a batch that fails, and no other', async () => {
    const { commit, batches } = group();
    const failing = [commit.submit(1), commit.submit(2)].map((answer) => answer.catch((error: unknown) => error));
    await turn();
    const next = commit.submit(3);
    const cause = new Error('unavailable');
    batches[0]?.fail(cause);
    expect(await Promise.all(failing)).toEqual([cause, cause]);
    await turn();
    batches[1]?.finish();
    expect(await next).toBe(6);
  });

  it('fails a batch without a result for every item', async () => {
    const commit = new GroupCommit<number, number>({
      batchMax: 10,
      inFlightMax: 1,
      waitingMax: 10,
      run: async () => [1],
      onFull: () => new Error('full'),
    });
    const answers = await Promise.allSettled([commit.submit(1), commit.submit(2)]);
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('waits for further items as long as it is told to, unless the batch is full', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      const { commit, batches } = group({ batchMax: 3, gatherMs: 5 });
      void commit.submit(1);
      await turn();
      jest.advanceTimersByTime(4);
      void commit.submit(2);
      await turn();
      expect(batches).toEqual([]);
      jest.advanceTimersByTime(1);
      await turn();
      expect(batches.map(({ items }) => items)).toEqual([[1, 2]]);
      for (const item of [3, 4, 5]) void commit.submit(item);
      batches[0]?.finish();
      await turn();
      await turn();
      expect(batches.map(({ items }) => items)).toEqual([
        [1, 2],
        [3, 4, 5],
      ]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('fails an item alone that its batch has failed', async () => {
    const commit = new GroupCommit<number, number>({
      batchMax: 9,
      inFlightMax: 1,
      waitingMax: 9,
      run: async (items) => items.map((item) => (item === 2 ? new FailedItem(new Error('no')) : item)),
      onFull: () => new Error('full'),
    });
    const answers = await Promise.allSettled([1, 2, 3].map((item) => commit.submit(item)));
    expect(answers).toEqual([
      { status: 'fulfilled', value: 1 },
      { status: 'rejected', reason: new Error('no') },
      { status: 'fulfilled', value: 3 },
    ]);
  });

  it('returns to each of many items its own result for any limits', async () => {
    const bounds = fc.record({
      batchMax: fc.integer({ min: 1, max: 20 }),
      inFlightMax: fc.integer({ min: 1, max: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(bounds, fc.array(fc.nat(), { maxLength: 200 }), async ({ batchMax, inFlightMax }, items) => {
        let running = 0;
        const commit = new GroupCommit<number, number>({
          batchMax,
          inFlightMax,
          waitingMax: 1_000,
          run: async (batch) => {
            running += 1;
            expect(running).toBeLessThanOrEqual(inFlightMax);
            expect(batch.length).toBeLessThanOrEqual(batchMax);
            await turn();
            running -= 1;
            return batch.map((item) => item + 1);
          },
          onFull: () => new Error('full'),
        });
        expect(await Promise.all(items.map((item) => commit.submit(item)))).toEqual(items.map((item) => item + 1));
        expect(commit.waitingCount).toBe(0);
      }),
      { numRuns: 50 },
    );
  });

  it('rejects items that have waited too long and still runs later ones', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      const { commit, batches } = group({ waitMsMax: 100 });
      const first = commit.submit(1);
      await turn();
      const tooLong = commit.submit(2).catch((error: unknown) => error);
      jest.advanceTimersByTime(60);
      const later = commit.submit(3);
      jest.advanceTimersByTime(50);
      expect(await tooLong).toEqual(new Error('full'));
      expect(commit.waitingCount).toBe(1);
      batches[0]?.finish();
      expect(await first).toBe(2);
      await turn();
      batches[1]?.finish();
      expect(await later).toBe(6);
    } finally {
      jest.useRealTimers();
    }
  });

  it('rejects the items of a batch that takes too long and still counts the batch as running', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    try {
      const { commit, batches } = group({ late: { runMsMax: 100, error: () => new Error('late') } });
      const slow = commit.submit(1).catch((error: unknown) => error);
      await turn();
      jest.advanceTimersByTime(101);
      expect(await slow).toEqual(new Error('late'));
      const next = commit.submit(2);
      await turn();
      expect(batches).toHaveLength(1);
      batches[0]?.finish();
      await turn();
      await turn();
      batches[1]?.finish();
      expect(await next).toBe(4);
    } finally {
      jest.useRealTimers();
    }
  });
});

describe('orEach', () => {
  const refused = () => Object.assign(new Error('integer out of range'), { code: '22003' });
  const lost = () => Object.assign(new Error('the server shuts down'), { code: '57P01' });

  /** Runs batches in which some items fail; records the batches, and how many ran at once. */
  function runner(failing: ReadonlyMap<number, () => Error>) {
    const batches: number[][] = [];
    let running = 0;
    const seen = { runningMax: 0 };
    const run = async (items: number[]) => {
      batches.push(items);
      running += 1;
      seen.runningMax = Math.max(seen.runningMax, running);
      await turn();
      running -= 1;
      const error = items.flatMap((item) => failing.get(item)?.() ?? [])[0];
      if (error) throw error;
      return items.map((item) => item * 2);
    };
    return { batches, seen, run };
  }

  it('runs a batch once when nothing of it is refused', async () => {
    const { batches, run } = runner(new Map());
    expect(await orEach([1, 2, 3], run)).toEqual([2, 4, 6]);
    expect(batches).toEqual([[1, 2, 3]]);
  });

  it('runs a batch that Postgres refuses item by item, in turn, so that one fails alone', async () => {
    const { batches, seen, run } = runner(new Map([[2, refused]]));
    expect(await orEach([1, 2, 3], run)).toEqual([2, new FailedItem(refused()), 6]);
    expect(batches).toEqual([[1, 2, 3], [1], [2], [3]]);
    expect(seen.runningMax).toBe(1);
  });

  it('does not repeat a single item, nor anything while the database is unavailable', async () => {
    const single = runner(new Map([[1, refused]]));
    await expect(orEach([1], single.run)).rejects.toThrow('out of range');
    const down = runner(new Map([[1, lost]]));
    await expect(orEach([1, 2], down.run)).rejects.toThrow('shuts down');
    expect([single.batches, down.batches]).toEqual([[[1]], [[1, 2]]]);
  });

  it('runs no further item once the database is unavailable', async () => {
    const { batches, run } = runner(
      new Map([
        [1, refused],
        [3, lost],
      ]),
    );
    const results = await orEach([1, 2, 3, 4], run);
    expect(results).toEqual([new FailedItem(refused()), 4, new FailedItem(lost()), new FailedItem(lost())]);
    expect(batches).toEqual([[1, 2, 3, 4], [1], [2], [3]]);
  });
});
