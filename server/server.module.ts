import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { BillingModule } from '#core/billing/billing.module.js';
import { ConfigModule, type Config } from '#core/platform/config/config.js';
import { DatabaseModule } from '#core/platform/database/database.module.js';
import { HealthModule } from '#core/platform/health/health.module.js';
import type { Logger } from '#core/platform/telemetry/logger.js';
import { TelemetryModule } from '#core/platform/telemetry/telemetry.module.js';
import { StripeCardPayments } from '#core/providers/stripe/stripe-card-payments.js';
import { AccountEventsModule } from '#core/platform/events/account-events.module.js';
import { QueueModule } from '#core/platform/queue/queue.module.js';
import { ApiModule } from './api/api.module.js';
import { AuthModule } from './auth/auth.module.js';
import { CallbacksModule } from './callbacks/callbacks.module.js';
import { DashboardModule } from './dashboard/dashboard.module.js';
import { FailureFilter } from './http/failure.filter.js';
import { ContractPipe } from './http/input.js';
import { HealthController } from './operator/health.controller.js';
import type { BuiltPages } from './pages/built-pages.js';
import { PagesModule } from './pages/pages.module.js';

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
        BillingModule.over(StripeCardPayments),
        ApiModule,
        CallbacksModule,
        AuthModule,
        DashboardModule,
        PagesModule.forRoot(pages),
      ],
      controllers: [HealthController],
      providers: [
        { provide: APP_FILTER, useClass: FailureFilter },
        { provide: APP_PIPE, useClass: ContractPipe },
      ],
    };
  }
}
