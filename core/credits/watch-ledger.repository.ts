import { Injectable } from '@nestjs/common';
import { Postgres } from '../platform/database/postgres.js';

const NEWEST_ENTRIES = 100;
const FAULTS_MAX = 1_000;

/**
 * Accounts that moved since an instant, and those named, whose balance is not what their newest entry says, or whose newest
 * entries do not follow from each other in sum and number. Reads those entries alone, by the ledger's primary key: what came
 * before was checked when it was new.
 */
const faults = {
  name: 'ledger-watch-1',
  text: `
SELECT c.account_id AS "accountId"
FROM credit_accounts c
LEFT JOIN LATERAL (
  SELECT
    max(number) AS last,
    (array_agg(balance_after ORDER BY number DESC))[1] AS balance,
    bool_or(balance_before IS NOT NULL AND balance_after <> balance_before + amount) AS broken,
    max(number) - min(number) + 1 <> count(*) AS gap
  FROM (
    SELECT number, amount, balance_after, lag(balance_after) OVER (ORDER BY number) AS balance_before
    FROM (
      SELECT number, amount, balance_after FROM ledger_entries
      WHERE account_id = c.account_id ORDER BY number DESC LIMIT ${NEWEST_ENTRIES}
    ) newest
  ) chained
) l ON true
WHERE (c.updated_at >= $1 OR c.account_id = ANY ($2::uuid[]))
  AND (c.balance <> coalesce(l.balance, 0) OR c.ledger_count <> coalesce(l.last, 0)
    OR c.balance <> c.purchased - c.used OR coalesce(l.broken, false) OR coalesce(l.gap, false))
LIMIT ${FAULTS_MAX}`,
};

const clock = { name: 'ledger-watch-clock-1', text: 'SELECT now() AS now' };

/** What the periodic ledger check reads. */
@Injectable()
export class WatchLedgerRepository {
  constructor(private readonly postgres: Postgres) {}

  async faults(since: Date, accountIds: readonly string[]): Promise<string[]> {
    return (await this.postgres.query<{ accountId: string }>(faults, [since, accountIds])).map(
      ({ accountId }) => accountId,
    );
  }

  /** By the database's clock, which wrote the rows' times. */
  async now(): Promise<Date> {
    const [row] = await this.postgres.query<{ now: Date }>(clock, []);
    if (!row) throw new Error('The database tells the time');
    return row.now;
  }
}
