import { Controller, Get, HttpCode, Param, Post, Query, UseGuards } from '@nestjs/common';
import { balance, canceled, deliverability, delivered, messagePage, recorded } from '#contract/examples.js';
import { balanceQuery, type BalanceAnswer } from '#contract/credits.js';
import { type DeliverabilityAnswer, type DeliverabilityQuery, deliverabilityQuery } from '#contract/deliverability.js';
import type { MessageRecordAnswer } from '#contract/message-record.js';
import {
  messagesFilterQuery,
  messagesQuery,
  type MessageAnswer,
  type MessagesAnswer,
  type MessagesFilterQuery,
} from '#contract/messages.js';
import { NamedKeys } from '#core/keys/named-keys.js';
import { Batches } from '#core/messages/bulk/batches.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { parseInstant } from '#core/rules/time.js';
import { parseRecipient } from '#core/rules/phone-numbers.js';
import { Credits } from '#core/credits/credits.js';
import { Deliverability } from '#core/figures/deliverability.js';
import { MessageRecords } from '#core/messages/history/message-record.js';
import { Messages, type MessageFilter } from '#core/messages/history/messages.js';
import { CancelMessage } from '#core/messages/status/cancel-message.js';
import { Caller, type ApiAccount } from './api-caller.js';
import { ApiKeyGuard, ApiQuery } from './api-key.guard.js';

/**
 * GET /api/messages, GET /api/messages/{message_id}, its /record, POST
 * /api/messages/{message_id}/cancel, GET /api/deliverability and GET /api/balance. A test key gets examples, not the
 * account's data.
 */
@Controller('api')
@UseGuards(ApiKeyGuard)
export class RecordsController {
  constructor(
    private readonly messages: Messages,
    private readonly records: MessageRecords,
    private readonly cancelMessage: CancelMessage,
    private readonly batches: Batches,
    private readonly deliverabilityFigures: Deliverability,
    private readonly credits: Credits,
    private readonly namedKeys: NamedKeys,
  ) {}

  @Get('messages')
  @ApiQuery({ schema: messagesFilterQuery, scope: 'read' })
  async list(@Caller() { key, accountId }: ApiAccount, @Query() query: MessagesFilterQuery): Promise<MessagesAnswer> {
    const filter = filterOf(query);
    if (key.test) return { ...messagePage, test: true };
    const { cursor, batch_id: batchId } = query;
    const numbers = batchId ? await this.batches.numbersOf(accountId, batchId) : undefined;
    const { messages, nextCursor } = await this.messages.list(accountId, cursor, numbers, filter);
    return { success: 'true', messages, next_cursor: nextCursor };
  }

  @Get('messages/:messageId')
  @ApiQuery({ schema: messagesQuery, scope: 'read' })
  async find(@Caller() { key, accountId }: ApiAccount, @Param('messageId') messageId: string): Promise<MessageAnswer> {
    if (key.test) return { ...delivered, test: true };
    return { success: 'true', ...(await this.messages.find(accountId, messageId)) };
  }

  @Get('messages/:messageId/record')
  @ApiQuery({ schema: messagesQuery, scope: 'read' })
  async record(
    @Caller() { key, accountId }: ApiAccount,
    @Param('messageId') messageId: string,
  ): Promise<MessageRecordAnswer> {
    if (key.test) return { ...recorded, test: true };
    return { success: 'true', ...(await this.records.show(accountId, messageId)) };
  }

  @Post('messages/:messageId/cancel')
  @HttpCode(200)
  @ApiQuery({ schema: messagesQuery, scope: 'send' })
  async cancel(
    @Caller() { key, accountId, context }: ApiAccount,
    @Param('messageId') messageId: string,
  ): Promise<MessageAnswer> {
    if (key.test) return { ...canceled, test: true };
    return {
      success: 'true',
      ...(await this.messages.viewOf(await this.cancelMessage.cancel(accountId, messageId, context))),
    };
  }

  @Get('deliverability')
  @ApiQuery({ schema: deliverabilityQuery, scope: 'read' })
  async figures(
    @Caller() { key, accountId }: ApiAccount,
    @Query() query: DeliverabilityQuery,
  ): Promise<DeliverabilityAnswer> {
    if (key.test) return { ...deliverability, test: true };
    return this.deliverabilityFigures.show(accountId, query);
  }

  @Get('balance')
  @ApiQuery({ schema: balanceQuery, scope: 'read' })
  async balance(@Caller() { key, accountId }: ApiAccount): Promise<BalanceAnswer> {
    if (key.test) return { ...balance, test: true };
    const { frozen, ...totals } = await this.credits.balanceOf(accountId);
    const budget = await this.namedKeys.budgetOf(key);
    return { success: 'true', ...totals, ...(frozen > 0 && { frozen }), ...(budget && { budget }) };
  }
}

/** Undefined without a filter. Throws `invalid_request`. */
function filterOf(query: MessagesFilterQuery): MessageFilter | undefined {
  const { status, reason, to, reference, since, until } = query;
  if (!status && !reason && !to && !reference && !since && !until) return undefined;
  return {
    status: status ?? null,
    reason: reason ?? null,
    recipient: to ? numberIn('to', to) : null,
    reference: reference || null,
    since: since ? instantIn('since', since) : null,
    until: until ? instantIn('until', until) : null,
  };
}

/** A phone number in a query, as E.164. Throws `invalid_request`. */
export function numberIn(name: string, text: string): string {
  const number = parseRecipient(text);
  if (number) return number.e164;
  throw new DomainError('invalid_request', `${name}: must be a phone number, with + (%2B) and country code.`);
}

/** An instant in a query. Throws `invalid_request`. */
export function instantIn(name: string, text: string): Date {
  const at = parseInstant(text);
  if (at) return at;
  throw new DomainError('invalid_request', `${name}: must be a date and time with an offset, YYYY-MM-DDThh:mm:ssZ.`);
}
