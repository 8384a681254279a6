import { Module, type DynamicModule } from '@nestjs/common';
import { OperatorModule } from '#core/audit/operator.js';
import { AccountsModule } from '#core/accounts/accounts.module.js';
import { BillingModule } from '#core/billing/billing.module.js';
import { ConfigModule, type Config } from '#core/platform/config/config.js';
import { HealthModule } from '#core/platform/health/readiness.js';
import type { Logger } from '#core/platform/telemetry/logger.js';
import { InboundModule } from '#core/inbound/inbound.module.js';
import { TelemetryModule } from '#core/platform/telemetry/telemetry.module.js';
import { FiguresModule, MarginModule } from '#core/figures/figures.module.js';
import { MediaFilesModule } from '#core/media/media.module.js';
import { buildMediaFiles } from '#core/providers/media-files.js';
import { MessagesModule } from '#core/messages/messages.module.js';
import { StripeCardPayments } from '#core/providers/stripe/stripe-card-payments.js';
import { StripeSavedCards } from '#core/providers/stripe/stripe-saved-cards.js';
import { buildNumberCarriers } from '#core/providers/number-carriers.js';
import { NumberSalesModule } from '#core/numbers/numbers.module.js';
import { AccountEventsModule } from '#core/platform/events/account-events.js';
import { RoutesModule } from '#core/routes/routes.module.js';
import { OtpModule } from '#core/otp/otp.module.js';
import { TotpModule } from '#core/totp/totp.module.js';
import { QueueModule } from '#core/platform/queue/queue.module.js';
import { WebhooksModule } from '#core/webhooks/webhooks.module.js';
import { DatabaseModule } from '#core/platform/database/database.module.js';

/** Composition root of the admin program. */
@Module({})
export class AdminModule {
  /** `operator` is the name of the person who runs the command, if there is one. */
  static of(config: Config, logger: Logger, operator: string | undefined): DynamicModule {
    return {
      module: AdminModule,
      imports: [
        ConfigModule.forRoot(config),
        OperatorModule.of(operator),
        TelemetryModule.forRoot({ process: 'admin', logger }),
        DatabaseModule,
        QueueModule.as('producer'),
        AccountEventsModule,
        HealthModule,
        MediaFilesModule.over(buildMediaFiles),
        AccountsModule,
        BillingModule.over(StripeCardPayments, StripeSavedCards),
        NumberSalesModule.over(buildNumberCarriers),
        MessagesModule,
        FiguresModule,
        MarginModule,
        RoutesModule,
        OtpModule,
        TotpModule,
        WebhooksModule,
        InboundModule,
      ],
    };
  }
}
