import { Module } from '@nestjs/common';
import { DatabaseModule } from '../platform/database/postgres.js';
import { Credits } from './credits.js';
import { LedgerHistory } from './ledger-history.js';
import { LedgerRepository } from './ledger.repository.js';
import { WatchLedger } from './watch-ledger.js';

@Module({
  imports: [DatabaseModule],
  providers: [LedgerRepository, Credits, LedgerHistory, WatchLedger],
  exports: [Credits, LedgerHistory, WatchLedger],
})
export class CreditsModule {}
