import {
  Module,
  type DynamicModule,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AccountsModule } from '#core/accounts/accounts.module.js';
import { BillingModule } from '#core/billing/billing.module.js';
import { FiguresModule } from '#core/figures/figures.module.js';
import { RoutesModule } from '#core/routes/routes.module.js';
import { CreditsModule } from '#core/credits/credits.module.js';
import { ConfigModule, Config } from '#core/platform/config/config.js';
import { QualityModule } from '#core/quality/quality.module.js';
import { HealthModule } from '#core/platform/health/readiness.js';
import { Logger } from '#core/platform/telemetry/logger.js';
import { CollectRepliesModule, InboundModule } from '#core/inbound/inbound.module.js';
import { TelemetryModule } from '#core/platform/telemetry/telemetry.module.js';
import { CheckMediaFiles } from '#core/media/check-media-files.js';
import { MediaFilesModule } from '#core/media/media.module.js';
import { MailSendingModule } from '#core/mail/mail.module.js';
import { DispatchModule, MessagesModule } from '#core/messages/messages.module.js';
import { OtpModule } from '#core/otp/otp.module.js';
import { TotpModule } from '#core/totp/totp.module.js';
import { buildCarriers } from '#core/providers/carriers.js';
import { buildMediaFiles } from '#core/providers/media-files.js';
import { HoldBinds } from '#core/providers/smpp/hold-binds.js';
import { BindReplies } from '#core/providers/smpp/smpp-replies.js';
import { SmtpMailer } from '#core/providers/smtp/smtp-mailer.js';
import { StripeCardPayments } from '#core/providers/stripe/stripe-card-payments.js';
import { StripeSavedCards } from '#core/providers/stripe/stripe-saved-cards.js';
import { buildNumberCarriers } from '#core/providers/number-carriers.js';
import { NumberSalesModule } from '#core/numbers/numbers.module.js';
import { AccountEventsModule } from '#core/platform/events/account-events.js';
import { QueueModule } from '#core/platform/queue/queue.module.js';
import { WebhookDeliveryModule } from '#core/webhooks/webhooks.module.js';
import { HealthController, MetricsController } from './operator.controller.js';
import { MailJob } from './processors/mail.processor.js';
import { CarrierDispatch, DispatchJob } from './processors/dispatch.processor.js';
import { MediaJob } from './processors/media.processor.js';
import { WebhookJob } from './processors/webhook.processor.js';
import { QueueJobs } from './queue-jobs.js';
import { Schedules } from './schedules.js';
import { CreditsAddedJob } from './processors/credits-added.processor.js';
import { DatabaseModule } from '#core/platform/database/database.module.js';

/** Starts the jobs of the queues and scheduled tasks; on shutdown waits for those that run. */
@Injectable()
export class Worker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly queueJobs: QueueJobs,
    private readonly carrierDispatch: CarrierDispatch,
    private readonly holdBinds: HoldBinds,
    private readonly schedules: Schedules,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.holdBinds.start(this.carrierDispatch);
    this.queueJobs.start();
    this.carrierDispatch.start();
    this.schedules.start();
  }

  /**
   * Waits for running jobs and tasks. Recovery settles work that does not finish in time, here or
   * in another worker. Binds are given back after the jobs that use them.
   */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.queueJobs.close(), this.carrierDispatch.close(), this.schedules.stop()]);
    await this.holdBinds.stop();
  }
}

/** The composition root of the worker. */
@Module({})
export class WorkerModule {
  static of(config: Config, logger: Logger): DynamicModule {
    const dispatch = DispatchModule.over(buildCarriers);
    return {
      module: WorkerModule,
      imports: [
        DiscoveryModule,
        ConfigModule.forRoot(config),
        TelemetryModule.forRoot({ process: 'worker', logger }),
        DatabaseModule,
        QueueModule.as('worker'),
        AccountEventsModule,
        AccountsModule,
        HealthModule,
        MediaFilesModule.over(buildMediaFiles),
        dispatch,
        FiguresModule,
        MessagesModule,
        RoutesModule,
        QualityModule,
        OtpModule,
        TotpModule,
        MailSendingModule.over(SmtpMailer),
        WebhookDeliveryModule,
        InboundModule,
        CollectRepliesModule.with(dispatch),
        CreditsModule,
        // Also registers the erasure of billing data for deleted accounts.
        BillingModule.over(StripeCardPayments, StripeSavedCards),
        NumberSalesModule.over(buildNumberCarriers),
      ],
      controllers: [HealthController, MetricsController],
      providers: [
        CheckMediaFiles,
        DispatchJob,
        MailJob,
        WebhookJob,
        CreditsAddedJob,
        MediaJob,
        CarrierDispatch,
        QueueJobs,
        BindReplies,
        HoldBinds,
        Schedules,
        Worker,
      ],
    };
  }
}
