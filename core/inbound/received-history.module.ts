import { Module } from '@nestjs/common';
import { DatabaseModule } from '../platform/database/database.module.js';
import { ReceivedHistory } from './received-history.js';
import { ReceivedHistoryRepository } from './received-history.repository.js';

/** Received messages as the dashboard shows them. */
@Module({
  imports: [DatabaseModule],
  providers: [ReceivedHistoryRepository, ReceivedHistory],
  exports: [ReceivedHistory],
})
export class ReceivedHistoryModule {}
