import { Controller, Get, HttpCode, Post, UseGuards } from '@nestjs/common';
import type { SendingAnswer } from '#contract/dashboard.js';
import type { SessionAccount } from '#core/accounts/sessions/sessions.js';
import { DeliverySuspensions } from '#core/messages/status/delivery-suspensions.js';
import { newYorkTimestamp } from '#core/rules/time.js';
import { SessionGuard, SignedIn } from '../auth/session.guard.js';

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
