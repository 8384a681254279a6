import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Config } from '#core/platform/config/config.js';
import { Logger } from '#core/platform/telemetry/logger.js';
import { CreditsAddedJob } from './processors/credits-added.processor.js';
import { DispatchJob } from './processors/dispatch.processor.js';
import { MailJob } from './processors/mail.processor.js';
import { WebhookJob } from './processors/webhook.processor.js';
import { Schedules } from './schedules.js';

const MAILS_AT_ONCE_MAX = 5;
const RELEASES_AT_ONCE_MAX = 2;

/** Starts the jobs and the loops of this process, and lets what runs finish when it is told to stop. */
@Injectable()
export class Worker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly dispatchJob: DispatchJob,
    private readonly mailJob: MailJob,
    private readonly webhookJob: WebhookJob,
    private readonly arrivedCreditsJob: CreditsAddedJob,
    private readonly loops: Schedules,
    private readonly config: Config,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    const { logger } = this;
    const { dispatch, webhooks, mail } = this.config;
    this.dispatchJob.start(dispatch.concurrency, logger);
    this.webhookJob.start(webhooks.concurrency, logger);
    this.arrivedCreditsJob.start(RELEASES_AT_ONCE_MAX, logger);
    if (mail.smtpUrl === undefined) logger.warn({}, 'SMTP_URL is not set: e-mails wait');
    else this.mailJob.start(MAILS_AT_ONCE_MAX, logger);
    this.loops.start();
  }

  /** Running jobs finish first; what does not finish in time is settled by recovery, here or in another worker. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([
      this.dispatchJob.worker.close(),
      this.mailJob.worker.close(),
      this.webhookJob.worker.close(),
      this.arrivedCreditsJob.worker.close(),
      this.loops.stop(),
    ]);
  }
}
