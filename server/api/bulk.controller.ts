import { Controller, Get, HttpCode, Param, Post, Query, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  sendBulkBody,
  type BatchAnswer,
  type BatchCanceledAnswer,
  type BatchesAnswer,
  type BatchMessagesAnswer,
  type SendBulkAnswer,
} from '#contract/bulk.js';
import { balance as exampleBalance, batch, batchCanceled, batchPage, messagePage } from '#contract/examples.js';
import { messagesQuery, type MessagesQuery } from '#contract/messages.js';
import { Batches } from '#core/messages/bulk/batches.js';
import { BulkPlaces } from '#core/messages/bulk/bulk-places.js';
import type { AcceptedBulk } from '#core/messages/bulk/bulk-caller.js';
import { SendBulk } from '#core/messages/bulk/send-bulk.js';
import { Messages } from '#core/messages/history/messages.js';
import { Caller, type ApiAccount } from './api-caller.js';
import { parseInput } from '../http/input.js';
import { ApiKeyGuard, ApiQuery, ApiUpload } from './api-key.guard.js';
import { BulkBudget } from './bulk-budget.js';
import { mediaOf, optionsOf } from './send-sms.controller.js';

export const sendBulkFields = sendBulkBody.transform((body) => ({
  ...body,
  options: optionsOf(body),
  files: mediaOf(body),
}));

/**
 * POST /api/sendbulk, GET /api/batches, /api/batches/{batch_id} and its messages, POST
 * /api/batches/{batch_id}/cancel. A test key reads examples, not the account's data.
 */
@Controller('api')
@UseGuards(ApiKeyGuard)
export class BulkController {
  constructor(
    private readonly sendBulk: SendBulk,
    private readonly places: BulkPlaces,
    private readonly budget: BulkBudget,
    private readonly batches: Batches,
    private readonly messages: Messages,
  ) {}

  @Post('sendbulk')
  @HttpCode(200)
  @ApiUpload(['send'])
  async send(
    @Caller() caller: ApiAccount,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SendBulkAnswer> {
    this.sendBulk.refuseRunning(caller);
    const leave = await this.places.enter(caller.accountId);
    try {
      const { fields, sent } = await this.budget.read(request, caller);
      const { options, files: media, ...body } = parseInput(sendBulkFields, fields);
      const accepted = await this.sendBulk.send({ ...caller, body, options, media });
      if (!accepted.test && !accepted.replayed) await sent();
      return answerOf(accepted, reply);
    } finally {
      leave();
    }
  }

  @Get('batches')
  @ApiQuery({ schema: messagesQuery, scope: 'read' })
  async page(@Caller() { key, accountId }: ApiAccount, @Query() { cursor }: MessagesQuery): Promise<BatchesAnswer> {
    if (key.test) return { ...batchPage, test: true };
    const { batches, nextCursor } = await this.batches.list(accountId, cursor);
    return { success: 'true', batches, next_cursor: nextCursor };
  }

  @Get('batches/:batchId')
  @ApiQuery({ schema: messagesQuery, scope: 'read' })
  async find(@Caller() { key, accountId }: ApiAccount, @Param('batchId') batchId: string): Promise<BatchAnswer> {
    if (key.test) return { ...batch, test: true };
    return { success: 'true', ...(await this.batches.show(accountId, batchId)) };
  }

  @Post('batches/:batchId/cancel')
  @HttpCode(200)
  @ApiQuery({ schema: messagesQuery, scope: 'send' })
  async cancel(
    @Caller() { key, accountId, context }: ApiAccount,
    @Param('batchId') batchId: string,
  ): Promise<BatchCanceledAnswer> {
    if (key.test) return { ...batchCanceled, test: true };
    return { success: 'true', ...(await this.batches.cancel(accountId, batchId, context)) };
  }

  @Get('batches/:batchId/messages')
  @ApiQuery({ schema: messagesQuery, scope: 'read' })
  async list(
    @Caller() { key, accountId }: ApiAccount,
    @Param('batchId') batchId: string,
    @Query() { cursor }: MessagesQuery,
  ): Promise<BatchMessagesAnswer> {
    if (key.test) return { ...messagePage, test: true };
    const numbers = await this.batches.numbersOf(accountId, batchId);
    const { messages, nextCursor } = await this.messages.list(accountId, cursor, numbers);
    return { success: 'true', messages, next_cursor: nextCursor };
  }
}

function answerOf(sent: AcceptedBulk, reply: FastifyReply): SendBulkAnswer {
  if (sent.replayed) reply.header('Idempotent-Replayed', 'true');
  const { batchId, accepted, rejected, credits, balance, test } = sent;
  return {
    success: 'true',
    batch_id: batchId,
    accepted,
    rejected: [...rejected],
    credits,
    // A test key must not reveal the account's balance.
    balance: test ? exampleBalance.balance : balance,
    ...(test && { test: true as const }),
  };
}
