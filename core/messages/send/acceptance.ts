import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { Credits } from '../../credits/credits.js';
import { boundedLine } from '../../platform/database/bounded-line.js';
import { GroupCommit } from '../../platform/database/group-commit.js';
import { isConnectionLoss, isRetryable, isWithoutEffect, sqlState } from '../../platform/database/database-error.js';
import { Postgres } from '../../platform/database/postgres.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { AccountEvents } from '../../platform/events/account-events.js';
import { acceptedAmong } from './accepted-among.js';
import { acceptanceStatement, acceptanceValues, type AcceptanceRow } from './acceptance.sql.js';
import type { Decision } from './decision.js';

const BATCH_REQUESTS_MAX = 200;
const BATCHES_IN_FLIGHT_MAX = 3;
const ATTEMPTS_MAX = 5;
const CHECK_VIOLATION = '23514';

/** Of a request that the statement has not decided. */
const undecided = { account_id: null, key_rate_per_second: null, earlier_id: null };

/**
 * The only door through which messages take money. Decides, charges and stores requests in shared round trips; each
 * verdict is the one the request would have got alone. Throws `unavailable` when the database is away or too much waits.
 */
@Injectable()
export class Acceptance {
  private readonly shared: GroupCommit<AcceptanceRow, Decision>;
  private readonly alone: GroupCommit<AcceptanceRow, Decision>;

  constructor(
    private readonly postgres: Postgres,
    private readonly credits: Credits,
    private readonly news: AccountEvents,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
    private readonly config: Config,
  ) {
    this.shared = this.lane(BATCH_REQUESTS_MAX);
    this.alone = this.lane(1);
  }

  async admit(row: AcceptanceRow): Promise<Decision> {
    let verdict = await this.shared.submit(row);
    for (let attempt = 1; verdict.verdict === 'again' || verdict.verdict === 'no_credits_record'; attempt += 1) {
      if (verdict.verdict === 'no_credits_record') await this.openCredits(verdict.account_id);
      if (attempt > ATTEMPTS_MAX)
        throw new DomainError(
          'idempotency_in_progress',
          'The first request with this Idempotency-Key is still running.',
        );
      verdict = await this.alone.submit(row);
    }
    if (verdict.verdict === 'accepted' && verdict.account_id !== null) this.news.changed(verdict.account_id, row.id);
    return verdict;
  }

  private async openCredits(accountId: string | null): Promise<void> {
    if (accountId === null) throw new Error('Only an account lacks a credits record');
    await this.credits.ensure(accountId);
  }

  private lane(batchMax: number): GroupCommit<AcceptanceRow, Decision> {
    return new GroupCommit({
      ...boundedLine(this.config),
      batchMax,
      inFlightMax: BATCHES_IN_FLIGHT_MAX,
      run: (batch) => this.decide(batch),
      onBatch: (requests, waitedMs) => {
        this.metrics.acceptanceBatch.observe(requests);
        this.metrics.acceptanceWait.observe(waitedMs / 1_000);
      },
    });
  }

  private async decide(batch: AcceptanceRow[], attempt = 1): Promise<Decision[]> {
    try {
      return await this.postgres.query<Decision>(acceptanceStatement, acceptanceValues(batch));
    } catch (error) {
      if ((isRetryable(error) || isOutdated(error)) && attempt < ATTEMPTS_MAX) return this.decide(batch, attempt + 1);
      if (isWithoutEffect(error)) return batch.map(() => ({ ...undecided, verdict: 'lost', cause: error }));
      if (isConnectionLoss(error)) return this.settle(batch, error);
      // One request that Postgres cannot digest must not change its neighbours' answers.
      if (batch.length > 1) return this.decideEach(batch);
      throw error;
    }
  }

  private async decideEach(batch: AcceptanceRow[]): Promise<Decision[]> {
    const settled = await Promise.allSettled(batch.map((row) => this.alone.submit(row)));
    return settled.map((result) =>
      result.status === 'fulfilled' ? result.value : { ...undecided, verdict: 'failed', cause: result.reason },
    );
  }

  /** The connection broke before the answer came: the commit may have happened, so the messages themselves are asked. */
  private async settle(batch: AcceptanceRow[], cause: unknown): Promise<Decision[]> {
    this.logger.error({ err: cause, requests: batch.length }, 'acceptance lost the database');
    const accepted = await acceptedAmong(this.postgres, this.logger, batch);
    return batch.map(({ id }) => {
      const accountId = accepted?.get(id);
      const verdict = accountId ? 'accepted' : accepted ? 'lost' : 'unknown';
      return { ...undecided, verdict, account_id: accountId ?? null, cause };
    });
  }
}

/**
 * Credits that arrive while a batch waits for their account's lock: Postgres checks a row that is to be updated against its
 * constraints as the statement's snapshot had it, before it looks at the row as it is now. A new snapshot has the credits.
 */
function isOutdated(error: unknown): boolean {
  return sqlState(error) === CHECK_VIOLATION;
}
