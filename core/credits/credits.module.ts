import { Module } from '@nestjs/common';
import { Credits } from './credits.js';
import { LedgerExport } from './ledger-export.js';
import { LedgerHistory } from './ledger-history.js';
import { LedgerKeys } from './ledger-keys.js';
import { LedgerRepository } from './ledger.repository.js';
import { LedgerSeals } from './ledger-seals.js';
import { PaidAccounts } from './paid-accounts.js';
import { WatchLedger } from './watch-ledger.js';
import { DatabaseModule } from '../platform/database/database.module.js';

@Module({
  imports: [DatabaseModule],
  providers: [
    LedgerRepository,
    Credits,
    LedgerHistory,
    LedgerKeys,
    LedgerSeals,
    LedgerExport,
    PaidAccounts,
    WatchLedger,
  ],
  exports: [Credits, LedgerHistory, LedgerKeys, LedgerSeals, LedgerExport, PaidAccounts, WatchLedger],
})
export class CreditsModule {}
