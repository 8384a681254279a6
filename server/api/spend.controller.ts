import { Controller, Get, Query, UseGuards } from '@nestjs/common';
import { exposure, spend } from '#contract/examples.js';
import { type ExposureAnswer, exposureQuery } from '#contract/exposure.js';
import { type SpendAnswer, type SpendQuery, spendQuery } from '#contract/spend.js';
import { ExposureFigures } from '#core/figures/exposure-figures.js';
import { Spend } from '#core/figures/spend.js';
import { Caller, type ApiAccount } from './api-caller.js';
import { ApiKeyGuard, ApiQuery } from './api-key.guard.js';

/** GET /api/spend and GET /api/exposure. A test key gets examples, not the account's data. */
@Controller('api')
@UseGuards(ApiKeyGuard)
export class SpendController {
  constructor(
    private readonly spendFigures: Spend,
    private readonly exposureFigures: ExposureFigures,
  ) {}

  @Get('spend')
  @ApiQuery({ schema: spendQuery, scope: 'read' })
  async spent(@Caller() { key, accountId }: ApiAccount, @Query() query: SpendQuery): Promise<SpendAnswer> {
    if (key.test) return { ...spend, test: true };
    return this.spendFigures.show(accountId, query);
  }

  @Get('exposure')
  @ApiQuery({ schema: exposureQuery, scope: 'read' })
  async exposure(@Caller() { key, accountId }: ApiAccount): Promise<ExposureAnswer> {
    if (key.test) return { ...exposure, test: true };
    return this.exposureFigures.show(accountId);
  }
}
