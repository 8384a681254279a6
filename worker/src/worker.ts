import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Config } from '#core/config/config.js';
import { InboundHousekeeping } from '#core/inbound/inbound-housekeeping.js';
import { RecoverHeld } from '#core/inbound/recover-held.js';
import { LOGGER, type Logger } from '#core/logging/logger.js';
import { RecoverMails } from '#core/mail/recover-mails.js';
import { Housekeeping } from '#core/messages/recovery/housekeeping.js';
import { RecoverMessages } from '#core/messages/recovery/recover-messages.js';
import { RecoverWebhooks } from '#core/webhooks/delivery/recover-webhooks.js';
import { LookForLowCredits } from '#core/webhooks/look-for-low-credits.js';
import { WebhookHousekeeping } from '#core/webhooks/webhook-housekeeping.js';
import { ArrivedCreditsJob } from './jobs/arrived-credits.job.js';
import { OtpHousekeeping } from '#core/otp/otp-housekeeping.js';
import { DispatchJob } from './jobs/dispatch.job.js';
import { MailJob } from './jobs/mail.job.js';
import { WebhookJob } from './jobs/webhook.job.js';
import { Recurring } from './recurring.js';

const HOUSEKEEPING_EVERY_MS = 3_600_000;
const MAIL_RECOVERY_EVERY_MS = 10_000;
const LOW_CREDITS_EVERY_MS = 5_000;
const MAILS_AT_ONCE_MAX = 5;
const RELEASES_AT_ONCE_MAX = 2;
const STOP_WITHIN_MS = 30_000;

/** Starts the jobs and the recurring work of this process, and lets what runs finish when it is told to stop. */
@Injectable()
export class Worker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private recurring: Recurring[] = [];

  constructor(
    private readonly dispatchJob: DispatchJob,
    private readonly mailJob: MailJob,
    private readonly webhookJob: WebhookJob,
    private readonly arrivedCreditsJob: ArrivedCreditsJob,
    private readonly recoverMessages: RecoverMessages,
    private readonly recoverMails: RecoverMails,
    private readonly recoverWebhooks: RecoverWebhooks,
    private readonly lookForLowCredits: LookForLowCredits,
    private readonly recoverHeld: RecoverHeld,
    private readonly inboundHousekeeping: InboundHousekeeping,
    private readonly housekeeping: Housekeeping,
    private readonly webhookHousekeeping: WebhookHousekeeping,
    private readonly otpHousekeeping: OtpHousekeeping,
    private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    const { logger } = this;
    const { concurrency, recoveryIntervalMs } = this.config.dispatch;
    this.dispatchJob.start(concurrency, logger);
    this.webhookJob.start(this.config.webhooks.concurrency, logger);
    this.arrivedCreditsJob.start(RELEASES_AT_ONCE_MAX, logger);
    if (this.config.mail.smtpUrl === undefined) logger.warn('SMTP_URL is not set: e-mails wait');
    else this.mailJob.start(MAILS_AT_ONCE_MAX, logger);
    this.recurring = [
      new Recurring({
        name: 'mail recovery',
        everyMs: MAIL_RECOVERY_EVERY_MS,
        logger,
        run: async () => this.config.mail.smtpUrl !== undefined && (await this.recoverMails.run()) > 0,
      }),
      new Recurring({
        name: 'recovery',
        everyMs: recoveryIntervalMs,
        logger,
        run: async () => (await this.recoverMessages.run()) > 0,
      }),
      new Recurring({
        name: 'webhook recovery',
        everyMs: recoveryIntervalMs,
        logger,
        run: async () => (await this.recoverWebhooks.run()) > 0,
      }),
      new Recurring({
        name: 'low credits',
        everyMs: LOW_CREDITS_EVERY_MS,
        logger,
        run: async () => (await this.lookForLowCredits.run()) > 0,
      }),
      new Recurring({
        name: 'held messages',
        everyMs: recoveryIntervalMs,
        logger,
        run: () => this.recoverHeld.run(),
      }),
      new Recurring({
        name: 'inbound housekeeping',
        everyMs: HOUSEKEEPING_EVERY_MS,
        logger,
        run: () => this.inboundHousekeeping.run(),
      }),
      new Recurring({
        name: 'webhook housekeeping',
        everyMs: HOUSEKEEPING_EVERY_MS,
        logger,
        run: () => this.webhookHousekeeping.run(),
      }),
      new Recurring({
        name: 'housekeeping',
        everyMs: HOUSEKEEPING_EVERY_MS,
        logger,
        run: async () => {
          await this.housekeeping.run();
          return false;
        },
      }),
      new Recurring({
        name: 'otp housekeeping',
        everyMs: HOUSEKEEPING_EVERY_MS,
        logger,
        run: () => this.otpHousekeeping.run(),
      }),
    ];
  }

  /** Running jobs finish first; what does not finish in time is settled by recovery, here or in another worker. */
  async beforeApplicationShutdown(): Promise<void> {
    const bound = setTimeout(() => {
      this.logger.error('stopped with jobs still running; recovery settles them');
      process.exit(1);
    }, STOP_WITHIN_MS);
    bound.unref();
    await Promise.all([
      this.dispatchJob.worker.close(),
      this.mailJob.worker.close(),
      this.webhookJob.worker.close(),
      this.arrivedCreditsJob.worker.close(),
      ...this.recurring.map((one) => one.stop()),
    ]);
    clearTimeout(bound);
  }
}
