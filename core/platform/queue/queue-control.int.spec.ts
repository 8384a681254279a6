import { randomUUID } from 'node:crypto';
import { getQueueToken } from '@nestjs/bullmq';
import { Worker, type Queue } from 'bullmq';
import { DomainError } from '../errors/domain-error.js';
import { Acceptance } from '../../messages/send/acceptance.js';
import { RecoverMessages } from '../../messages/recovery/recover-messages.js';
import { acceptanceRow } from '../../testing/acceptance-rows.js';
import { eventually } from '../../testing/eventually.js';
import { createTestAccount } from '../../testing/test-accounts.js';
import { createTestBed, type TestBed } from '../../testing/test-bed.js';
import { createTestCore, type TestCore } from '../../testing/test-core.js';
import { QueueConnection, queuePrefix } from './redis-client.js';
import { QueueControl } from './queue-control.js';
import { DispatchQueue, queueNames, type DispatchPayload } from './queues.js';

describe.each(['redis', 'postgres'])('QueueControl over %s', (backend) => {
  let bed: TestBed;
  let core: TestCore;
  let queue: Queue<DispatchPayload>;
  let worker: Worker<DispatchPayload> | undefined;
  let ran: string[];

  beforeEach(async () => {
    bed = await createTestBed();
    core = await createTestCore(bed.config({ QUEUE_BACKEND: backend }));
    queue = core.named<Queue<DispatchPayload>>(getQueueToken(queueNames.dispatch));
    ran = [];
  });

  afterEach(async () => {
    await worker?.close();
    worker = undefined;
    await core?.close();
    await bed?.remove();
  });

  const control = () => core.get(QueueControl);

  /** Accepts and enqueues messages; each has its own job. */
  async function enqueueMessages(amount: number): Promise<string[]> {
    const { id: accountId, apiKey } = await createTestAccount(core, { credits: amount });
    const rows = Array.from({ length: amount }, () => acceptanceRow(core, apiKey));
    await Promise.all(rows.map((row) => core.get(Acceptance).decide(row)));
    for (const { id } of rows) await core.get(DispatchQueue).enqueued({ id, accountId, kind: 'sms' });
    return rows.map(({ id }) => id);
  }

  function work(process: (id: string) => Promise<void> = async () => undefined): void {
    const config = bed.config({ QUEUE_BACKEND: backend });
    worker = new Worker<DispatchPayload>(
      queueNames.dispatch,
      async ({ data }) => {
        for (const { messageId } of data.messages) {
          await process(messageId);
          ran.push(messageId);
        }
      },
      { connection: new QueueConnection(config, 'worker').options, prefix: queuePrefix(config) },
    );
  }

  it('counts the jobs of every queue, or of one, by state', async () => {
    await enqueueMessages(3);
    const status = await control().status();
    expect(Object.keys(status)).toEqual(['dispatch', 'mail', 'webhooks', 'credits-added', 'media']);
    expect(status['dispatch']).toMatchObject({ isPaused: false, jobs: { prioritized: 3, active: 0 } });
    expect(Object.keys(await control().status('mail'))).toEqual(['mail']);
  });

  it('means the queues of SMPP binds by dispatch too, and each of them by its own name', async () => {
    const acme = { name: 'acme', url: 'smpp://127.0.0.1:2775', system_id: 'us', password: 'pw', senders: ['40404'] };
    const bound = await createTestCore(
      bed.config({
        QUEUE_BACKEND: backend,
        SMPP_BINDS: JSON.stringify([acme, { ...acme, name: 'b2', senders: ['40405'] }]),
      }),
    );
    try {
      const all = bound.get(QueueControl);
      const paused = async () =>
        Object.entries(await all.status()).flatMap(([name, { isPaused }]) => (isPaused ? [name] : []));
      const ofDispatch = ['dispatch', 'dispatch-acme', 'dispatch-b2'];
      expect(Object.keys(await all.status('dispatch'))).toEqual(ofDispatch);
      await all.pause('dispatch');
      expect(await paused()).toEqual(ofDispatch);
      expect(Object.keys(await all.resume('dispatch'))).toEqual(ofDispatch);
      expect(await paused()).toEqual([]);
      await all.pause('dispatch-acme');
      expect(await paused()).toEqual(['dispatch-acme']);
      await all.resume('dispatch-acme');
      expect(Object.keys(await all.retry('dispatch'))).toEqual(ofDispatch);
      expect(Object.keys(await all.drain('dispatch'))).toEqual(ofDispatch);
      await expect(all.pause('dispatch-')).rejects.toThrow('The queues are dispatch, mail, webhooks, credits-added, ');
    } finally {
      await bound.close();
    }
  });

  it('rejects an unknown queue and changes nothing', async () => {
    await expect(control().drain('nonsense')).rejects.toThrow(DomainError);
    await expect(control().pause('')).rejects.toThrow('The queues are dispatch, mail, webhooks, credits-added, media.');
    expect((await control().status('dispatch'))['dispatch']?.isPaused).toBe(false);
  });

  it('adds one job for an account’s waiting messages while it is paused, however often recovery runs, and runs all when it is resumed', async () => {
    const ids = await enqueueMessages(3);
    expect(await control().pause('dispatch')).toMatchObject({ dispatch: { isPaused: true } });
    work();
    ids.push(...(await enqueueMessages(1)));
    for (let round = 0; round < 3; round += 1) {
      await bed.database.sql(`UPDATE message_checks SET due_at = now() - interval '1 second'`);
      expect(await core.get(RecoverMessages).run()).toBe(4);
    }
    expect(await queue.getJobCountByTypes('waiting', 'prioritized', 'delayed', 'active')).toBe(4 + 2);
    expect(ran).toEqual([]);
    expect(await control().resume('dispatch')).toMatchObject({ dispatch: { isPaused: false } });
    await eventually('all have run', async () => ran.length === 8);
    expect([...new Set(ran)].toSorted()).toEqual(ids.toSorted());
  });

  it('drains jobs but no rows: recovery enqueues waiting messages again', async () => {
    const ids = await enqueueMessages(3);
    await queue.add(
      'dispatch',
      { messages: [{ messageId: 'later', accountId: randomUUID() }] },
      { jobId: 'later', delay: 60_000 },
    );
    expect(await control().drain('dispatch')).toEqual({ dispatch: { removed: 4 } });
    expect(await queue.getJobCountByTypes('waiting', 'prioritized', 'delayed')).toBe(0);
    expect(await bed.database.sql(`SELECT 1 FROM messages WHERE status = 'queued'`)).toHaveLength(3);
    await bed.database.sql(`UPDATE message_checks SET due_at = now() - interval '1 second'`);
    await core.get(RecoverMessages).run();
    const jobs = await queue.getJobs(['waiting', 'prioritized', 'delayed']);
    const named = jobs.flatMap(({ data }) => data.messages.map(({ messageId }) => messageId));
    expect(named.toSorted()).toEqual(ids.toSorted());
  });

  it('runs failed and delayed jobs at once', async () => {
    const [failing = ''] = await enqueueMessages(1);
    let failures = 0;
    work(async (id) => {
      if (id === failing && failures === 0) {
        failures += 1;
        throw new Error('for once');
      }
    });
    await queue.add(
      'dispatch',
      { messages: [{ messageId: 'later', accountId: randomUUID() }] },
      { jobId: 'later', delay: 3_600_000 },
    );
    await eventually('it has failed', async () => (await queue.getFailedCount()) === 1);
    expect(await control().retry()).toMatchObject({
      dispatch: { failed: 1, delayed: 1 },
      mail: { failed: 0, delayed: 0 },
    });
    await eventually('both have run', async () => ran.length === 2);
    expect(ran.toSorted()).toEqual([failing, 'later'].toSorted());
  });
});
