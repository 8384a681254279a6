import { Controller, Get, HttpCode, Param, Post, Query, UseGuards } from '@nestjs/common';
import {
  type BatchAnswer,
  type BatchCanceledAnswer,
  type BatchesAnswer,
  batchesQuery,
  type BatchesQuery,
  type BatchMessagesAnswer,
} from '#contract/bulk.js';
import type { SessionAccount } from '#core/accounts/sessions/sessions.js';
import { Batches } from '#core/messages/bulk/batches.js';
import { Messages } from '#core/messages/history/messages.js';
import { SessionGuard, SignedIn } from '../auth/session.guard.js';

/**
 * /api/dashboard/batches, /batches/{batch_id}, its /cancel and its /messages: as in the public API.
 */
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
