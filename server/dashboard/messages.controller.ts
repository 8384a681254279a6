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
  type SendingAnswer,
  type SummaryAnswer,
} from '#contract/dashboard.js';
import {
  type ConversationAnswer,
  conversationQuery,
  type ConversationQuery,
  type ConversationsAnswer,
  conversationsQuery,
  type ConversationsQuery,
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
import {
  type BatchAnswer,
  type BatchCanceledAnswer,
  type BatchesAnswer,
  batchesQuery,
  type BatchesQuery,
  type BatchMessagesAnswer,
} from '#contract/bulk.js';
import type { MessageRecordAnswer } from '#contract/message-record.js';
import type { SessionAccount } from '#core/accounts/sessions/sessions.js';
import { ConversationList } from '#core/inbound/conversation-list.js';
import { Conversations } from '#core/inbound/conversations.js';
import { ReceivedHistory } from '#core/inbound/received-history.js';
import { MessageRecords } from '#core/messages/history/message-record.js';
import { MessageActivity, SentHistory } from '#core/messages/history/sent-history.js';
import { QuoteMessage } from '#core/messages/send/quote-message.js';
import { CancelMessage } from '#core/messages/status/cancel-message.js';
import { DeliverySuspensions } from '#core/messages/status/delivery-suspensions.js';
import { newYorkTimestamp } from '#core/rules/time.js';
import { Batches } from '#core/messages/bulk/batches.js';
import { Messages } from '#core/messages/messages.js';
import { SessionGuard, SignedIn } from '../auth/session.guard.js';
import { sendable } from '../http/input.js';
import { csvDownload } from './downloads.js';

const sendableQuoteBody = quoteBody.check(sendable('to', 'message'));

/** /api/dashboard/messages/sent, its /record and /cancel, /messages/received, /activity, /summary and /quote */
@Controller('api/dashboard')
@UseGuards(SessionGuard)
export class MessagesController {
  constructor(
    private readonly sentHistory: SentHistory,
    private readonly receivedHistory: ReceivedHistory,
    private readonly activityOfDays: MessageActivity,
    private readonly quoteMessage: QuoteMessage,
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

  /** As in the public API. */
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
    @Body({ schema: sendableQuoteBody }) { to, message: text }: QuoteBody,
    @Req() request: FastifyRequest,
  ): Promise<QuoteAnswer> {
    return this.quoteMessage.quote({ accountId, to, text, address: request.ip });
  }
}

/** GET /api/dashboard/conversations, GET /api/dashboard/conversations/{number} */
@Controller('api/dashboard/conversations')
@UseGuards(SessionGuard)
export class ConversationsController {
  constructor(
    private readonly people: ConversationList,
    private readonly conversations: Conversations,
  ) {}

  /** The people, the latest message first. */
  @Get()
  async page(
    @SignedIn() { accountId }: SessionAccount,
    @Query({ schema: conversationsQuery }) query: ConversationsQuery,
  ): Promise<ConversationsAnswer> {
    return this.people.page(accountId, query);
  }

  /** Messages to and from one person. */
  @Get(':number')
  async show(
    @SignedIn() { accountId }: SessionAccount,
    @Param('number') number: string,
    @Query({ schema: conversationQuery }) query: ConversationQuery,
  ): Promise<ConversationAnswer> {
    return this.conversations.show(accountId, number, query);
  }
}

/** GET /api/dashboard/sending, POST /api/dashboard/sending/resume */
@Controller('api/dashboard/sending')
@UseGuards(SessionGuard)
export class SendingController {
  constructor(private readonly suspensions: DeliverySuspensions) {}

  @Get()
  async state(@SignedIn() { accountId }: SessionAccount): Promise<SendingAnswer> {
    const suspension = await this.suspensions.find(accountId);
    if (!suspension) return { suspension: null };
    const { suspendedAt, recipients, undelivered, isLiftUsed } = suspension;
    return {
      suspension: { suspendedAt: newYorkTimestamp(suspendedAt), recipients, undelivered, mayLift: !isLiftUsed },
    };
  }

  /** Lifts the suspension; the customer can do so once. Throws `lift_used`. */
  @Post('resume')
  @HttpCode(200)
  async resume(@SignedIn() account: SessionAccount): Promise<SendingAnswer> {
    await this.suspensions.liftByCustomer(account.accountId);
    return this.state(account);
  }
}

/** /api/dashboard/batches, /batches/{batch_id}, its /cancel and its /messages: as in the public API. */
@Controller('api/dashboard/batches')
@UseGuards(SessionGuard)
export class BatchesController {
  constructor(
    private readonly batches: Batches,
    private readonly messages: Messages,
  ) {}

  @Get()
  async page(
    @SignedIn() { accountId }: SessionAccount,
    @Query({ schema: batchesQuery }) { cursor }: BatchesQuery,
  ): Promise<BatchesAnswer> {
    const { batches, nextCursor } = await this.batches.list(accountId, cursor);
    return { success: 'true', batches, next_cursor: nextCursor };
  }

  @Get(':batchId')
  async find(@SignedIn() { accountId }: SessionAccount, @Param('batchId') batchId: string): Promise<BatchAnswer> {
    return { success: 'true', ...(await this.batches.show(accountId, batchId)) };
  }

  @Post(':batchId/cancel')
  @HttpCode(200)
  async cancel(
    @SignedIn() { accountId }: SessionAccount,
    @Param('batchId') batchId: string,
  ): Promise<BatchCanceledAnswer> {
    return { success: 'true', ...(await this.batches.cancel(accountId, batchId)) };
  }

  @Get(':batchId/messages')
  async list(
    @SignedIn() { accountId }: SessionAccount,
    @Param('batchId') batchId: string,
    @Query({ schema: batchesQuery }) { cursor }: BatchesQuery,
  ): Promise<BatchMessagesAnswer> {
    const numbers = await this.batches.numbersOf(accountId, batchId);
    const { messages, nextCursor } = await this.messages.list(accountId, cursor, numbers);
    return { success: 'true', messages, next_cursor: nextCursor };
  }
}
