import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import { AccountErasure, type FeatureErasure } from '../accounts/account-erasure.js';
import { Postgres } from '../platform/database/postgres.js';
import { ensurePartitions, purge, type PurgeRule } from '../platform/durable-work/retention.js';

const ERASED_BATCH_MAX = 5_000;

const receipts: PurgeRule = {
  table: 'inbound_receipts',
  key: ['carrier_id'],
  expired: 'created_at <= now() - make_interval(days => $1)',
};

/** Parameters: account, the number of the last reply erased before. */
export const eraseReplies = {
  text: `
WITH erased AS (
  UPDATE inbound_messages SET sender = '', body = '', carrier_id = ''
  WHERE id IN (
    SELECT id FROM inbound_messages WHERE account_id = $1 AND number > $2 ORDER BY number LIMIT ${ERASED_BATCH_MAX}
  )
  RETURNING number
)
SELECT max(number)::float8 AS last FROM erased`,
} as const;

/** Deletes expired receipts, and erases the personal data in an erased account's replies. Opt-outs outlive the account. */
@Injectable()
export class InboundRetention implements FeatureErasure {
  constructor(
    accountErasure: AccountErasure,
    private readonly postgres: Postgres,
  ) {
    accountErasure.register(this);
  }

  /**
   * Creates the partitions of the coming months and deletes one batch of receipts that are older than any repetition by the
   * carrier. Returns whether there may be more.
   */
  async run(): Promise<boolean> {
    await ensurePartitions(this.postgres, 'ensure_inbound_partitions');
    return purge(this.postgres, receipts, [limits.inboundReceiptsKeptDays]);
  }

  /** Erases senders, texts and carrier ids; numbers, times and credits stay for the ledger. */
  async erase(accountId: string): Promise<void> {
    let last: number | null = 0;
    while (last !== null) {
      const rows: { last: number | null }[] = await this.postgres.query(eraseReplies, [accountId, last]);
      last = rows[0]?.last ?? null;
    }
  }
}
