import { Module, type DynamicModule } from '@nestjs/common';
import { AccountsModule } from '#core/accounts/accounts.module.js';
import { BillingModule } from '#core/billing/billing.module.js';
import { CreditsModule } from '#core/credits/credits.module.js';
import { ConfigModule, type Config } from '#core/platform/config/config.js';
import { DatabaseModule } from '#core/platform/database/database.module.js';
import { HealthModule } from '#core/platform/health/health.module.js';
import type { Logger } from '#core/platform/telemetry/logger.js';
import { CollectRepliesModule, InboundModule } from '#core/inbound/inbound.module.js';
import { TelemetryModule } from '#core/platform/telemetry/telemetry.module.js';
import { MailSendingModule } from '#core/mail/mail.module.js';
import { DispatchModule, MessagesModule } from '#core/messages/messages.module.js';
import { OtpModule } from '#core/otp/otp.module.js';
import { SmtpMailer } from '#core/providers/smtp/smtp-mailer.js';
import { StripeCardPayments } from '#core/providers/stripe/stripe-card-payments.js';
import { TwilioCarrier } from '#core/providers/twilio/twilio-carrier.js';
import { AccountEventsModule } from '#core/platform/events/account-events.module.js';
import { QueueModule } from '#core/platform/queue/queue.module.js';
import { WebhookDeliveryModule } from '#core/webhooks/delivery/webhook-delivery.module.js';
import { HealthController } from './health.controller.js';
import { CreditsAddedJob } from './processors/credits-added.processor.js';
import { DispatchJob } from './processors/dispatch.processor.js';
import { MailJob } from './processors/mail.processor.js';
import { WebhookJob } from './processors/webhook.processor.js';
import { Schedules } from './schedules.js';
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
        ConfigModule.forRoot(config),
        TelemetryModule.forRoot({ process: 'worker', logger }),
        DatabaseModule,
        QueueModule.as('worker'),
        AccountEventsModule,
        AccountsModule,
        HealthModule,
        dispatch,
        MessagesModule,
        OtpModule,
        MailSendingModule.over(SmtpMailer),
        WebhookDeliveryModule,
        InboundModule,
        CollectRepliesModule.with(dispatch),
        CreditsModule,
        // Erases its part of a deleted account.
        BillingModule.over(StripeCardPayments),
      ],
      controllers: [HealthController, MetricsController],
      providers: [DispatchJob, MailJob, WebhookJob, CreditsAddedJob, Schedules, Worker],
    };
  }
}
