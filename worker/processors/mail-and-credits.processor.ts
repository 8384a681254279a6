import { Processor } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { MailSender } from '#core/mail/mail-sender.js';
import {
  type CreditsAddedJob as CreditsAddedPayload,
  type MailJob as MailPayload,
  queueNames,
} from '#core/platform/queue/queues.js';
import { Shards } from '#core/platform/database/shards.js';
import { HeldReplies } from '#core/inbound/held-replies.js';
import { JobRunner, later } from '../job-runner.js';

/** Sends one email. */
@Processor(queueNames.mail, { autorun: false, removeOnComplete: { count: 0 }, removeOnFail: { count: 0 } })
export class MailJob extends JobRunner {
  constructor(
    private readonly mailSender: MailSender,
    private readonly shards: Shards,
  ) {
    super();
  }

  async process(job: Job<MailPayload>, token?: string): Promise<void> {
    const { mailId } = job.data;
    const result = await this.shards.ofRow('mails', mailId, () => this.mailSender.send(mailId));
    if (result.kind === 'retry') await later(job, token, result.delayMs);
  }
}

/** Releases an account's held replies after credits were added. */
@Processor(queueNames.creditsAdded, { autorun: false, removeOnComplete: { count: 0 }, removeOnFail: { count: 0 } })
export class CreditsAddedJob extends JobRunner {
  constructor(
    private readonly heldReplies: HeldReplies,
    private readonly shards: Shards,
  ) {
    super();
  }

  async process({ data }: Job<CreditsAddedPayload>): Promise<void> {
    await this.shards.of(data.accountId, () => this.heldReplies.release(data.accountId));
  }
}
