import { Processor } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { MailSender } from '#core/mail/mail-sender.js';
import { mailPayload, type MailPayload, queueNames } from '#core/platform/queue/queues.js';
import { Postgres } from '#core/platform/database/postgres.js';
import { Telemetry } from '#core/platform/telemetry/telemetry.js';
import { JobRunner, later } from '../job-runner.js';

/** Sends one email. */
@Processor(queueNames.mail, { autorun: false, removeOnComplete: { count: 0 }, removeOnFail: { count: 0 } })
export class MailJob extends JobRunner<MailPayload> {
  constructor(
    private readonly mailSender: MailSender,
    private readonly postgres: Postgres,
    telemetry: Telemetry,
  ) {
    super(mailPayload, telemetry);
  }

  protected async run({ mailId }: MailPayload, job: Job, token: string | undefined): Promise<void> {
    const result = await this.postgres.ofRow('mails', mailId, () => this.mailSender.send(mailId));
    if (result.kind === 'retry') await later(job, token, result.delayMs);
  }
}
