import { Controller, UseGuards, Body, Post, Res } from '@nestjs/common';
import type { SessionAccount } from '#core/accounts/sessions/sessions.js';
import { refuseForeignId, SessionGuard, SignedIn } from '../auth/session.guard.js';
import type { FastifyReply } from 'fastify';
import {
  redeemCodeBody,
  redeemMessage,
  redeemStatuses,
  type RedeemCodeAnswer,
  type RedeemCodeBody,
} from '#contract/credits.js';
import { RedeemCodes } from '#core/billing/redeem-codes.js';

/** POST /api/redeemcode */
@Controller('api/redeemcode')
@UseGuards(SessionGuard)
export class RedeemCodeController {
  constructor(private readonly redeemCodes: RedeemCodes) {}

  @Post()
  async redeem(
    @SignedIn() account: SessionAccount,
    @Body({ schema: redeemCodeBody }) { uid, code }: RedeemCodeBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RedeemCodeAnswer> {
    refuseForeignId(account, uid);
    const outcome = await this.redeemCodes.redeem(account.accountId, code ?? '');
    reply.status(redeemStatuses[outcome.kind]);
    if (outcome.kind === 'too_many') reply.header('Retry-After', String(outcome.retryAfterSeconds));
    return { message: redeemMessage(outcome) };
  }
}
