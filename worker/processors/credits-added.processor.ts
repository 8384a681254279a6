import { Processor } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { HeldReplies } from '#core/inbound/held-replies.js';
import { queueNames, type CreditsAddedJob as CreditsAddedPayload } from '#core/platform/queue/queues.js';
import { JobRunner } from '../job-runner.js';

/** Releases what an account's messages were held for, after credits have arrived. */
@Processor(queueNames.creditsAdded, { autorun: false, removeOnComplete: { count: 0 }, removeOnFail: { count: 0 } })
export class CreditsAddedJob extends JobRunner {
  constructor(private readonly heldReplies: HeldReplies) {
    super();
  }

  async process({ data }: Job<CreditsAddedPayload>): Promise<void> {
    await this.heldReplies.release(data.accountId);
  }
}
