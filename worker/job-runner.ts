import { WorkerHost } from '@nestjs/bullmq';
import { DelayedError, type Job } from 'bullmq';
import type { z } from 'zod';
import type { Telemetry } from '#core/platform/telemetry/telemetry.js';

const PATHS_MAX = 5;
const NAME_CHARACTERS_MAX = 50;

/**
 * Base class of the queue processors: starts them with a concurrency limit, checks what their jobs
 * carry, and logs and counts the jobs that fail.
 */
export abstract class JobRunner<Payload> extends WorkerHost {
  constructor(
    private readonly payload: z.ZodType<Payload>,
    private readonly telemetry: Telemetry,
  ) {
    super();
  }

  /** Runs a job; a rejection is logged, and recovery finds the rows that it did not finish. */
  protected abstract run(payload: Payload, job: Job, token: string | undefined): Promise<void>;

  start(concurrency: number): void {
    const { worker } = this;
    const { logger, metrics } = this.telemetry;
    const queue = worker.name;
    worker.concurrency = concurrency;
    worker.on('error', (err: Error) => logger.warn({ queue, err }, 'queue error'));
    worker.on('failed', (job, err) => {
      metrics.jobsFailed.inc({ queue, reason: 'failed' });
      logger.error({ queue, jobId: job?.id, err }, 'job failed');
    });
    worker.run().catch((err: unknown) => logger.fatal({ queue, err }, 'worker stopped'));
  }

  /**
   * Ends a job of an unknown name or with unreadable data, which no attempt can run, with a line that
   * names it and the paths of what is wrong. The values are not logged: they may be of a customer.
   */
  async process(job: Job, token?: string): Promise<void> {
    const queue = this.worker.name;
    const parsed = this.payload.safeParse(job.data);
    if (job.name === queue && parsed.success) return this.run(parsed.data, job, token);
    const { logger, metrics } = this.telemetry;
    const paths = parsed.error?.issues.map(({ path }) => path.join('.')).slice(0, PATHS_MAX);
    metrics.jobsFailed.inc({ queue, reason: 'unreadable' });
    logger.error({ queue, jobId: job.id, name: job.name.slice(0, NAME_CHARACTERS_MAX), paths }, 'job unreadable');
  }
}

/** Delays the running job, which does not count as a failure. */
export async function later(job: Job, token: string | undefined, delayMs: number): Promise<never> {
  await job.moveToDelayed(Date.now() + delayMs, token);
  throw new DelayedError();
}
