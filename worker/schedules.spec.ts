import { Logger } from '#core/platform/telemetry/logger.js';
import { ScheduledTask } from './schedules.js';

const logger = Logger.silent();

describe('ScheduledTask', () => {
  it('runs again without a pause while there is more to do', async () => {
    let left = 5;
    let done: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => (done = resolve));
    const task = new ScheduledTask({
      name: 'test',
      everyMs: 60_000,
      logger,
      run: async () => {
        left -= 1;
        if (left === 0) done();
        return left > 0;
      },
    });
    await finished;
    await task.stop();
    expect(left).toBe(0);
  });

  it('runs again after a failed run', async () => {
    let count = 0;
    let done: () => void = () => undefined;
    const second = new Promise<void>((resolve) => (done = resolve));
    const task = new ScheduledTask({
      name: 'test',
      everyMs: 1,
      logger,
      run: async () => {
        count += 1;
        if (count === 1) throw new Error('unavailable');
        done();
        return false;
      },
    });
    await second;
    await task.stop();
    expect(count).toBeGreaterThanOrEqual(2);
  });

  it('waits for the current run when it stops, and starts no other', async () => {
    const started: (() => void)[] = [];
    const run = () => new Promise<boolean>((resolve) => started.push(() => resolve(false)));
    const task = new ScheduledTask({ name: 'test', everyMs: 1, logger, run });
    let stopped = false;
    const stopping = task.stop().then(() => (stopped = true));
    await new Promise(setImmediate);
    expect([started.length, stopped]).toEqual([1, false]);
    started[0]?.();
    await stopping;
    expect(started).toHaveLength(1);
  });
});
