import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import { AccountRetention } from '../../accounts/account-retention.js';
import { Postgres } from '../../platform/database/postgres.js';
import { ensurePartitions, purge, type PurgeRule } from '../../platform/durable-work/retention.js';

const idempotencyKeys: PurgeRule = {
  table: 'idempotency_keys',
  key: ['account_id', 'key'],
  expired: 'created_at <= now() - make_interval(hours => $1)',
};

/** Creates the coming months' partitions and deletes expired idempotency keys, sessions and API keys. */
@Injectable()
export class Retention {
  constructor(
    private readonly postgres: Postgres,
    private readonly accounts: AccountRetention,
  ) {}

  /** Deletes one batch; returns whether there may be more. */
  async run(): Promise<boolean> {
    await ensurePartitions(this.postgres, 'ensure_message_partitions');
    await this.accounts.run();
    return purge(this.postgres, idempotencyKeys, [limits.idempotencyHours]);
  }
}
