import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import { Postgres } from '../platform/database/postgres.js';

/** Remembered accounts that have paid; others are looked up again. */
const REMEMBERED_MAX = 10_000;

/**
 * SQL condition of an account that has ever had credits beyond its sign-up's: bought, redeemed, or
 * given by the operator. `account` is SQL of its id.
 */
export const hasPaidSql = (account: string) => `EXISTS (
  SELECT FROM ledger_entries paid
  WHERE paid.account_id = ${account} AND paid.kind IN ('purchase', 'redeem', 'adjustment', 'signup')
    AND paid.amount > CASE WHEN paid.kind = 'signup' THEN ${limits.signupCredits} ELSE 0 END
)`;

/** Parameter: account. */
export const hasPaidStatement = {
  name: 'credits-has-paid-1',
  text: `SELECT ${hasPaidSql('$1')} AS "hasPaid"`,
} as const;

/**
 * Knows which accounts have paid. An unpaid account gets a tenth of every quota that costs disk or
 * CPU, because a person can have any number of unpaid accounts.
 */
@Injectable()
export class PaidAccounts {
  private readonly known = new Set<string>();

  constructor(private readonly postgres: Postgres) {}

  async hasPaid(accountId: string): Promise<boolean> {
    if (this.known.has(accountId)) return true;
    const [row] = await this.postgres.query<{ hasPaid: boolean }>(hasPaidStatement, [accountId]);
    if (row?.hasPaid !== true) return false;
    if (this.known.size >= REMEMBERED_MAX) this.known.clear();
    this.known.add(accountId);
    return true;
  }
}
