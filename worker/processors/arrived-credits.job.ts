import { Processor } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { ReleaseHeld } from '#core/inbound/release-held.js';
import { queueNames, type ArrivedCreditsJob as ArrivedCreditsPayload } from '#core/platform/queue/queues.js';
import { JobRunner } from '../job-runner.js';

/** Releases what an account's messages were held for, after credits have arrived. */
@Processor(queueNames.arrivedCredits, { autorun: false, removeOnComplete: { count: 0 }, removeOnFail: { count: 0 } })
export class ArrivedCreditsJob extends JobRunner {
  constructor(private readonly releaseHeld: ReleaseHeld) {
    super();
  }

  async process({ data }: Job<ArrivedCreditsPayload>): Promise<void> {
    await this.releaseHeld.run(data.accountId);
  }
}
