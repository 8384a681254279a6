import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Logger } from '#core/platform/telemetry/logger.js';
import { eventually } from '#core/testing/eventually.js';
import { SharedCounters } from '#core/platform/queue/shared-counters.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { WorkerModule } from './worker.module.js';

describe('GET /metrics of the worker', () => {
  let bed: TestBed;
  let worker: NestFastifyApplication;

  beforeAll(async () => {
    bed = await createTestBed();
    const logger = Logger.silent();
    worker = await NestFactory.create<NestFastifyApplication>(
      WorkerModule.of(bed.config(), logger),
      new FastifyAdapter(),
      { logger: false },
    );
    await worker.init();
    await worker.getHttpAdapter().getInstance().ready();
  });

  afterAll(async () => {
    await worker?.close();
    await bed?.remove();
  });

  const scrape = (remoteAddress = '127.0.0.1') => worker.inject({ url: '/metrics', remoteAddress });

  it('reports runs of scheduled tasks and the ledger check', async () => {
    const isDone = (body: string, task: string) =>
      new RegExp(`pennytext_scheduled_task_runs_total\\{task="${task}",result="done",process="worker"\\} [1-9]`).test(
        body,
      );
    await eventually('the first runs are done', async () => {
      const { body } = await scrape();
      return isDone(body, 'ledger check') && isDone(body, 'recovery');
    });
    const { statusCode, headers, body } = await scrape();
    expect([statusCode, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(body).toContain('pennytext_ledger_mismatches{process="worker"} 0');
    expect(body).toContain('nodejs_eventloop_lag_p99_seconds{process="worker"}');
  });

  it('reports when each task last succeeded, how often it runs, and the months of partitions left', async () => {
    const { body } = await scrape();
    const tasks = (name: string) =>
      new Map(
        [
          ...body.matchAll(
            new RegExp(`^pennytext_scheduled_task_${name}_seconds\\{task="([^"]+)"[^}]*\\} (\\S+)$`, 'gm'),
          ),
        ].map(([, task = '', value]) => [task, Number(value)]),
      );
    const [succeeded, intervals] = [tasks('last_success_timestamp'), tasks('interval')];
    expect([...succeeded.keys()]).toEqual([...intervals.keys()]);
    expect(Object.fromEntries(intervals)).toMatchObject({
      'account erasure': 60,
      'canceled schedules': 1,
      'credit alerts': 5,
      'carrier days': 3_600,
      'delivery quality': 60,
      'delivery suspensions': 60,
      'held replies': expect.any(Number),
      'inbound catch-up': 300,
      'inbound retention': 3_600,
      invoices: 5,
      'ledger check': expect.any(Number),
      'ledger seals': 20,
      'missed replies': expect.any(Number),
      'otp expiry': 5,
      'otp retention': 3_600,
      recovery: expect.any(Number),
      retention: 3_600,
      'scheduled messages': expect.any(Number),
      'service status': 60,
      'top-up recovery': 2,
      'top-ups': 2,
      'webhook recovery': expect.any(Number),
      'webhook retention': 3_600,
      'welcome emails': 10,
      'dispatch pause': expect.any(Number),
    });
    for (const at of succeeded.values()) expect(Math.abs(Date.now() / 1_000 - at)).toBeLessThan(600);
    for (const table of ['messages', 'inbound_messages', 'webhook_attempts'])
      expect(body).toContain(`pennytext_partition_months_left{table="${table}",process="worker"} 2`);
  });

  it('is not ready without a queue, which gives it its work', async () => {
    const full = jest.spyOn(worker.get(SharedCounters, { strict: false }), 'isWritable').mockResolvedValue(false);
    try {
      await eventually('the worker is not ready', async () => {
        const ready = await worker.inject({ url: '/readyz' });
        return ready.statusCode === 503 && ready.json<{ queue: string }>().queue === 'unavailable';
      });
    } finally {
      full.mockRestore();
    }
  });

  it('returns 404 to an address outside the operator’s network', async () => {
    const answer = await scrape('203.0.113.7');
    expect(answer.statusCode).toBe(404);
    expect(answer.body).not.toContain('pennytext_');
  });
});
