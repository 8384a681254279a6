import { Processor } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { DispatchMessage } from '#core/messages/dispatch/dispatch-message.js';
import { queueNames, type DispatchJob as DispatchPayload } from '#core/queue/queues.js';
import { JobRunner, later } from '../job-runner.js';

/** Takes one message to the carrier. */
@Processor(queueNames.dispatch, { autorun: false, removeOnComplete: { count: 0 }, removeOnFail: { count: 0 } })
export class DispatchJob extends JobRunner {
  constructor(private readonly dispatchMessage: DispatchMessage) {
    super();
  }

  async process(job: Job<DispatchPayload>, token?: string): Promise<void> {
    const result = await this.dispatchMessage.run(job.data.messageId);
    if (result.kind === 'retry') await later(job, token, result.delayMs);
  }
}
