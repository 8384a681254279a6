import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { BillingModule } from '#core/billing/billing.module.js';
import { ConfigModule, type Config } from '#core/platform/config/config.js';
import { HealthModule } from '#core/platform/health/readiness.js';
import type { Logger } from '#core/platform/telemetry/logger.js';
import { TelemetryModule } from '#core/platform/telemetry/telemetry.module.js';
import { buildMediaFiles } from '#core/providers/media-files.js';
import { StripeCardPayments, StripeEvents } from '#core/providers/stripe/stripe-card-payments.js';
import { StripeSavedCards } from '#core/providers/stripe/stripe-saved-cards.js';
import { buildNumberCarriers } from '#core/providers/number-carriers.js';
import { NumbersModule, NumberSalesModule } from '#core/numbers/numbers.module.js';
import { AccountEventsModule } from '#core/platform/events/account-events.js';
import { RoutesModule } from '#core/routes/routes.module.js';
import { QualityModule } from '#core/quality/quality.module.js';
import { QueueModule } from '#core/platform/queue/queue.module.js';
import { AuthModule } from './auth/auth.module.js';
import { DashboardModule } from './dashboard/dashboard.module.js';
import { FailureFilter } from './http/failure.filter.js';
import { ContractPipe } from './http/input.js';
import { HealthController } from './operator/health.controller.js';
import type { BuiltPages } from './pages/built-pages.js';
import { PagesModule } from './pages/pages.controller.js';
import { AccountsModule } from '#core/accounts/accounts.module.js';
import { CreditsModule } from '#core/credits/credits.module.js';
import { ExposureModule, FiguresModule } from '#core/figures/figures.module.js';
import { CheckMediaFiles } from '#core/media/check-media-files.js';
import { MediaFilesModule, MediaModule } from '#core/media/media.module.js';
import { MessagesModule } from '#core/messages/messages.module.js';
import { NotificationsModule } from '#core/notifications/notifications.module.js';
import { OtpModule } from '#core/otp/otp.module.js';
import { TotpModule } from '#core/totp/totp.module.js';
import { KeysModule } from '#core/keys/keys.module.js';
import { BulkBudget } from './api/bulk-budget.js';
import { BulkController } from './api/bulk.controller.js';
import { UploadMediaController } from './api/upload-media.controller.js';
import { OtpController } from './api/otp.controller.js';
import { TotpController } from './api/totp.controller.js';
import { ActionLimits, ApiRateLimits } from './http/rate-limits.js';
import { QuoteController } from './api/quote.controller.js';
import { NumbersController } from './api/numbers.controller.js';
import { PoolsController } from './api/pools.controller.js';
import { PublicController } from './api/public.controller.js';
import { OptOutsController } from './api/opt-outs.controller.js';
import { MediaController, MediaLinksController } from './api/media.controller.js';
import { NotificationsController } from './api/notifications.controller.js';
import { RecordsController } from './api/records.controller.js';
import { SpendController } from './api/spend.controller.js';
import { ReportPresence } from './api/report-presence.js';
import { FixedCalls } from './api/fixed-call.js';
import { Uploads } from './api/uploads.js';
import { SendSmsController } from './api/send-sms.controller.js';
import { EventsController } from './api/events/events.controller.js';
import { EventSubscriptions } from './api/events/event-subscriptions.js';
import { WebhooksModule } from '#core/webhooks/webhooks.module.js';
import { InboundModule } from '#core/inbound/inbound.module.js';
import { TelnyxSignature } from '#core/providers/telnyx/telnyx-signature.js';
import { TwilioSignature } from '#core/providers/twilio/twilio-signature.js';
import { StripeController } from './callbacks/stripe.controller.js';
import { TextbeltCallers } from './compatible/textbelt.js';
import { TextbeltController } from './compatible/textbelt.controller.js';
import { TextbeltOtpController } from './compatible/textbelt-otp.controller.js';
import { TwilioMessagesController } from './compatible/twilio.controller.js';
import { TelnyxCallbacks } from './callbacks/telnyx-callbacks.js';
import { TwilioCallbacks } from './callbacks/twilio-callbacks.js';
import { HooksController } from './hooks/hooks.controller.js';
import { DatabaseModule } from '#core/platform/database/database.module.js';

/** The public API, called by customers' programs with an API key. */
@Module({
  imports: [
    AccountsModule,
    CreditsModule,
    ExposureModule,
    FiguresModule,
    MediaModule,
    MessagesModule,
    InboundModule,
    NotificationsModule,
    OtpModule,
    TotpModule,
    WebhooksModule,
    QualityModule,
    RoutesModule,
  ],
  controllers: [
    SendSmsController,
    BulkController,
    UploadMediaController,
    QuoteController,
    OtpController,
    TotpController,
    RecordsController,
    OptOutsController,
    NotificationsController,
    SpendController,
    EventsController,
    MediaController,
    MediaLinksController,
    NumbersController,
    PoolsController,
    PublicController,
  ],
  providers: [ApiRateLimits, ActionLimits, BulkBudget, EventSubscriptions, FixedCalls, ReportPresence, Uploads],
  exports: [ApiRateLimits, FixedCalls],
})
class ApiModule {}

/** Signed requests from the carriers and Stripe. */
@Module({
  imports: [MessagesModule, InboundModule, ApiModule],
  controllers: [StripeController],
  providers: [TwilioCallbacks, TelnyxCallbacks, TwilioSignature, TelnyxSignature, StripeEvents],
})
class CallbacksModule {}

/** APIs of other providers, for programs that were written for them. */
@Module({
  imports: [WebhooksModule, ApiModule, AccountsModule, CreditsModule, MessagesModule, NumbersModule, OtpModule],
  controllers: [TextbeltController, TextbeltOtpController, TwilioMessagesController],
  providers: [TextbeltCallers],
})
class CompatibleModule {}

/** Addresses that auth products call to send their codes. */
@Module({
  imports: [ApiModule, KeysModule, MessagesModule, OtpModule],
  controllers: [HooksController],
})
class HooksModule {}

/** The composition root of the HTTP server. */
@Module({})
export class ServerModule {
  static forRoot(config: Config, logger: Logger, pages: BuiltPages): DynamicModule {
    return {
      module: ServerModule,
      imports: [
        ConfigModule.forRoot(config),
        TelemetryModule.forRoot({ process: 'server', logger }),
        DatabaseModule,
        QueueModule.as('producer'),
        AccountEventsModule,
        HealthModule,
        MediaFilesModule.over(buildMediaFiles),
        BillingModule.over(StripeCardPayments, StripeSavedCards),
        NumberSalesModule.over(buildNumberCarriers),
        ApiModule,
        CompatibleModule,
        CallbacksModule,
        HooksModule,
        AuthModule,
        DashboardModule,
        PagesModule.forRoot(pages),
      ],
      controllers: [HealthController],
      providers: [
        CheckMediaFiles,
        { provide: APP_FILTER, useClass: FailureFilter },
        { provide: APP_PIPE, useClass: ContractPipe },
      ],
    };
  }
}
