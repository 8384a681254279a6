import { Module } from '@nestjs/common';
import { DatabaseModule } from '../platform/database/database.module.js';
import { Credits } from './credits.js';
import { LedgerHistory } from './history/ledger-history.js';
import { LedgerHistoryRepository } from './history/ledger-history.repository.js';
import { LedgerRepository } from './ledger.repository.js';
import { WatchLedger } from './watch-ledger.js';
import { WatchLedgerRepository } from './watch-ledger.repository.js';

@Module({
  imports: [DatabaseModule],
  providers: [LedgerRepository, Credits, LedgerHistoryRepository, LedgerHistory, WatchLedgerRepository, WatchLedger],
  exports: [Credits, LedgerHistory, WatchLedger],
})
export class CreditsModule {}
