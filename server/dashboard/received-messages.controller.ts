import { Controller, Get, Query, UseGuards, type StreamableFile } from '@nestjs/common';
import {
  receivedFilter,
  receivedQuery,
  type ReceivedAnswer,
  type ReceivedFilter,
  type ReceivedQuery,
} from '#contract/histories.js';
import type { SessionAccount } from '#core/accounts/sessions/sessions.js';
import { ReceivedHistory } from '#core/inbound/received-history.js';
import { ContractPipe } from '../api/contract.pipe.js';
import { SessionGuard, SignedIn } from '../auth/session.guard.js';
import { csvDownload } from './csv-download.js';

/** GET /api/dashboard/messages/received, a page at a time, and /received.csv, all of them. */
@Controller('api/dashboard/messages')
@UseGuards(SessionGuard)
export class ReceivedMessagesController {
  constructor(private readonly history: ReceivedHistory) {}

  @Get('received')
  async page(
    @SignedIn() { accountId }: SessionAccount,
    @Query(new ContractPipe(receivedQuery)) query: ReceivedQuery,
  ): Promise<ReceivedAnswer> {
    return this.history.page(accountId, query);
  }

  @Get('received.csv')
  async csv(
    @SignedIn() { accountId }: SessionAccount,
    @Query(new ContractPipe(receivedFilter)) filter: ReceivedFilter,
  ): Promise<StreamableFile> {
    return csvDownload('received', await this.history.csv(accountId, filter));
  }
}
