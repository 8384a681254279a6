import { Controller, Get, Query, UseGuards, type StreamableFile } from '@nestjs/common';
import { billingQuery, type BillingAnswer, type BillingQuery } from '#contract/billing.js';
import {
  ledgerFilter,
  ledgerQuery,
  type CreditsAnswer,
  type LedgerAnswer,
  type LedgerFilter,
  type LedgerQuery,
} from '#contract/histories.js';
import type { SessionAccount } from '#core/accounts/sessions/sessions.js';
import { Payments } from '#core/billing/payments.js';
import { Credits } from '#core/credits/credits.js';
import { LedgerHistory } from '#core/credits/ledger-history.js';
import { newYorkTimestamp } from '#core/rules/new-york-time.js';
import { SessionGuard, SignedIn } from '../auth/session.guard.js';
import { csvDownload } from './csv-download.js';

/** /api/dashboard/credits, /ledger, /ledger.csv and /billing */
@Controller('api/dashboard')
@UseGuards(SessionGuard)
export class CreditsController {
  constructor(
    private readonly credits: Credits,
    private readonly ledgerHistory: LedgerHistory,
    private readonly payments: Payments,
  ) {}

  @Get('credits')
  async totals(@SignedIn() { accountId }: SessionAccount): Promise<CreditsAnswer> {
    const { updatedAt, ...totals } = await this.credits.recordOf(accountId);
    return { ...totals, updatedAt: newYorkTimestamp(updatedAt) };
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

  @Get('billing')
  async billing(
    @SignedIn() { accountId }: SessionAccount,
    @Query({ schema: billingQuery }) { page }: BillingQuery,
  ): Promise<BillingAnswer> {
    return this.payments.page(accountId, page);
  }
}
