import { Controller, Get, Query, type StreamableFile, UseGuards } from '@nestjs/common';
import {
  type OptOutsAnswer,
  optOutsFilter,
  type OptOutsFilter,
  optOutsPageQuery,
  type OptOutsPageQuery,
} from '#contract/opt-outs.js';
import type { SessionAccount } from '#core/accounts/sessions/sessions.js';
import { filterOfDays, OptOutList } from '#core/inbound/opt-out-list.js';
import { SessionGuard, SignedIn } from '../auth/session.guard.js';
import { csvDownload } from './downloads.js';

/** GET /api/dashboard/optouts and /api/dashboard/optouts.csv */
@Controller('api/dashboard')
@UseGuards(SessionGuard)
export class OptOutsController {
  constructor(private readonly optOuts: OptOutList) {}

  @Get('optouts')
  async page(
    @SignedIn() { accountId }: SessionAccount,
    @Query({ schema: optOutsPageQuery }) { cursor, ...filter }: OptOutsPageQuery,
  ): Promise<OptOutsAnswer> {
    return this.optOuts.page(accountId, filterOfDays(filter), cursor);
  }

  @Get('optouts.csv')
  csv(
    @SignedIn() { accountId }: SessionAccount,
    @Query({ schema: optOutsFilter }) filter: OptOutsFilter,
  ): StreamableFile {
    return csvDownload('optouts', this.optOuts.csv(accountId, filter));
  }
}
