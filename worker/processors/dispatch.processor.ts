import { Processor } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { DispatchMessage } from '#core/messages/dispatch/dispatch-message.js';
import { queueNames, type DispatchJob as DispatchPayload } from '#core/platform/queue/queues.js';
import { contextFields } from '#core/platform/telemetry/request-context.js';
import { JobRunner, later } from '../job-runner.js';

/**
 * A dead worker's jobs are put back in line this soon: recovery cannot enqueue a message whose job is still there. A job
 * that runs twice by it finds its row claimed.
 */
const LOCK_MS = 15_000;
const STALLED_CHECK_MS = 5_000;
const STALLS_MAX = 10;

/** Takes one message to the carrier. */
@Processor(queueNames.dispatch, {
  autorun: false,
  lockDuration: LOCK_MS,
  stalledInterval: STALLED_CHECK_MS,
  maxStalledCount: STALLS_MAX,
  removeOnComplete: { count: 0 },
  removeOnFail: { count: 0 },
})
export class DispatchJob extends JobRunner {
  constructor(private readonly dispatchMessage: DispatchMessage) {
    super();
  }

  async process(job: Job<DispatchPayload>, token?: string): Promise<void> {
    const result = await this.dispatchMessage.dispatch(job.data.messageId, contextFields(job.data));
    if (result.kind === 'retry') await later(job, token, result.delayMs);
  }
}
