import { WorkerHost } from '@nestjs/bullmq';
import { DelayedError, type Job } from 'bullmq';
import type { Logger } from '#core/platform/telemetry/logger.js';

/** What every kind of job shares: when it starts, how many run at once, and a line in the log when something goes wrong. */
export abstract class JobRunner extends WorkerHost {
  start(concurrency: number, logger: Logger): void {
    const { worker } = this;
    worker.concurrency = concurrency;
    worker.on('error', (err: Error) => logger.warn({ queue: worker.name, reason: err.message }, 'queue error'));
    worker.on('failed', (job, err) => logger.error({ queue: worker.name, jobId: job?.id, err }, 'job failed'));
    worker.run().catch((err: unknown) => logger.fatal({ queue: worker.name, err }, 'worker stopped'));
  }
}

/** Puts a job back, to run again after a while; it does not count as a failure. */
export async function later(job: Job, token: string | undefined, delayMs: number): Promise<never> {
  await job.moveToDelayed(Date.now() + delayMs, token);
  throw new DelayedError();
}
