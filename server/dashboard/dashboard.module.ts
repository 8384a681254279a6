import { Module } from '@nestjs/common';
import { AccountsModule } from '#core/accounts/accounts.module.js';
import { AuditModule } from '#core/audit/audit.module.js';
import { CreditsModule } from '#core/credits/credits.module.js';
import { ExposureModule, FiguresModule } from '#core/figures/figures.module.js';
import { InboundModule } from '#core/inbound/inbound.module.js';
import { MediaModule } from '#core/media/media.module.js';
import { MessagesModule } from '#core/messages/messages.module.js';
import { NotificationsModule } from '#core/notifications/notifications.module.js';
import { OtpModule } from '#core/otp/otp.module.js';
import { WebhooksModule } from '#core/webhooks/webhooks.module.js';
import { SessionCookie } from '../auth/session.guard.js';
import { AccountProfile } from './account-profile.js';
import { AccountExport } from './downloads.js';
import { AccountSettingsController } from './account-settings.controller.js';
import { AccountController } from './account.controller.js';
import { ReaderController } from './reader.controller.js';
import { DashboardMediaController } from './media.controller.js';
import { MessagesController } from './messages.controller.js';
import { DashboardNumbersController } from './numbers.controller.js';
import { BillingController } from './billing.controller.js';
import { InvoicesController } from './invoices.controller.js';
import { ActionLimits } from '../http/rate-limits.js';
import { CreditsController } from './credits.controller.js';
import { DashboardEventsController, LiveUpdates } from './events/live-updates.js';
import { DashboardNotificationsController } from './notifications.controller.js';
import { EventStreams } from './events/event-streams.js';
import { FiltersController } from './filters.controller.js';
import { WebhookController } from './webhook.controller.js';
import { ConversationsController } from './conversations.controller.js';
import { OptOutsController } from './opt-outs.controller.js';
import { SpendController } from './spend.controller.js';
import { SendingController } from './sending.controller.js';
import { BatchesController } from './batches.controller.js';
import { AlertsController } from './alerts.controller.js';
import { TopUpController } from './top-up.controller.js';
import { RedeemCodeController } from './redeem-code.controller.js';
import { CheckoutController } from './checkout.controller.js';
import { OtpLogController } from './otp-log.controller.js';
import { OtpSettingsController } from './otp-settings.controller.js';
import { PlugsController } from './plugs.controller.js';

/** The calls that our own pages make for a signed-in user. */
@Module({
  imports: [
    AccountsModule,
    AuditModule,
    CreditsModule,
    ExposureModule,
    FiguresModule,
    MediaModule,
    MessagesModule,
    InboundModule,
    NotificationsModule,
    OtpModule,
    WebhooksModule,
  ],
  controllers: [
    AccountController,
    ReaderController,
    AccountSettingsController,
    AlertsController,
    BatchesController,
    BillingController,
    CheckoutController,
    ConversationsController,
    CreditsController,
    DashboardEventsController,
    DashboardNotificationsController,
    DashboardNumbersController,
    FiltersController,
    InvoicesController,
    DashboardMediaController,
    MessagesController,
    OptOutsController,
    OtpLogController,
    OtpSettingsController,
    PlugsController,
    RedeemCodeController,
    SendingController,
    SpendController,
    TopUpController,
    WebhookController,
  ],
  providers: [AccountExport, AccountProfile, ActionLimits, EventStreams, LiveUpdates, SessionCookie],
})
export class DashboardModule {}
