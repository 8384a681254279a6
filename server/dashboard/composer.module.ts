import { Module } from '@nestjs/common';
import { AccountsModule } from '#core/accounts/accounts.module.js';
import { MessagesModule } from '#core/messages/messages.module.js';
import { QuoteController } from './quote.controller.js';

/** What the composer of a signed-in person asks; it sends by the public API. */
@Module({
  imports: [AccountsModule, MessagesModule],
  controllers: [QuoteController],
})
export class ComposerModule {}
