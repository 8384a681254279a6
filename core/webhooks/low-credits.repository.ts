import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

const BATCH_MAX = 500;
const EVERY_SECONDS = 5;

export interface Watched {
  readonly accountId: string;
  readonly lowCredits: number;
  /** Told already, and not risen since. */
  readonly areLow: boolean;
}

/** Accounts that want to be told when their credits are low. */
@Injectable()
export class LowCreditsRepository {
  /** The next ones to be looked at, locked; others find them again after a few seconds. */
  async take(tx: EntityManager): Promise<Watched[]> {
    const [rows] = await tx.query<[Watched[], number]>(
      `UPDATE webhook_endpoints e SET credits_seen_at = now()
       FROM (
         SELECT account_id FROM webhook_endpoints
         WHERE 'credits.low' = ANY (events) AND url IS NOT NULL
           AND credits_seen_at <= now() - interval '${EVERY_SECONDS} seconds'
         ORDER BY credits_seen_at LIMIT ${BATCH_MAX} FOR NO KEY UPDATE SKIP LOCKED
       ) due
       WHERE e.account_id = due.account_id
       RETURNING e.account_id AS "accountId", e.low_credits::float8 AS "lowCredits", e.credits_are_low AS "areLow"`,
    );
    return rows;
  }

  async mark(tx: EntityManager, accountIds: readonly string[], areLow: boolean): Promise<void> {
    await tx.query('UPDATE webhook_endpoints SET credits_are_low = $2 WHERE account_id = ANY ($1::uuid[])', [
      accountIds,
      areLow,
    ]);
  }
}
