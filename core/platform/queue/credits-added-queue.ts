import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { Logger } from '../telemetry/logger.js';
import { queueNames, type CreditsAddedJob } from './queues.js';

/** Tells the worker that credits have arrived, so that it releases what was held for want of them. A hint: recovery looks too. */
@Injectable()
export class CreditsAddedQueue implements BeforeApplicationShutdown {
  private readonly pending = new Set<Promise<void>>();

  constructor(
    @InjectQueue(queueNames.creditsAdded) private readonly queue: Queue<CreditsAddedJob>,
    private readonly logger: Logger,
  ) {
    queue.on('error', (err: Error) => logger.warn({ reason: err.message }, 'queue of arrived credits is away'));
  }

  /** After the commit; nobody waits for it. */
  put(accountId: string): void {
    const adding: Promise<void> = this.queue
      .add(queueNames.creditsAdded, { accountId }, { jobId: accountId })
      .then(() => undefined)
      .catch((err: unknown) => this.logger.warn({ err, accountId }, 'arrived credits left to recovery'))
      .finally(() => this.pending.delete(adding));
    this.pending.add(adding);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.pending);
  }
}
