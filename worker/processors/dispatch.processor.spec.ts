import type { Job, Worker } from 'bullmq';
import type { DispatchMessage } from '#core/messages/dispatch/dispatch-message.js';
import { bindNumberOf } from '#core/platform/config/smpp-binds.js';
import type { Postgres } from '#core/platform/database/postgres.js';
import type { CarrierQueues } from '#core/platform/queue/carrier-queues.js';
import { queueNames } from '#core/platform/queue/queues.js';
import type { Telemetry } from '#core/platform/telemetry/telemetry.js';
import { newMessageId } from '#core/rules/ids.js';
import { testConfig } from '#core/testing/test-config.js';
import { CarrierDispatch, DispatchJob } from './dispatch.processor.js';

/** Runs a job as the worker of the carrier's queue does. */
let mockRun: (job: Job) => Promise<void>;
jest.mock('bullmq', () => ({
  ...jest.requireActual<object>('bullmq'),
  Worker: class {
    on = () => undefined;
    run = async () => undefined;
    constructor(
      readonly name: string,
      run: typeof mockRun,
    ) {
      mockRun = run;
    }
  },
}));

const ACME = bindNumberOf('acme');
const QUEUE = 'dispatch-acme';
/** A worker of a queue that runs no job by itself. */
const idle = { name: queueNames.dispatch, concurrency: 1, on: () => undefined, run: async () => undefined };

class TestJob extends DispatchJob {
  constructor(
    protected override readonly together: number,
    ...parts: ConstructorParameters<typeof DispatchJob>
  ) {
    super(...parts);
  }

  override get worker(): Worker {
    return idle as unknown as Worker;
  }
}

describe('DispatchJob', () => {
  const turn = () => new Promise(setImmediate);

  /** Runs a job of so many messages; `end` ends the oldest that run. */
  function started(count: number, { messagesMax, together }: { messagesMax: number; together: number }) {
    const running: (() => void)[] = [];
    let begun = 0;
    const dispatchInTurn = () => {
      begun += 1;
      return new Promise((resolve) => running.push(() => resolve({ kind: 'done' })));
    };
    const postgres = { ofAccount: (_id: string, work: () => Promise<unknown>) => work() };
    const job = new TestJob(
      together,
      { dispatchInTurn } as unknown as DispatchMessage,
      postgres as unknown as Postgres,
      {} as Telemetry,
    );
    job.start(messagesMax);
    const ids = Array.from({ length: count }, () => ({ messageId: newMessageId(), accountId: newMessageId() }));
    const ended = job.process({ name: queueNames.dispatch, data: { messages: ids } } as unknown as Job);
    const end = async (some: number) => {
      for (const finish of running.splice(0, some)) finish();
      await turn();
      return begun;
    };
    return { end, ended };
  }

  it('dispatches at most so many messages at a time, the next as soon as one has ended', async () => {
    const { end, ended } = started(6, { messagesMax: 3, together: 1 });
    expect(await end(0)).toBe(3);
    expect(await end(1)).toBe(4);
    expect(await end(3)).toBe(6);
    await end(3);
    await ended;
  });

  it('lets messages of a carrier’s own queue begin together', async () => {
    const { end, ended } = started(200, { messagesMax: 100, together: 8 });
    expect(await end(0)).toBe(100);
    expect(await end(7)).toBe(100);
    expect(await end(1)).toBe(108);
    expect(await end(20)).toBe(124);
    for (let left = 0; left < 30; left += 1) await end(8);
    await ended;
    expect(await end(0)).toBe(200);
  });

  it('keeps at most a tenth of the places free for that', async () => {
    const { end, ended } = started(20, { messagesMax: 11, together: 8 });
    expect(await end(1)).toBe(11);
    expect(await end(1)).toBe(13);
    for (let left = 0; left < 20; left += 1) await end(1);
    await ended;
    expect(await end(0)).toBe(20);
  });
});

describe('CarrierDispatch', () => {
  it.each([
    ['as leave within two seconds at the rate of the bind', { per_second: 5 }, 11],
    ['as four for each place in its window', { window: 3 }, 12],
  ])('has as many messages of a bind under way %s', async (_name, limits, expected) => {
    const identity = { name: 'acme', url: 'smpp://127.0.0.1:1', system_id: 'me', password: 'secret' };
    const config = testConfig({
      SMPP_BINDS: JSON.stringify([{ ...identity, senders: ['ACME'], ...limits }]),
      WORKER_CONCURRENCY: '4',
    });
    let begun = 0;
    const dispatchInTurn = () => {
      begun += 1;
      return new Promise(() => undefined);
    };
    new CarrierDispatch(
      { nameOf: () => QUEUE, options: {} } as unknown as CarrierQueues,
      config,
      { dispatchInTurn } as unknown as DispatchMessage,
      { ofAccount: (_id: string, work: () => Promise<unknown>) => work() } as unknown as Postgres,
      {} as Telemetry,
    ).run(ACME);
    const messages = Array.from({ length: 30 }, () => ({ messageId: newMessageId(), accountId: newMessageId() }));
    void mockRun({ name: QUEUE, data: { messages } } as unknown as Job);
    await new Promise(setImmediate);
    expect(begun).toBe(expected);
  });
});
