import { Controller, Get, Param, Query, UseGuards, type StreamableFile } from '@nestjs/common';
import {
  sentFilter,
  sentQuery,
  type SentAnswer,
  type SentDetailsAnswer,
  type SentFilter,
  type SentQuery,
} from '#contract/histories.js';
import type { SessionAccount } from '#core/accounts/sessions/sessions.js';
import { SentHistory } from '#core/messages/history/sent-history.js';
import { ShowSent } from '#core/messages/history/show-sent.js';
import { ContractPipe } from '../api/contract.pipe.js';
import { SessionGuard, SignedIn } from '../auth/session.guard.js';
import { csvDownload } from './csv-download.js';

/** GET /api/dashboard/messages/sent, a page at a time, /sent.csv, all of them, and /sent/{message_id}. */
@Controller('api/dashboard/messages')
@UseGuards(SessionGuard)
export class SentMessagesController {
  constructor(
    private readonly history: SentHistory,
    private readonly showSent: ShowSent,
  ) {}

  @Get('sent')
  async page(
    @SignedIn() { accountId }: SessionAccount,
    @Query(new ContractPipe(sentQuery)) query: SentQuery,
  ): Promise<SentAnswer> {
    return this.history.page(accountId, query);
  }

  @Get('sent.csv')
  async csv(
    @SignedIn() { accountId }: SessionAccount,
    @Query(new ContractPipe(sentFilter)) filter: SentFilter,
  ): Promise<StreamableFile> {
    return csvDownload('sent', await this.history.csv(accountId, filter));
  }

  @Get('sent/:messageId')
  async show(
    @SignedIn() { accountId }: SessionAccount,
    @Param('messageId') messageId: string,
  ): Promise<SentDetailsAnswer> {
    return this.showSent.run(accountId, messageId);
  }
}
