import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import { AccountRetention } from '../../accounts/account-retention.js';
import { Postgres } from '../../platform/database/postgres.js';

const MONTHS_AHEAD = 3;
const PURGED_MAX = 10_000;

const ensurePartitions = {
  name: 'partitions-1',
  text: `SELECT ensure_message_partitions((now() AT TIME ZONE 'UTC')::date, $1)`,
};

const purgeKeys = {
  name: 'idempotency-purge-1',
  text: `
DELETE FROM idempotency_keys WHERE (account_id, key) IN (
  SELECT account_id, key FROM idempotency_keys WHERE created_at <= now() - make_interval(hours => $1) LIMIT ${PURGED_MAX}
) RETURNING key`,
};

/** Makes the coming months' partitions and forgets what is over: idempotency keys, sessions, ended API keys. */
@Injectable()
export class Retention {
  constructor(
    private readonly postgres: Postgres,
    private readonly accounts: AccountRetention,
  ) {}

  /** One round over a batch. Answers whether there may be more to forget. */
  async run(): Promise<boolean> {
    await this.postgres.query(ensurePartitions, [MONTHS_AHEAD]);
    const purged = await this.postgres.query(purgeKeys, [limits.idempotencyHours]);
    await this.accounts.run();
    return purged.length === PURGED_MAX;
  }
}
