import { Processor } from '@nestjs/bullmq';
import { type CreditsAddedPayload, creditsAddedPayload, queueNames } from '#core/platform/queue/queues.js';
import { NumberRent } from '#core/numbers/number-rent.js';
import { Postgres } from '#core/platform/database/postgres.js';
import { Telemetry } from '#core/platform/telemetry/telemetry.js';
import { HeldReplies } from '#core/inbound/held-replies.js';
import { JobRunner } from '../job-runner.js';

/** Releases an account's held replies, and takes the rent that is due, after credits were added. */
@Processor(queueNames.creditsAdded, { autorun: false, removeOnComplete: { count: 0 }, removeOnFail: { count: 0 } })
export class CreditsAddedJob extends JobRunner<CreditsAddedPayload> {
  constructor(
    private readonly heldReplies: HeldReplies,
    private readonly numberRent: NumberRent,
    private readonly postgres: Postgres,
    telemetry: Telemetry,
  ) {
    super(creditsAddedPayload, telemetry);
  }

  protected async run({ accountId }: CreditsAddedPayload): Promise<void> {
    await this.postgres.ofAccount(accountId, async () => {
      await this.numberRent.creditsAdded(accountId);
      await this.heldReplies.release(accountId);
    });
  }
}
