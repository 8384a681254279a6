import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Logger } from '#core/platform/telemetry/logger.js';
import { eventually } from '#core/testing/eventually.js';
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

  it('returns 404 to an address outside the operator’s network', async () => {
    const answer = await scrape('203.0.113.7');
    expect(answer.statusCode).toBe(404);
    expect(answer.body).not.toContain('pennytext_');
  });
});
