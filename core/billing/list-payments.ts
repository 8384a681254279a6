import { Injectable } from '@nestjs/common';
import type { BillingAnswer, BillingRecord } from '#contract/billing.js';
import { limits } from '#contract/limits.js';
import { dollars } from '#contract/packs.js';
import { Accounts } from '../accounts/accounts.js';
import { newYorkTimestamp } from '../rules/new-york-time.js';
import { PaymentsRepository, type Payment } from './payments.repository.js';

const OPERATOR_PAYMENTS_MAX = 1_000;

/** An account's billing history, newest first. */
@Injectable()
export class ListPayments {
  constructor(
    private readonly payments: PaymentsRepository,
    private readonly accounts: Accounts,
  ) {}

  /** A page as the dashboard shows it; beyond the last page, the last one. */
  async page(accountId: string, asked: number): Promise<BillingAnswer> {
    const pages = Math.max(1, Math.ceil((await this.payments.count(accountId)) / limits.tablePageSize));
    const page = Math.min(asked, pages);
    const found = await this.payments.page(accountId, limits.tablePageSize, (page - 1) * limits.tablePageSize);
    return { records: found.map(recordOf), page, pages };
  }

  /** For the operator, who knows the e-mail address. Throws `account_not_found`. */
  async ofEmail(email: string): Promise<{ payments: Payment[] }> {
    const { id } = await this.accounts.getByEmail(email);
    return { payments: await this.payments.page(id, OPERATOR_PAYMENTS_MAX, 0) };
  }
}

function recordOf({ createdAt, amountCents, credits, method, refundedCents, receiptUrl }: Payment): BillingRecord {
  return {
    date: newYorkTimestamp(createdAt),
    amount: dollars(amountCents),
    credits,
    method,
    refunded: refundedCents > 0 ? dollars(refundedCents) : null,
    receiptUrl,
  };
}
