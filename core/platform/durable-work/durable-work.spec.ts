import fc from 'fast-check';
import { Logger } from '../telemetry/logger.js';
import { BatchClaim, eachDueRow, exponentialWaits, Lease, listedWaits, retryDelayMs } from './durable-work.js';

const row = (id: string, isWaiting = true) => ({ id, isWaiting });

describe('Lease', () => {
  it.each([
    [30_000, 20_000, 10_000],
    [12_000, 4_000, 8_000],
    [3_000, 2_000, 1_000],
  ])('of %i ms covers work of %i ms until %i ms after the claim was requested', (leaseMs, workMs, lastStartMs) => {
    const lease = new Lease(500, leaseMs);
    expect(lease.covers(workMs, 500 + lastStartMs)).toBe(true);
    expect(lease.covers(workMs, 500 + lastStartMs + 1)).toBe(false);
  });
});

describe('BatchClaim', () => {
  it('claims many rows with one statement and gives each to one caller', async () => {
    const statements: string[][] = [];
    const claims = new BatchClaim({
      leaseMs: 1_000,
      claim: async (ids) => {
        statements.push(ids);
        return [...new Set(ids)].filter((id) => id !== 'gone').map((id) => row(id));
      },
    });
    const claimed = await Promise.all(['a', 'b', 'a', 'gone'].map((id) => claims.claim(id)));
    expect(claimed.map((one) => one?.row.id)).toEqual(['a', 'b', undefined, undefined]);
    expect(statements).toEqual([['a', 'b', 'a', 'gone']]);
  });

  it('measures the lease from before the claim', async () => {
    const claims = new BatchClaim({
      leaseMs: 60_000,
      claim: async (ids) => {
        const until = performance.now() + 5;
        while (performance.now() < until);
        return ids.map((id) => row(id));
      },
    });
    const askedAtMs = performance.now();
    const claimed = await claims.claim('a');
    expect(claimed?.lease.covers(60_000, askedAtMs)).toBe(true);
    expect(claimed?.lease.covers(60_000, askedAtMs + 5)).toBe(false);
  });

  it('repeats a statement that Postgres rolled back for a deadlock', async () => {
    let runs = 0;
    const claims = new BatchClaim({
      leaseMs: 1_000,
      claim: async (ids) => {
        runs += 1;
        if (runs === 1) throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
        return ids.map((id) => row(id));
      },
    });
    expect(await claims.claim('a')).toMatchObject({ row: { id: 'a' } });
  });
});

describe('retryDelayMs', () => {
  it('grows exponentially up to its maximum and ends after the last attempt', () => {
    const schedule = {
      waitMs: exponentialWaits({ firstMs: 5_000, factor: 4, maxMs: 3_600_000, attemptsMax: 7 }),
      jitter: [1, 1],
    } as const;
    expect([1, 2, 3, 4, 5, 6, 7].map((attempt) => retryDelayMs(schedule, attempt))).toEqual([
      5_000,
      20_000,
      80_000,
      320_000,
      1_280_000,
      3_600_000,
      undefined,
    ]);
  });

  it('never ends without a maximum of attempts', () => {
    const schedule = { waitMs: exponentialWaits({ firstMs: 1, factor: 2, maxMs: 60_000 }), jitter: [1, 1] } as const;
    expect(retryDelayMs(schedule, 100_000)).toBe(60_000);
  });

  it('follows a list and ends with it', () => {
    const schedule = { waitMs: listedWaits([100, 200]), jitter: [1, 1] } as const;
    expect([1, 2, 3].map((attempt) => retryDelayMs(schedule, attempt))).toEqual([100, 200, undefined]);
  });

  it('waits at least as long as the Retry-After', () => {
    const schedule = { waitMs: listedWaits([100]), jitter: [1, 1] } as const;
    expect(retryDelayMs(schedule, 1, { atLeastMs: 700 })).toBe(700);
    expect(retryDelayMs(schedule, 1, { atLeastMs: 70 })).toBe(100);
  });

  it('stays within the bounds of its jitter', () => {
    const schedule = { waitMs: listedWaits([1_000]), jitter: [0.5, 1.1] } as const;
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (chance) => {
        const delayMs = retryDelayMs(schedule, 1, { chance });
        expect(delayMs).toBeGreaterThanOrEqual(500);
        expect(delayMs).toBeLessThanOrEqual(1_100);
      }),
    );
    expect([0, 1].map((chance) => retryDelayMs(schedule, 1, { chance }))).toEqual([500, 1_100]);
  });
});

describe('eachDueRow', () => {
  const rows = Array.from({ length: 20 }, (_, n) => ({ id: String(n) }));

  it('works on each row once, on no more than so many at once, and returns their number', async () => {
    const done: string[] = [];
    let running = 0;
    let runningMax = 0;
    const work = async ({ id }: { id: string }) => {
      running += 1;
      runningMax = Math.max(runningMax, running);
      await Promise.resolve();
      running -= 1;
      done.push(id);
    };
    expect(await eachDueRow(rows, { name: 'rows', logger: Logger.silent(), atOnceMax: 4 }, work)).toBe(20);
    expect(done.toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
    expect(runningMax).toBe(4);
    await eachDueRow(rows, { name: 'rows', logger: Logger.silent() }, work);
    expect(runningMax).toBe(20);
  });

  it('logs a row whose work fails, and continues', async () => {
    const logger = Logger.silent();
    const warned = jest.spyOn(logger, 'warn');
    const err = new Error('The carrier does not answer');
    const done: string[] = [];
    const work = async ({ id }: { id: string }) => {
      if (id === '3') throw err;
      done.push(id);
    };
    expect(await eachDueRow(rows, { name: 'rows', logger, atOnceMax: 1 }, work)).toBe(20);
    expect(done).toEqual(rows.map(({ id }) => id).filter((id) => id !== '3'));
    expect(warned.mock.calls).toEqual([[{ err, id: '3' }, 'not recovered yet: rows']]);
  });
});
