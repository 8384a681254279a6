import { Processor } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { type CreditsAddedJob as CreditsAddedPayload, queueNames } from '#core/platform/queue/queues.js';
import { Postgres } from '#core/platform/database/postgres.js';
import { HeldReplies } from '#core/inbound/held-replies.js';
import { JobRunner } from '../job-runner.js';

/** Releases an account's held replies after credits were added. */
@Processor(queueNames.creditsAdded, { autorun: false, removeOnComplete: { count: 0 }, removeOnFail: { count: 0 } })
export class CreditsAddedJob extends JobRunner {
  constructor(
    private readonly heldReplies: HeldReplies,
    private readonly postgres: Postgres,
  ) {
    super();
  }

  async process({ data }: Job<CreditsAddedPayload>): Promise<void> {
    await this.postgres.ofAccount(data.accountId, () => this.heldReplies.release(data.accountId));
  }
}
