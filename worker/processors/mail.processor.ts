import { Processor } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { MailSender } from '#core/mail/mail-sender.js';
import { type MailJob as MailPayload, queueNames } from '#core/platform/queue/queues.js';
import { Postgres } from '#core/platform/database/postgres.js';
import { JobRunner, later } from '../job-runner.js';

/** Sends one email. */
@Processor(queueNames.mail, { autorun: false, removeOnComplete: { count: 0 }, removeOnFail: { count: 0 } })
export class MailJob extends JobRunner {
  constructor(
    private readonly mailSender: MailSender,
    private readonly postgres: Postgres,
  ) {
    super();
  }

  async process(job: Job<MailPayload>, token?: string): Promise<void> {
    const { mailId } = job.data;
    const result = await this.postgres.ofRow('mails', mailId, () => this.mailSender.send(mailId));
    if (result.kind === 'retry') await later(job, token, result.delayMs);
  }
}
