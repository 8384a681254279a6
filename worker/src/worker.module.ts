import { Module, type DynamicModule } from '@nestjs/common';
import { CreditsModule } from '#core/credits/credits.module.js';
import { ConfigModule } from '#core/config/config.module.js';
import type { Config } from '#core/config/config.js';
import { DatabaseModule } from '#core/database/database.module.js';
import { HealthModule } from '#core/health/health.module.js';
import type { Logger } from '#core/logging/logger.js';
import { CollectRepliesModule } from '#core/inbound/collect-replies.module.js';
import { InboundModule } from '#core/inbound/inbound.module.js';
import { LoggingModule } from '#core/logging/logging.module.js';
import { MailSendingModule } from '#core/mail/mail-sending.module.js';
import { DispatchModule } from '#core/messages/dispatch/dispatch.module.js';
import { OtpModule } from '#core/otp/otp.module.js';
import { SmtpMailer } from '#core/providers/smtp/smtp-mailer.js';
import { TwilioCarrier } from '#core/providers/twilio/twilio-carrier.js';
import { MetricsModule } from '#core/metrics/metrics.module.js';
import { TracingModule } from '#core/tracing/tracing.module.js';
import { NewsModule } from '#core/news/news.module.js';
import { QueueModule } from '#core/queue/queue.module.js';
import { WebhookDeliveryModule } from '#core/webhooks/delivery/webhook-delivery.module.js';
import { HealthController } from './health.controller.js';
import { ArrivedCreditsJob } from './jobs/arrived-credits.job.js';
import { DispatchJob } from './jobs/dispatch.job.js';
import { MailJob } from './jobs/mail.job.js';
import { WebhookJob } from './jobs/webhook.job.js';
import { Loops } from './loops.js';
import { MetricsController } from './metrics.controller.js';
import { Worker } from './worker.js';

/** The composition root of the worker. */
@Module({})
export class WorkerModule {
  static of(config: Config, logger: Logger): DynamicModule {
    const dispatch = DispatchModule.over(TwilioCarrier);
    return {
      module: WorkerModule,
      imports: [
        ConfigModule.of(config),
        LoggingModule.of(logger),
        MetricsModule.of('worker'),
        TracingModule.of('worker'),
        DatabaseModule,
        QueueModule.as('worker'),
        NewsModule,
        HealthModule,
        dispatch,
        OtpModule,
        MailSendingModule.over(SmtpMailer),
        WebhookDeliveryModule,
        InboundModule,
        CollectRepliesModule.with(dispatch),
        CreditsModule,
      ],
      controllers: [HealthController, MetricsController],
      providers: [DispatchJob, MailJob, WebhookJob, ArrivedCreditsJob, Loops, Worker],
    };
  }
}
