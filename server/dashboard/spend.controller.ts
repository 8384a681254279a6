import { Controller, Get, Query, UseGuards, type StreamableFile } from '@nestjs/common';
import type { ExposureAnswer } from '#contract/exposure.js';
import { type SpendAnswer, spendDays, type SpendDays } from '#contract/spend.js';
import type { SessionAccount } from '#core/accounts/sessions/sessions.js';
import { ExposureFigures } from '#core/figures/exposure-figures.js';
import { Spend } from '#core/figures/spend.js';
import { SessionGuard, SignedIn } from '../auth/session.guard.js';
import { csvDownload } from './downloads.js';

/** /api/dashboard/spend, /spend.csv and /exposure: as in the public API. */
@Controller('api/dashboard')
@UseGuards(SessionGuard)
export class SpendController {
  constructor(
    private readonly spend: Spend,
    private readonly exposureFigures: ExposureFigures,
  ) {}

  @Get('spend')
  async spent(
    @SignedIn() { accountId }: SessionAccount,
    @Query({ schema: spendDays }) days: SpendDays,
  ): Promise<SpendAnswer> {
    return this.spend.show(accountId, days);
  }

  @Get('spend.csv')
  async csv(
    @SignedIn() { accountId }: SessionAccount,
    @Query({ schema: spendDays }) days: SpendDays,
  ): Promise<StreamableFile> {
    return csvDownload('spend', await this.spend.csv(accountId, days));
  }

  @Get('exposure')
  async exposure(@SignedIn() { accountId }: SessionAccount): Promise<ExposureAnswer> {
    return this.exposureFigures.show(accountId);
  }
}
