import { Injectable } from '@nestjs/common';
import { AccountErasure, type FeatureErasure } from '../accounts/account-erasure.js';
import { Postgres } from '../platform/database/postgres.js';
import { NumberDirectory } from './number-directory.js';
import { OrderEntity } from './order.entity.js';

/** A worker gives the numbers back to the carrier. */
const releaseStatement = {
  text: `
UPDATE public.numbers SET status = 'releasing', release_reason = 'deleted', past_due_at = NULL, release_at = NULL,
  due_at = now()
WHERE account_id = $1 AND origin = 'purchase' AND status IN ('active', 'past_due', 'releasing')`,
} as const;
const takeAwayStatement = {
  text: `DELETE FROM public.numbers WHERE account_id = $1 AND origin = 'operator'`,
} as const;
const forgetLabels = { text: 'UPDATE public.numbers SET label = NULL WHERE account_id = $1' } as const;

/** Gives up the numbers of an erased account, and erases their labels. */
@Injectable()
export class NumberErasure implements FeatureErasure {
  constructor(
    accountErasure: AccountErasure,
    private readonly postgres: Postgres,
    private readonly directory: NumberDirectory,
  ) {
    accountErasure.register(this);
  }

  async inProgress(accountId: string): Promise<string | undefined> {
    const pending = { accountId, status: 'pending' } as const;
    const count = await this.postgres.call((manager) => manager.countBy(OrderEntity, pending));
    if (count === 0) return undefined;
    return count === 1 ? '1 purchase of a number' : `${count} purchases of numbers`;
  }

  async erase(accountId: string): Promise<void> {
    for (const statement of [releaseStatement, takeAwayStatement, forgetLabels])
      await this.postgres.query(statement, [accountId]);
    for (const table of ['number_turns', 'number_slots', 'stranger_days', 'pool_numbers', 'pools'])
      await this.postgres.query({ text: `DELETE FROM ${table} WHERE account_id = $1` }, [accountId]);
    await this.directory.renewed();
  }
}
