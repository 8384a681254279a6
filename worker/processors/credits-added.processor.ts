import { Processor } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { HeldReplies } from '#core/inbound/held-replies.js';
import { queueNames, type CreditsAddedJob as CreditsAddedPayload } from '#core/platform/queue/queues.js';
import { JobRunner } from '../job-runner.js';

/** Releases an account's held replies after credits were added. */
@Processor(queueNames.creditsAdded, { autorun: false, removeOnComplete: { count: 0 }, removeOnFail: { count: 0 } })
export class CreditsAddedJob extends JobRunner {
  constructor(private readonly heldReplies: HeldReplies) {
    super();
  }

  async process({ data }: Job<CreditsAddedPayload>): Promise<void> {
    await this.heldReplies.release(data.accountId);
  }
}
