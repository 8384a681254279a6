import { Controller, Get, Query, UseGuards } from '@nestjs/common';
import { billingQuery, type BillingAnswer, type BillingQuery } from '#contract/billing.js';
import type { SessionAccount } from '#core/accounts/sessions/sessions.js';
import { ListPayments } from '#core/billing/list-payments.js';
import { ContractPipe } from '../api/contract.pipe.js';
import { SessionGuard, SignedIn } from '../auth/session.guard.js';

/** GET /api/dashboard/billing: the billing history, a page at a time. */
@Controller('api/dashboard/billing')
@UseGuards(SessionGuard)
export class BillingController {
  constructor(private readonly listPayments: ListPayments) {}

  @Get()
  async page(
    @SignedIn() account: SessionAccount,
    @Query(new ContractPipe(billingQuery)) { page }: BillingQuery,
  ): Promise<BillingAnswer> {
    return this.listPayments.page(account.accountId, page);
  }
}
