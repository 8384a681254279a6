import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { GuessBatches } from './guess-batches.js';
import { OtpCodesRepository } from './otp-codes.repository.js';
import { OtpGuardsRepository } from './otp-guards.repository.js';
import { OtpRetention } from './otp-retention.js';
import { OtpErasureRepository } from './otp-erasure.repository.js';
import { OtpSecrets } from './otp-secrets.js';
import { ReserveCode } from './reserve-code.js';
import { SendOtp } from './send-otp.js';
import { VerifyOtp } from './verify-otp.js';

const useCases = [SendOtp, VerifyOtp, OtpRetention];

/** One-time passwords: sent, verified, forgotten. */
@Module({
  imports: [AccountsModule, MessagesModule, WebhooksModule],
  providers: [
    ...useCases,
    ReserveCode,
    GuessBatches,
    OtpSecrets,
    OtpCodesRepository,
    OtpGuardsRepository,
    OtpErasureRepository,
  ],
  exports: useCases,
})
export class OtpModule {}
