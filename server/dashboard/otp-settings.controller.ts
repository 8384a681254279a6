import { Body, Controller, Get, Put, UseGuards } from '@nestjs/common';
import { otpSettingsBody, type OtpSettingsAnswer, type OtpSettingsBody } from '#contract/otp.js';
import type { SessionAccount } from '#core/accounts/sessions/sessions.js';
import { OtpSettings } from '#core/otp/otp-settings.js';
import { ClientAddress, SessionGuard, SignedIn } from '../auth/session.guard.js';

/** /api/dashboard/otp: what an account requires to verify a code */
@Controller('api/dashboard/otp')
@UseGuards(SessionGuard)
export class OtpSettingsController {
  constructor(private readonly settings: OtpSettings) {}

  @Get()
  async show(@SignedIn() { accountId }: SessionAccount): Promise<OtpSettingsAnswer> {
    return this.settings.show(accountId);
  }

  @Put()
  async change(
    @Body({ schema: otpSettingsBody }) { recipientRequired }: OtpSettingsBody,
    @SignedIn() { accountId }: SessionAccount,
    @ClientAddress() address: string,
  ): Promise<OtpSettingsAnswer> {
    return this.settings.requireRecipient(accountId, recipientRequired, 'account', address);
  }
}
