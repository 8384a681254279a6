import { Module } from '@nestjs/common';
import { AccountsModule } from '#core/accounts/accounts.module.js';
import { CreditsModule } from '#core/credits/credits.module.js';
import { MessagesModule } from '#core/messages/messages.module.js';
import { OtpModule } from '#core/otp/otp.module.js';
import { ApiCaller } from './api-caller.js';
import { BalanceController } from './balance.controller.js';
import { MessagesController } from './messages.controller.js';
import { RateLimits } from './rate-limits.js';
import { SendOtpController } from './send-otp.controller.js';
import { SendSmsController } from './send-sms.controller.js';
import { VerifyOtpController } from './verify-otp.controller.js';

/** What customers' programs call, with an API key. */
@Module({
  imports: [AccountsModule, CreditsModule, MessagesModule, OtpModule],
  controllers: [SendSmsController, SendOtpController, VerifyOtpController, MessagesController, BalanceController],
  providers: [ApiCaller, RateLimits],
})
export class ApiModule {}
