import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { messagesQuery, type MessageAnswer, type MessagesAnswer, type MessagesQuery } from '#contract/messages.js';
import { FindMessage } from '#core/messages/find-message.js';
import { ListMessages } from '#core/messages/list-messages.js';
import { ApiCaller } from './api-caller.js';
import { ContractPipe } from './contract.pipe.js';

/** GET /api/messages and /api/messages/{message_id}: what became of an account's messages. */
@Controller('api/messages')
export class MessagesController {
  constructor(
    private readonly caller: ApiCaller,
    private readonly findMessage: FindMessage,
    private readonly listMessages: ListMessages,
  ) {}

  @Get()
  async list(
    @Query(new ContractPipe(messagesQuery)) query: MessagesQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<MessagesAnswer> {
    const accountId = await this.caller.accountOf(request, reply, query.apikey);
    const { messages, nextCursor } = await this.listMessages.run(accountId, query.cursor);
    return { success: 'true', messages, next_cursor: nextCursor };
  }

  @Get(':messageId')
  async find(
    @Param('messageId') messageId: string,
    @Query(new ContractPipe(messagesQuery)) query: MessagesQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<MessageAnswer> {
    const accountId = await this.caller.accountOf(request, reply, query.apikey);
    return { success: 'true', ...(await this.findMessage.run(accountId, messageId)) };
  }
}
