import { Body, Controller, Get, HttpCode, Post, Put, UseGuards } from '@nestjs/common';
import { type OtpSettingsAnswer, otpSettingsBody, type OtpSettingsBody } from '#contract/otp.js';
import type { SessionAccount } from '#core/accounts/sessions/sessions.js';
import { FraudGuard } from '#core/otp/guard/fraud-guard.js';
import { OtpSettings } from '#core/otp/otp-settings.js';
import { PriceSteps } from '#core/otp/steps/price-steps.js';
import { ClientAddress, SessionGuard, SignedIn } from '../auth/session.guard.js';

/** /api/dashboard/otp: an account's settings of one-time passwords, its fraud guard, and the channels there are */
@Controller('api/dashboard/otp')
@UseGuards(SessionGuard)
export class OtpSettingsController {
  constructor(
    private readonly settings: OtpSettings,
    private readonly guard: FraudGuard,
    private readonly priceSteps: PriceSteps,
  ) {}

  @Get()
  async show(@SignedIn() { accountId }: SessionAccount): Promise<OtpSettingsAnswer> {
    return {
      ...(await this.settings.of(accountId)),
      guard: await this.guard.state(accountId),
      channels: this.priceSteps.offered(),
      voiceCountries: await this.priceSteps.voiceCountries(),
    };
  }

  @Put()
  async change(
    @Body({ schema: otpSettingsBody }) settings: OtpSettingsBody,
    @SignedIn() account: SessionAccount,
    @ClientAddress() address: string,
  ): Promise<OtpSettingsAnswer> {
    await this.settings.change(account.accountId, settings, 'account', address);
    return this.show(account);
  }

  @Post('reset')
  @HttpCode(200)
  async reset(@SignedIn() account: SessionAccount, @ClientAddress() address: string): Promise<OtpSettingsAnswer> {
    await this.guard.reset(account.accountId, address);
    return this.show(account);
  }
}
