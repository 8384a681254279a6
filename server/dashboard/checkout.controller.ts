import { Controller, Get, UseGuards, Body, Post, HttpCode, Param } from '@nestjs/common';
import { type CheckoutAnswer, checkoutBody, type CheckoutBody, type CheckoutStatusAnswer } from '#contract/billing.js';
import type { SessionAccount } from '#core/accounts/sessions/sessions.js';
import { refuseForeignId, SessionGuard, SignedIn } from '../auth/session.guard.js';
import { Checkouts } from '#core/billing/checkouts.js';
import { IdempotencyKey } from '../http/input.js';
import { ActionLimits } from '../http/rate-limits.js';

/** POST /api/checkout and GET /api/checkout/{sessionId} */
@Controller('api/checkout')
@UseGuards(SessionGuard)
export class CheckoutController {
  constructor(
    private readonly checkouts: Checkouts,
    private readonly actionLimits: ActionLimits,
  ) {}

  @Post()
  @HttpCode(200)
  async start(
    @SignedIn() account: SessionAccount,
    @Body({ schema: checkoutBody }) { userId, ...purchase }: CheckoutBody,
    @IdempotencyKey() idempotencyKey: string | undefined,
  ): Promise<CheckoutAnswer> {
    const { accountId } = account;
    refuseForeignId(account, userId);
    await this.actionLimits.takeCheckout(accountId);
    return this.checkouts.open({ ...purchase, accountId, idempotencyKey });
  }

  @Get(':sessionId')
  async settle(
    @SignedIn() { accountId }: SessionAccount,
    @Param('sessionId') sessionId: string,
  ): Promise<CheckoutStatusAnswer> {
    return this.checkouts.settle(accountId, sessionId);
  }
}
