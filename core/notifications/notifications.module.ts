import { Module } from '@nestjs/common';
import { CreditsModule } from '../credits/credits.module.js';
import { OtpModule } from '../otp/otp.module.js';
import { Notifications } from './notifications.js';

/** An account owner's notifications. */
@Module({
  imports: [CreditsModule, OtpModule],
  providers: [Notifications],
  exports: [Notifications],
})
export class NotificationsModule {}
