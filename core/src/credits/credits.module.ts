import { Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module.js';
import { Credits } from './credits.js';
import { LedgerHistory } from './history/ledger-history.js';
import { LedgerHistoryRepository } from './history/ledger-history.repository.js';
import { LedgerRepository } from './ledger.repository.js';

@Module({
  imports: [DatabaseModule],
  providers: [LedgerRepository, Credits, LedgerHistoryRepository, LedgerHistory],
  exports: [Credits, LedgerHistory],
})
export class CreditsModule {}
