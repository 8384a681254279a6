import type { Job } from 'bullmq';
import type { DispatchMessage } from '#core/messages/dispatch/dispatch-message.js';
import { bindNumberOf } from '#core/platform/config/smpp-binds.js';
import type { Postgres } from '#core/platform/database/postgres.js';
import type { CarrierQueues } from '#core/platform/queue/carrier-queues.js';
import type { Telemetry } from '#core/platform/telemetry/telemetry.js';
import { newMessageId } from '#core/rules/ids.js';
import { testConfig } from '#core/testing/test-config.js';
import { CarrierDispatch } from './carrier-dispatch.js';

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
