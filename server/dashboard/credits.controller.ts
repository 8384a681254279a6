import { Controller, Get, Query, UseGuards, type StreamableFile } from '@nestjs/common';
import {
  ledgerFilter,
  ledgerQuery,
  type CreditsAnswer,
  type LedgerAnswer,
  type LedgerFilter,
  type LedgerQuery,
} from '#contract/histories.js';
import type { SessionAccount } from '#core/accounts/sessions/sessions.js';
import { Credits } from '#core/credits/credits.js';
import { LedgerExport } from '#core/credits/ledger-export.js';
import { LedgerHistory } from '#core/credits/ledger-history.js';
import { newYorkTimestamp } from '#core/rules/time.js';
import { SessionGuard, SignedIn } from '../auth/session.guard.js';
import { csvDownload, jsonLinesDownload } from './downloads.js';

/** /api/dashboard/credits, /ledger, /ledger.csv and /ledger.jsonl */
@Controller('api/dashboard')
@UseGuards(SessionGuard)
export class CreditsController {
  constructor(
    private readonly credits: Credits,
    private readonly ledgerHistory: LedgerHistory,
    private readonly ledgerExport: LedgerExport,
  ) {}

  @Get('credits')
  async totals(@SignedIn() { accountId }: SessionAccount): Promise<CreditsAnswer> {
    const { updatedAt, ...totals } = await this.credits.recordOf(accountId);
    const { recentUse } = await this.credits.stateOf(accountId);
    return { ...totals, updatedAt: newYorkTimestamp(updatedAt), recentUse };
  }

  @Get('ledger')
  async ledger(
    @SignedIn() { accountId }: SessionAccount,
    @Query({ schema: ledgerQuery }) query: LedgerQuery,
  ): Promise<LedgerAnswer> {
    return this.ledgerHistory.page(accountId, query);
  }

  @Get('ledger.csv')
  async ledgerCsv(
    @SignedIn() { accountId }: SessionAccount,
    @Query({ schema: ledgerFilter }) filter: LedgerFilter,
  ): Promise<StreamableFile> {
    return csvDownload('ledger', await this.ledgerHistory.csv(accountId, filter));
  }

  /** The whole ledger with its seals, which the customer can verify. */
  @Get('ledger.jsonl')
  ledgerProof(@SignedIn() { accountId }: SessionAccount): StreamableFile {
    return jsonLinesDownload('ledger', this.ledgerExport.file(accountId));
  }
}
