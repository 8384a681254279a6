import { Processor } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import { SendMail } from '#core/mail/send-mail.js';
import { queueNames, type MailJob as MailPayload } from '#core/platform/queue/queues.js';
import { JobRunner, later } from '../job-runner.js';

/** Takes one e-mail to the mail server. */
@Processor(queueNames.mail, { autorun: false, removeOnComplete: { count: 0 }, removeOnFail: { count: 0 } })
export class MailJob extends JobRunner {
  constructor(private readonly sendMail: SendMail) {
    super();
  }

  async process(job: Job<MailPayload>, token?: string): Promise<void> {
    const result = await this.sendMail.run(job.data.mailId);
    if (result.kind === 'retry') await later(job, token, result.delayMs);
  }
}
