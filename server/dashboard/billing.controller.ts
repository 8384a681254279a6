import { Controller, Get, Query, UseGuards } from '@nestjs/common';
import { type BillingAnswer, billingQuery, type BillingQuery } from '#contract/billing.js';
import type { SessionAccount } from '#core/accounts/sessions/sessions.js';
import { Payments } from '#core/billing/payments.js';
import { SessionGuard, SignedIn } from '../auth/session.guard.js';

/** /api/dashboard/billing */
@Controller('api/dashboard/billing')
@UseGuards(SessionGuard)
export class BillingController {
  constructor(private readonly payments: Payments) {}

  @Get()
  async page(
    @SignedIn() { accountId }: SessionAccount,
    @Query({ schema: billingQuery }) { page }: BillingQuery,
  ): Promise<BillingAnswer> {
    return this.payments.page(accountId, page);
  }
}
