import { DomainError } from '../platform/errors/domain-error.js';
import { setTimeout as pause } from 'node:timers/promises';
import { Postgres } from '../platform/database/postgres.js';
import { liveNumbersStatement, NumberDirectory } from './number-directory.js';
import { Pools } from './pools.js';
import { numberScene } from './testing/number-scene.js';

/** On a busy machine a change of the account may wait for the others too long. */
function unlessTurnedAway(error: unknown): void {
  if (!(error instanceof DomainError && error.code === 'unavailable')) throw error;
}

describe('NumberDirectory', () => {
  const scene = numberScene();
  const directory = () => scene.core.get(NumberDirectory);
  const poolsOf = async () => (await directory().ofAccount(scene.account.id)).pools.length;
  const put = (name: string) =>
    scene.core.get(Pools).put(scene.account.id, { name, numbers: [], isDefault: undefined, address: '127.0.0.1' });
  /** Records the start times of reads of all numbers, and how many ran at once. */
  const watchReads = () => {
    const postgres = scene.core.get(Postgres);
    const original = postgres.query.bind(postgres);
    const seen = { startedAtMs: [] as number[], running: 0, atOnceMax: 0 };
    jest.spyOn(postgres, 'query').mockImplementation(async (statement, values) => {
      if (statement !== liveNumbersStatement) return original(statement, values);
      seen.startedAtMs.push(performance.now());
      seen.running += 1;
      seen.atOnceMax = Math.max(seen.atOnceMax, seen.running);
      return original(statement, values).finally(() => {
        seen.running -= 1;
      });
    });
    return seen;
  };

  it('is read four times a second at most, one read at a time, however often an account changes a pool', async () => {
    await directory().renewed();
    const seen = watchReads();
    const fromMs = performance.now();
    const untilMs = fromMs + 1_200;
    const changing = Array.from({ length: 8 }, async (_, n) => {
      while (performance.now() < untilMs) await put(`Pool ${n}`).catch(unlessTurnedAway);
    });
    const asking = (async () => {
      while (performance.now() < untilMs) {
        await poolsOf();
        await new Promise(setImmediate);
      }
    })();
    await Promise.all([...changing, asking]);
    expect(seen.startedAtMs.length).toBeGreaterThan(1);
    expect(seen.atOnceMax).toBe(1);
    const quarters = (performance.now() - fromMs) / 250;
    expect(seen.startedAtMs.length).toBeLessThanOrEqual(1 + Math.floor(quarters));
  });

  it('has a change when the call that made it has ended, and meanwhile what was known', async () => {
    await put('One');
    expect(await poolsOf()).toBe(1);
    const seen = watchReads();
    const second = put('Two');
    directory().refresh();
    expect(await poolsOf()).toBe(1);
    expect(seen.startedAtMs).toEqual([]);
    await second;
    expect(await poolsOf()).toBe(2);
    expect(seen.startedAtMs).toHaveLength(1);
  });

  it('is read once a second at most for those who name a number that is not known', async () => {
    await directory().renewed();
    const seen = watchReads();
    expect(directory().lookUp()).toBe(false);
    const nowMs = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs + 1_000);
    expect(directory().lookUp()).toBe(true);
    await poolsOf();
    expect(directory().lookUp()).toBe(false);
    await poolsOf();
    expect(seen.startedAtMs).toHaveLength(1);
  });

  it('does not count a read that had begun before the change', async () => {
    await directory().renewed();
    const postgres = scene.core.get(Postgres);
    const original = postgres.query.bind(postgres);
    let added: Promise<unknown> | undefined;
    jest.spyOn(postgres, 'query').mockImplementation(async (statement, values) => {
      const rows = await original(statement, values);
      if (statement === liveNumbersStatement && !added) {
        const insert = 'INSERT INTO numbers (number, account_id) VALUES ($1, $2)';
        await scene.bed.database.sql(insert, ['+15005550088', scene.account.id]);
        added = directory().renewed();
      }
      return rows;
    });
    await directory().renewed();
    await added;
    try {
      expect((await directory().ofAccount(scene.account.id)).numbers).toMatchObject([{ number: '+15005550088' }]);
    } finally {
      await scene.bed.database.sql(`DELETE FROM numbers WHERE number = '+15005550088'`);
      await directory().renewed();
    }
  });

  it('lets a change end while it cannot be read, has what was known then, and is read by a later call', async () => {
    await put('One');
    const postgres = scene.core.get(Postgres);
    const original = postgres.query.bind(postgres);
    const query = jest.spyOn(postgres, 'query').mockImplementation(async (statement, values) => {
      if (statement === liveNumbersStatement) throw new Error('down');
      return original(statement, values);
    });
    await put('Two');
    expect(await poolsOf()).toBe(1);
    await pause(300);
    expect(await poolsOf()).toBe(1);
    query.mockRestore();
    await pause(300);
    expect(await poolsOf()).toBe(2);
  });

  it('throws when it cannot be read and was never', async () => {
    const directoryOfNone = new NumberDirectory(scene.core.get(Postgres));
    const query = jest.spyOn(scene.core.get(Postgres), 'query').mockRejectedValue(new Error('down'));
    await expect(directoryOfNone.all()).rejects.toThrow('down');
    query.mockRestore();
    expect(await directoryOfNone.all()).toBeInstanceOf(Map);
  });
});
