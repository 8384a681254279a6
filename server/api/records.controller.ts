import { Controller, Get, Param, Query, UseGuards } from '@nestjs/common';
import { balanceQuery, type BalanceAnswer } from '#contract/credits.js';
import { messagesQuery, type MessageAnswer, type MessagesAnswer, type MessagesQuery } from '#contract/messages.js';
import { Credits } from '#core/credits/credits.js';
import { Messages } from '#core/messages/messages.js';
import { ApiKeyGuard, ApiQuery, Caller, type ApiAccount } from './api-key.guard.js';

/** GET /api/messages, GET /api/messages/{message_id} and GET /api/balance */
@Controller('api')
@UseGuards(ApiKeyGuard)
export class RecordsController {
  constructor(
    private readonly messages: Messages,
    private readonly credits: Credits,
  ) {}

  @Get('messages')
  @ApiQuery(messagesQuery)
  async list(@Caller() { accountId }: ApiAccount, @Query() { cursor }: MessagesQuery): Promise<MessagesAnswer> {
    const { messages, nextCursor } = await this.messages.list(accountId, cursor);
    return { success: 'true', messages, next_cursor: nextCursor };
  }

  @Get('messages/:messageId')
  @ApiQuery(messagesQuery)
  async find(@Caller() { accountId }: ApiAccount, @Param('messageId') messageId: string): Promise<MessageAnswer> {
    return { success: 'true', ...(await this.messages.find(accountId, messageId)) };
  }

  @Get('balance')
  @ApiQuery(balanceQuery)
  async balance(@Caller() { accountId }: ApiAccount): Promise<BalanceAnswer> {
    const { frozen, ...totals } = await this.credits.balanceOf(accountId);
    return { success: 'true', ...totals, ...(frozen > 0 && { frozen }) };
  }
}
