import { Module } from '@nestjs/common';
import { AccountsModule } from '#core/accounts/accounts.module.js';
import { CreditsModule } from '#core/credits/credits.module.js';
import { ReceivedHistoryModule } from '#core/inbound/received-history.module.js';
import { MessagesModule } from '#core/messages/messages.module.js';
import { ActivityController } from './activity.controller.js';
import { CreditsController } from './credits.controller.js';
import { LedgerController } from './ledger.controller.js';
import { ReceivedMessagesController } from './received-messages.controller.js';
import { SentMessagesController } from './sent-messages.controller.js';

/** Totals and histories of a signed-in person's account. */
@Module({
  imports: [AccountsModule, CreditsModule, MessagesModule, ReceivedHistoryModule],
  controllers: [
    ActivityController,
    CreditsController,
    LedgerController,
    SentMessagesController,
    ReceivedMessagesController,
  ],
})
export class HistoriesModule {}
