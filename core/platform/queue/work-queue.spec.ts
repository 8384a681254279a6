import { Logger } from '../telemetry/logger.js';
import type { Backlog } from './backlog.js';
import { WorkQueue, type WorkItem } from './work-queue.js';

interface Item extends WorkItem {
  readonly urgent?: boolean;
}

interface AddedJob {
  readonly data: readonly string[];
  readonly opts: { readonly jobId?: string; readonly priority?: number; readonly delay?: number };
}

/**
 * Returns a queue whose accounts have this many waiting items, and the jobs that were added to it.
 */
function queueOf({ itemsPerJob, waiting = {} }: { itemsPerJob?: number; waiting?: Record<string, number> }) {
  const added: AddedJob[] = [];
  const backlog = {
    enter: async (counts: ReadonlyMap<string, number>) =>
      new Map([...counts.keys()].map((account) => [account, waiting[account] ?? 0])),
  } as Backlog;
  const queue = new WorkQueue<Item, readonly string[]>({
    store: {
      name: 'test',
      addBulk: async (jobs) => added.push(...jobs),
      getJobCountByTypes: async () => added.length,
      on: () => undefined,
    },
    logger: Logger.silent(),
    ...(itemsPerJob !== undefined && { itemsPerJob }),
    jobOf: (items) => items.map(({ id }) => id),
    fairness: { backlog, counterOf: (accountId) => accountId },
    isUrgent: ({ urgent }) => urgent === true,
  });
  const enqueue = async (...items: Item[]) => {
    await Promise.all(items.map((item) => queue.enqueued(item)));
    return added;
  };
  return { enqueue };
}

const items = (accountId: string, count: number): Item[] =>
  Array.from({ length: count }, (_, n) => ({ id: `${accountId}${n + 1}`, accountId }));

describe('WorkQueue', () => {
  it('carries items of many accounts in one job while none of them has a backlog', async () => {
    const { enqueue } = queueOf({ itemsPerJob: 100 });
    const added = await enqueue(...items('a', 1), ...items('b', 1), ...items('c', 1));
    expect(added).toEqual([{ name: 'test', data: ['a1', 'b1', 'c1'], opts: { priority: 1 } }]);
  });

  it('puts an account’s tenth item behind another account’s first', async () => {
    const { enqueue } = queueOf({ itemsPerJob: 100 });
    const added = await enqueue(...items('a', 10), ...items('b', 1));
    const priorityOf = (id: string) => added.find(({ data }) => data.includes(id))?.opts.priority ?? 0;
    expect(priorityOf('a10')).toBeGreaterThan(priorityOf('b1'));
    expect(added.flatMap(({ data }) => data).sort()).toEqual(
      [...items('a', 10), ...items('b', 1)].map(({ id }) => id).sort(),
    );
  });

  it('counts the items that wait already', async () => {
    const { enqueue } = queueOf({ itemsPerJob: 100, waiting: { a: 99_999 } });
    expect(await enqueue(...items('a', 1), ...items('b', 1))).toMatchObject([
      { data: ['a1'], opts: { priority: 65_536 } },
      { data: ['b1'], opts: { priority: 1 } },
    ]);
  });

  it('fills jobs up to their bound', async () => {
    const { enqueue } = queueOf({ itemsPerJob: 100, waiting: { a: 1_023 } });
    expect((await enqueue(...items('a', 250))).map(({ data }) => data.length)).toEqual([100, 100, 50]);
  });

  it('runs urgent items before all others, and delayed ones in jobs of their own', async () => {
    const { enqueue } = queueOf({ itemsPerJob: 100 });
    const added = await enqueue(
      { id: 'code', accountId: 'a', urgent: true },
      { id: 'later', accountId: 'b', delayMs: 500 },
      { id: 'now', accountId: 'c' },
    );
    expect(added).toEqual([
      { name: 'test', data: ['code'], opts: {} },
      { name: 'test', data: ['later'], opts: { priority: 1, delay: 500 } },
      { name: 'test', data: ['now'], opts: { priority: 1 } },
    ]);
  });

  it('gives rows that recovery finds again a job of their own, always with the same id', async () => {
    const { enqueue } = queueOf({ itemsPerJob: 100, waiting: { a: 100 } });
    const found = items('a', 3).map((item) => ({ ...item, requeued: true }));
    await enqueue(...found, { id: 'new', accountId: 'b' });
    const added = await enqueue(...found);
    expect(added.map(({ data }) => data)).toEqual([['a1', 'a2', 'a3'], ['new'], ['a1', 'a2', 'a3']]);
    const [first, , second] = added.map(({ opts }) => opts.jobId);
    expect([first?.length, second]).toEqual([64, first]);
  });

  it('names a job of one item by its id, so that the queue keeps it once', async () => {
    const { enqueue } = queueOf({});
    expect(await enqueue(...items('a', 2))).toMatchObject([
      { data: ['a1'], opts: { jobId: 'a1', priority: 1 } },
      { data: ['a2'], opts: { jobId: 'a2', priority: 2 } },
    ]);
  });
});
