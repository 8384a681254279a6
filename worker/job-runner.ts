import { WorkerHost } from '@nestjs/bullmq';
import { DelayedError, type Job } from 'bullmq';
import type { Logger } from '#core/platform/telemetry/logger.js';

/** Base class of the queue processors: starts them with a concurrency limit and logs failures. */
export abstract class JobRunner extends WorkerHost {
  start(concurrency: number, logger: Logger): void {
    const { worker } = this;
    worker.concurrency = concurrency;
    worker.on('error', (err: Error) => logger.warn({ queue: worker.name, reason: err.message }, 'queue error'));
    worker.on('failed', (job, err) => logger.error({ queue: worker.name, jobId: job?.id, err }, 'job failed'));
    worker.run().catch((err: unknown) => logger.fatal({ queue: worker.name, err }, 'worker stopped'));
  }
}

/** Delays the running job, which does not count as a failure. */
export async function later(job: Job, token: string | undefined, delayMs: number): Promise<never> {
  await job.moveToDelayed(Date.now() + delayMs, token);
  throw new DelayedError();
}
