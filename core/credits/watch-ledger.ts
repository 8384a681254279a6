import { Injectable } from '@nestjs/common';
import { Postgres } from '../platform/database/postgres.js';
import { PerGroup } from '../platform/database/per-group.js';
import { Logger } from '../platform/telemetry/logger.js';
import { Metrics } from '../platform/telemetry/metrics.js';
import { Every } from '../platform/schedules/every.js';

const NEWEST_ENTRIES = 100;
const FAULTS_MAX = 1_000;
/** A transaction's rows carry the time at which it began, and it may end this much later. */
const OVERLAP_MS = 5 * 60_000;
const LOGGED_MAX = 10;

/**
 * Finds accounts that changed since an instant, and the named accounts, whose balance differs from
 * their newest entry or whose newest entries do not follow from each other. Reads only those
 * entries, by the ledger's primary key: older entries were checked before.
 */
export const faultsStatement = {
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
} as const;

export const clockStatement = { name: 'ledger-watch-clock-1', text: 'SELECT now() AS now' } as const;

/**
 * The cheap part of `admin ledger check`, run periodically: checks the accounts that changed since
 * the last run (all accounts in the first run), and wrong accounts until they are corrected.
 */
@Injectable()
export class WatchLedger {
  private readonly seen = new PerGroup<{ readonly since: Date; readonly known: readonly string[] }>(() => ({
    since: new Date(0),
    known: [],
  }));

  constructor(
    private readonly postgres: Postgres,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
  ) {}

  /** Returns the number of wrong accounts. */
  @Every({
    name: 'ledger check',
    everyMs: ({ operator }) => (operator.ledgerCheckSeconds > 0 ? operator.ledgerCheckSeconds * 1_000 : null),
    wholeDatabase: true,
  })
  async run(): Promise<number> {
    await this.postgres.onEachInReach(() => this.check());
    const faults = this.seen.all().reduce((total, { known }) => total + known.length, 0);
    this.metrics.ledgerMismatches.set(faults);
    this.metrics.ledgerCheckedAt.setToCurrentTime();
    return faults;
  }

  private async check(): Promise<void> {
    const { since, known } = this.seen.get();
    // The database's clock wrote the rows' times.
    const [clock] = await this.postgres.query<{ now: Date }>(clockStatement, []);
    const rows = await this.postgres.query<{ accountId: string }>(faultsStatement, [since, known]);
    const faults = rows.map(({ accountId }) => accountId);
    const fresh = faults.filter((accountId) => !known.includes(accountId));
    this.seen.set({ since: clock ? new Date(clock.now.getTime() - OVERLAP_MS) : since, known: faults });
    if (fresh.length > 0)
      this.logger.error(
        { accounts: faults.length, accountIds: fresh.slice(0, LOGGED_MAX) },
        'balances and ledger disagree',
      );
  }
}
