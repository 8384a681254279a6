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
const forgetPoolNumbers = { text: 'DELETE FROM pool_numbers WHERE account_id = $1' } as const;
const forgetTurns = { text: 'DELETE FROM number_turns WHERE account_id = $1' } as const;
const forgetSlots = { text: 'DELETE FROM number_slots WHERE account_id = $1' } as const;
const forgetStrangers = { text: 'DELETE FROM stranger_days WHERE account_id = $1' } as const;
const forgetPools = { text: 'DELETE FROM pools WHERE account_id = $1' } as const;

const erasing = [
  releaseStatement,
  takeAwayStatement,
  forgetLabels,
  forgetTurns,
  forgetSlots,
  forgetStrangers,
  forgetPoolNumbers,
  forgetPools,
];

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
    for (const statement of erasing) await this.postgres.query(statement, [accountId]);
    await this.directory.renewed();
  }
}
