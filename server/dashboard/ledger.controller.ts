import { Controller, Get, Query, UseGuards, type StreamableFile } from '@nestjs/common';
import {
  ledgerFilter,
  ledgerQuery,
  type LedgerAnswer,
  type LedgerFilter,
  type LedgerQuery,
} from '#contract/histories.js';
import type { SessionAccount } from '#core/accounts/sessions/sessions.js';
import { LedgerHistory } from '#core/credits/history/ledger-history.js';
import { ContractPipe } from '../api/contract.pipe.js';
import { SessionGuard, SignedIn } from '../auth/session.guard.js';
import { csvDownload } from './csv-download.js';

/** GET /api/dashboard/ledger, a page at a time, and /ledger.csv, all of it. */
@Controller('api/dashboard')
@UseGuards(SessionGuard)
export class LedgerController {
  constructor(private readonly history: LedgerHistory) {}

  @Get('ledger')
  async page(
    @SignedIn() { accountId }: SessionAccount,
    @Query(new ContractPipe(ledgerQuery)) query: LedgerQuery,
  ): Promise<LedgerAnswer> {
    return this.history.page(accountId, query);
  }

  @Get('ledger.csv')
  async csv(
    @SignedIn() { accountId }: SessionAccount,
    @Query(new ContractPipe(ledgerFilter)) filter: LedgerFilter,
  ): Promise<StreamableFile> {
    return csvDownload('ledger', await this.history.csv(accountId, filter));
  }
}
