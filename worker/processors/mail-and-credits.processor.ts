import { Processor } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { MailSender } from '#core/mail/mail-sender.js';
import {
  type CreditsAddedJob as CreditsAddedPayload,
  type MailJob as MailPayload,
  queueNames,
} from '#core/platform/queue/queues.js';
import { HeldReplies } from '#core/inbound/held-replies.js';
import { JobRunner, later } from '../job-runner.js';

/** Sends one email. */
@Processor(queueNames.mail, { autorun: false, removeOnComplete: { count: 0 }, removeOnFail: { count: 0 } })
export class MailJob extends JobRunner {
  constructor(private readonly mailSender: MailSender) {
    super();
  }

  async process(job: Job<MailPayload>, token?: string): Promise<void> {
    const result = await this.mailSender.send(job.data.mailId);
    if (result.kind === 'retry') await later(job, token, result.delayMs);
  }
}

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
