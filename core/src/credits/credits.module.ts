import { Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module.js';
import { Credits } from './credits.js';
import { LedgerRepository } from './ledger.repository.js';

@Module({ imports: [DatabaseModule], providers: [LedgerRepository, Credits], exports: [Credits] })
export class CreditsModule {}
