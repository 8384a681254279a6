import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { OtpCodesRepository } from './otp-codes.repository.js';
import { OtpRetention } from './otp-retention.js';
import { OtpSecrets, ReserveCode } from './reserve-code.js';
import { SendOtp } from './send-otp.js';
import { VerifyOtp } from './verify-otp.js';

/** One-time passwords: sent, verified, deleted. */
@Module({
  imports: [AccountsModule, MessagesModule, WebhooksModule],
  providers: [SendOtp, VerifyOtp, OtpRetention, ReserveCode, OtpSecrets, OtpCodesRepository],
  exports: [SendOtp, VerifyOtp, OtpRetention],
})
export class OtpModule {}
