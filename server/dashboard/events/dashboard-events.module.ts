import { Module } from '@nestjs/common';
import { AccountsModule } from '#core/accounts/accounts.module.js';
import { CreditsModule } from '#core/credits/credits.module.js';
import { MessagesModule } from '#core/messages/messages.module.js';
import { SessionCookie } from '../../auth/session-cookie.js';
import { DashboardEventsController } from './dashboard-events.controller.js';
import { EventStreams } from './event-streams.js';
import { LiveUpdates } from './live-updates.js';

/** Live updates of the dashboard. */
@Module({
  imports: [AccountsModule, CreditsModule, MessagesModule],
  controllers: [DashboardEventsController],
  providers: [EventStreams, LiveUpdates, SessionCookie],
})
export class DashboardEventsModule {}
