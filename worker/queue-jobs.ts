import { Injectable } from '@nestjs/common';
import { Config } from '#core/platform/config/config.js';
import { Logger } from '#core/platform/telemetry/logger.js';
import { CreditsAddedJob } from './processors/credits-added.processor.js';
import { DispatchJob } from './processors/dispatch.processor.js';
import { MailJob } from './processors/mail.processor.js';
import { MediaJob } from './processors/media.processor.js';
import { WebhookJob } from './processors/webhook.processor.js';

const MAILS_AT_ONCE_MAX = 5;
const RELEASES_AT_ONCE_MAX = 2;
/** Files that are fetched concurrently; pictures are decoded one after the other. */
const MEDIA_AT_ONCE_MAX = 5;

/** Runs the jobs of the queues that all workers share, so many of each at once. */
@Injectable()
export class QueueJobs {
  constructor(
    private readonly dispatchJob: DispatchJob,
    private readonly mailJob: MailJob,
    private readonly webhookJob: WebhookJob,
    private readonly mediaJob: MediaJob,
    private readonly creditsAddedJob: CreditsAddedJob,
    private readonly config: Config,
    private readonly logger: Logger,
  ) {}

  start(): void {
    const { dispatch, webhooks, mail } = this.config;
    this.dispatchJob.start(dispatch.concurrency);
    this.webhookJob.start(webhooks.concurrency);
    this.creditsAddedJob.start(RELEASES_AT_ONCE_MAX);
    this.mediaJob.start(MEDIA_AT_ONCE_MAX);
    if (mail.smtpUrl === undefined) this.logger.warn({}, 'SMTP_URL is not set: emails wait');
    else this.mailJob.start(MAILS_AT_ONCE_MAX);
  }

  /** Waits for running jobs. */
  async close(): Promise<void> {
    const jobs = [this.dispatchJob, this.mailJob, this.webhookJob, this.mediaJob, this.creditsAddedJob];
    await Promise.all(jobs.map(({ worker }) => worker.close()));
  }
}
