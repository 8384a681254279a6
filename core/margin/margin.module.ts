import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CreditsModule } from '../credits/credits.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { Margin } from './margin.js';

/** What messages earned and what they cost. */
@Module({
  imports: [AccountsModule, CreditsModule, MessagesModule],
  providers: [Margin],
  exports: [Margin],
})
export class MarginModule {}
