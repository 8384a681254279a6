import { Module } from '@nestjs/common';
import { AccountsModule } from '#core/accounts/accounts.module.js';
import { CreditsModule } from '#core/credits/credits.module.js';
import { MessagesModule } from '#core/messages/messages.module.js';
import { OtpModule } from '#core/otp/otp.module.js';
import { OtpController } from './otp.controller.js';
import { ApiRateLimits } from '../http/rate-limits.js';
import { RecordsController } from './records.controller.js';
import { SendSmsController } from './send-sms.controller.js';

/** The public API, called by customers' programs with an API key. */
@Module({
  imports: [AccountsModule, CreditsModule, MessagesModule, OtpModule],
  controllers: [SendSmsController, OtpController, RecordsController],
  providers: [ApiRateLimits],
})
export class ApiModule {}
