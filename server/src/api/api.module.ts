import { Module } from '@nestjs/common';
import { AccountsModule } from '#core/accounts/accounts.module.js';
import { CreditsModule } from '#core/credits/credits.module.js';
import { MessagesModule } from '#core/messages/messages.module.js';
import { ApiCaller } from './api-caller.js';
import { BalanceController } from './balance.controller.js';
import { MessagesController } from './messages.controller.js';
import { RateLimits } from './rate-limits.js';
import { SendSmsController } from './send-sms.controller.js';

/** What customers' programs call, with an API key. */
@Module({
  imports: [AccountsModule, CreditsModule, MessagesModule],
  controllers: [SendSmsController, MessagesController, BalanceController],
  providers: [ApiCaller, RateLimits],
})
export class ApiModule {}
