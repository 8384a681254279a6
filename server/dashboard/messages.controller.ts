import {
  Body,
  Controller,
  Get,
  HttpCode,
  Param,
  Post,
  Query,
  Req,
  type StreamableFile,
  UseGuards,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import {
  type ActivityAnswer,
  activityQuery,
  type ActivityQuery,
  type QuoteAnswer,
  quoteBody,
  type QuoteBody,
  type SummaryAnswer,
} from '#contract/dashboard.js';
import { type DeliverabilityAnswer, deliverabilityDays, type DeliverabilityDays } from '#contract/deliverability.js';
import {
  type ReasonsAnswer,
  type ReceivedAnswer,
  receivedFilter,
  type ReceivedFilter,
  receivedQuery,
  type ReceivedQuery,
  type SentAnswer,
  type SentDetailsAnswer,
  sentFilter,
  type SentFilter,
  sentQuery,
  type SentQuery,
} from '#contract/histories.js';
import type { MessageRecordAnswer } from '#contract/message-record.js';
import type { SessionAccount } from '#core/accounts/sessions/sessions.js';
import { ReceivedHistory } from '#core/inbound/received-history.js';
import { Deliverability } from '#core/figures/deliverability.js';
import { MessageRecords } from '#core/messages/history/message-record.js';
import { SentHistory } from '#core/messages/history/sent-history.js';
import { PreviewDraft } from '#core/messages/send/preview-draft.js';
import { CancelMessage } from '#core/messages/status/cancel-message.js';
import { SessionGuard, SignedIn } from '../auth/session.guard.js';
import { csvDownload } from './downloads.js';
import { MessageActivity } from '#core/messages/history/message-activity.js';

/**
 * /api/dashboard/messages/sent, its /record and /cancel, /messages/reasons, /messages/received,
 * /deliverability, /activity, /summary and /quote
 */
@Controller('api/dashboard')
@UseGuards(SessionGuard)
export class MessagesController {
  constructor(
    private readonly sentHistory: SentHistory,
    private readonly receivedHistory: ReceivedHistory,
    private readonly activityOfDays: MessageActivity,
    private readonly deliverability: Deliverability,
    private readonly previewDraft: PreviewDraft,
    private readonly cancelMessage: CancelMessage,
    private readonly records: MessageRecords,
  ) {}

  @Get('messages/sent')
  async sent(
    @SignedIn() { accountId }: SessionAccount,
    @Query({ schema: sentQuery }) query: SentQuery,
  ): Promise<SentAnswer> {
    return this.sentHistory.page(accountId, query);
  }

  @Get('messages/sent.csv')
  async sentCsv(
    @SignedIn() { accountId }: SessionAccount,
    @Query({ schema: sentFilter }) filter: SentFilter,
  ): Promise<StreamableFile> {
    return csvDownload('sent', await this.sentHistory.csv(accountId, filter));
  }

  @Get('messages/sent/:messageId')
  async sentDetails(
    @SignedIn() { accountId }: SessionAccount,
    @Param('messageId') messageId: string,
  ): Promise<SentDetailsAnswer> {
    return this.sentHistory.show(accountId, messageId);
  }

  /** Answers as the public API does. */
  @Get('messages/sent/:messageId/record')
  async record(
    @SignedIn() { accountId }: SessionAccount,
    @Param('messageId') messageId: string,
  ): Promise<MessageRecordAnswer> {
    return { success: 'true', ...(await this.records.show(accountId, messageId)) };
  }

  /** Throws `message_not_found`, `not_cancelable`. */
  @Post('messages/sent/:messageId/cancel')
  @HttpCode(200)
  async cancel(
    @SignedIn() { accountId }: SessionAccount,
    @Param('messageId') messageId: string,
  ): Promise<SentDetailsAnswer> {
    await this.cancelMessage.cancel(accountId, messageId);
    return this.sentHistory.show(accountId, messageId);
  }

  /** Choices of the filter by reason. */
  @Get('messages/reasons')
  async reasons(@SignedIn() { accountId }: SessionAccount): Promise<ReasonsAnswer> {
    return this.deliverability.reasons(accountId);
  }

  @Get('messages/received')
  async received(
    @SignedIn() { accountId }: SessionAccount,
    @Query({ schema: receivedQuery }) query: ReceivedQuery,
  ): Promise<ReceivedAnswer> {
    return this.receivedHistory.page(accountId, query);
  }

  @Get('messages/received.csv')
  async receivedCsv(
    @SignedIn() { accountId }: SessionAccount,
    @Query({ schema: receivedFilter }) filter: ReceivedFilter,
  ): Promise<StreamableFile> {
    return csvDownload('received', await this.receivedHistory.csv(accountId, filter));
  }

  /** Answers as the public API does. */
  @Get('deliverability')
  async figures(
    @SignedIn() { accountId }: SessionAccount,
    @Query({ schema: deliverabilityDays }) days: DeliverabilityDays,
  ): Promise<DeliverabilityAnswer> {
    return this.deliverability.show(accountId, days);
  }

  @Get('deliverability.csv')
  async figuresCsv(
    @SignedIn() { accountId }: SessionAccount,
    @Query({ schema: deliverabilityDays }) days: DeliverabilityDays,
  ): Promise<StreamableFile> {
    return csvDownload('deliverability', await this.deliverability.csv(accountId, days));
  }

  /** The chart of the Home view. */
  @Get('activity')
  async activity(
    @SignedIn() { accountId }: SessionAccount,
    @Query({ schema: activityQuery }) { days }: ActivityQuery,
  ): Promise<ActivityAnswer> {
    return this.activityOfDays.show(accountId, days);
  }

  /** The figures of the Home view beside the chart. */
  @Get('summary')
  async summary(@SignedIn() { accountId }: SessionAccount): Promise<SummaryAnswer> {
    return this.activityOfDays.summary(accountId);
  }

  /** Prices a message while it is typed. Sends nothing. */
  @Post('quote')
  @HttpCode(200)
  quote(
    @SignedIn() { accountId }: SessionAccount,
    @Body({ schema: quoteBody }) { to, message: text, from, files, mediaFallback: fallback }: QuoteBody,
    @Req() request: FastifyRequest,
  ): Promise<QuoteAnswer> {
    return this.previewDraft.of({ accountId, to, text, from: from || undefined, files, fallback, address: request.ip });
  }
}
