import { Body, Controller, Get, HttpCode, Post, Put, UseGuards } from '@nestjs/common';
import { type OtpSettingsAnswer, otpSettingsBody, type OtpSettingsBody } from '#contract/otp.js';
import type { SessionAccount } from '#core/accounts/sessions/sessions.js';
import { FraudGuard } from '#core/otp/guard/fraud-guard.js';
import { OtpSettings } from '#core/otp/otp-settings.js';
import { ClientAddress, SessionGuard, SignedIn } from '../auth/session.guard.js';

/** /api/dashboard/otp: fields that an account requires to verify a code, and its fraud guard */
@Controller('api/dashboard/otp')
@UseGuards(SessionGuard)
export class OtpSettingsController {
  constructor(
    private readonly settings: OtpSettings,
    private readonly guard: FraudGuard,
  ) {}

  @Get()
  async show(@SignedIn() { accountId }: SessionAccount): Promise<OtpSettingsAnswer> {
    const recipientRequired = await this.settings.isRecipientRequired(accountId);
    return { recipientRequired, guard: await this.guard.state(accountId) };
  }

  @Put()
  async change(
    @Body({ schema: otpSettingsBody }) { recipientRequired }: OtpSettingsBody,
    @SignedIn() account: SessionAccount,
    @ClientAddress() address: string,
  ): Promise<OtpSettingsAnswer> {
    await this.settings.requireRecipient(account.accountId, recipientRequired, 'account', address);
    return this.show(account);
  }

  @Post('reset')
  @HttpCode(200)
  async reset(@SignedIn() account: SessionAccount, @ClientAddress() address: string): Promise<OtpSettingsAnswer> {
    await this.guard.reset(account.accountId, address);
    return this.show(account);
  }
}
