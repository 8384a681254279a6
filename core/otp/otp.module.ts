import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { OtpCodesRepository } from './otp-codes.repository.js';
import { OtpEvents } from './otp-events.js';
import { OtpRecordsRepository } from './otp-records.repository.js';
import { OtpRetention } from './otp-retention.js';
import { OtpSecrets } from './otp-secrets.js';
import { Otps } from './otps.js';
import { ReserveCode } from './reserve-code.js';
import { ReserveResend } from './reserve-resend.js';
import { SendOtp } from './send-otp.js';
import { VerifyOtp } from './verify-otp.js';

const exported = [SendOtp, VerifyOtp, Otps, OtpEvents, OtpRetention];

/** One-time passwords: sent, verified, expired, deleted. */
@Module({
  imports: [AccountsModule, MessagesModule, WebhooksModule],
  providers: [...exported, ReserveCode, ReserveResend, OtpSecrets, OtpCodesRepository, OtpRecordsRepository],
  exports: exported,
})
export class OtpModule {}
