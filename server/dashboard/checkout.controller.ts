import { Body, Controller, Get, HttpCode, Param, Post, Req, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { checkoutBody, type CheckoutAnswer, type CheckoutBody, type CheckoutStatusAnswer } from '#contract/checkout.js';
import type { SessionAccount } from '#core/accounts/sessions/sessions.js';
import { SettleCheckout } from '#core/billing/settle-checkout.js';
import { StartCheckout } from '#core/billing/start-checkout.js';
import { ContractPipe } from '../api/contract.pipe.js';
import { idempotencyKeyOf } from '../api/idempotency-key.js';
import { refuseForeignId, SessionGuard, SignedIn } from '../auth/session.guard.js';
import { CheckoutAttempts } from './checkout-attempts.js';

/** POST /api/checkout opens a checkout, GET /api/checkout/{sessionId} says what became of it. */
@Controller('api/checkout')
@UseGuards(SessionGuard)
export class CheckoutController {
  constructor(
    private readonly startCheckout: StartCheckout,
    private readonly settleCheckout: SettleCheckout,
    private readonly attempts: CheckoutAttempts,
  ) {}

  @Post()
  @HttpCode(200)
  async start(
    @SignedIn() account: SessionAccount,
    @Body(new ContractPipe(checkoutBody)) body: CheckoutBody,
    @Req() request: FastifyRequest,
  ): Promise<CheckoutAnswer> {
    const { userId, ...purchase } = body;
    refuseForeignId(account, userId);
    await this.attempts.take(account.accountId);
    return this.startCheckout.run({
      ...purchase,
      accountId: account.accountId,
      idempotencyKey: idempotencyKeyOf(request),
    });
  }

  @Get(':sessionId')
  async settle(
    @SignedIn() account: SessionAccount,
    @Param('sessionId') sessionId: string,
  ): Promise<CheckoutStatusAnswer> {
    return this.settleCheckout.run(account.accountId, sessionId);
  }
}
