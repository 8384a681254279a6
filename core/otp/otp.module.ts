import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CarriersModule } from '../carriers/carriers.module.js';
import { FiguresModule } from '../figures/figures.module.js';
import { RoutesModule } from '../routes/routes.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { AcceptOtp } from './accept-otp.js';
import { EnteredCodesByRoute } from './entered-codes.js';
import { FraudGuard } from './guard/fraud-guard.js';
import { GuardRepository } from './guard/guard.repository.js';
import { OtpCodesRepository } from './otp-codes.repository.js';
import { OtpEvents } from './otp-events.js';
import { OtpRecordsRepository } from './otp-records.repository.js';
import { OtpRetention } from './otp-retention.js';
import { OtpSecrets } from './otp-secrets.js';
import { OtpConversion } from './otp-conversion.js';
import { OtpSettings } from './otp-settings.js';
import { Otps } from './otps.js';
import { QuoteOtp } from './quote-otp.js';
import { ReserveCode, ReserveResend } from './reserve-code.js';
import { SendOtp } from './send-otp.js';
import { BeginStep } from './steps/begin-step.js';
import { CountSteps } from './steps/count-steps.js';
import { OtpStepsRepository } from './steps/otp-steps.repository.js';
import { PriceSteps } from './steps/price-steps.js';
import { StartDueSteps } from './steps/start-due-steps.js';
import { VerifyOtp } from './verify-otp.js';

const exported = [
  SendOtp,
  QuoteOtp,
  VerifyOtp,
  Otps,
  OtpConversion,
  OtpSettings,
  FraudGuard,
  OtpEvents,
  OtpRetention,
  EnteredCodesByRoute,
  PriceSteps,
  StartDueSteps,
];

/** One-time passwords: sent, verified, expired, deleted. */
@Module({
  imports: [AccountsModule, AuditModule, CarriersModule, FiguresModule, MessagesModule, RoutesModule, WebhooksModule],
  providers: [
    ...exported,
    AcceptOtp,
    BeginStep,
    CountSteps,
    OtpStepsRepository,
    ReserveCode,
    ReserveResend,
    OtpSecrets,
    OtpCodesRepository,
    OtpRecordsRepository,
    GuardRepository,
  ],
  exports: exported,
})
export class OtpModule {}
