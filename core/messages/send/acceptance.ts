import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Credits } from '../../credits/credits.js';
import { Config } from '../../platform/config/config.js';
import { boundedLine } from '../../platform/database/bounded-line.js';
import { isConnectionLoss, isRetryable, isWithoutEffect, sqlState } from '../../platform/database/database-error.js';
import { GroupCommit } from '../../platform/database/group-commit.js';
import { Postgres } from '../../platform/database/postgres.js';
import { AccountEvents } from '../../platform/events/account-events.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import type { RequestContext } from '../../platform/telemetry/request-context.js';
import { Tracer } from '../../platform/telemetry/tracer.js';
import {
  acceptanceStatement,
  acceptanceValues,
  acceptedStatement,
  type AcceptedRow,
  lockCallersStatement,
  type AcceptanceResult,
  type AcceptanceRow,
} from './acceptance.sql.js';
import type { Decision } from './decision.js';

const BATCH_REQUESTS_MAX = 200;
const BATCHES_IN_FLIGHT_MAX = 3;
const ATTEMPTS_MAX = 5;
const SETTLE_ATTEMPTS_MAX = 6;
const SETTLE_PAUSE_MS = 500;
const CHECK_VIOLATION = '23514';

/** A result that needs another run of the statement, for this request alone. */
type Undecided = { readonly kind: 'again' } | { readonly kind: 'no_credit_account'; readonly accountId: string };

/**
 * Decides, charges and stores requests in shared round trips; each decision is the one that the request would get alone.
 * Throws `unavailable` when too many requests wait for the database.
 */
@Injectable()
export class Acceptance {
  private readonly shared: GroupCommit<AcceptanceRow, Decision | Undecided>;
  private readonly alone: GroupCommit<AcceptanceRow, Decision | Undecided>;

  constructor(
    private readonly postgres: Postgres,
    private readonly credits: Credits,
    private readonly accountEvents: AccountEvents,
    private readonly metrics: Metrics,
    private readonly tracer: Tracer,
    private readonly logger: Logger,
    private readonly config: Config,
  ) {
    this.shared = this.group(config, BATCH_REQUESTS_MAX);
    this.alone = this.group(config, 1);
  }

  async decide(row: AcceptanceRow, context?: RequestContext): Promise<Decision> {
    const decision = await this.tracer.within('acceptance', { parent: context?.traceparent }, () =>
      this.decideUntilFinal(row),
    );
    if (decision.kind === 'accepted') this.accountEvents.changed(decision.account.id, row.id);
    return decision;
  }

  private async decideUntilFinal(row: AcceptanceRow): Promise<Decision> {
    let decision = await this.shared.submit(row);
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      if (decision.kind === 'no_credit_account') await this.credits.ensure(decision.accountId);
      else if (decision.kind !== 'again') return decision;
      decision = await this.alone.submit(row);
    }
    return decision.kind === 'again' || decision.kind === 'no_credit_account'
      ? { kind: 'refused', account: null, code: 'idempotency_in_progress' }
      : decision;
  }

  private group(config: Config, batchMax: number): GroupCommit<AcceptanceRow, Decision | Undecided> {
    return new GroupCommit({
      ...boundedLine(config),
      batchMax,
      inFlightMax: BATCHES_IN_FLIGHT_MAX,
      run: (batch) => this.decideBatch(batch),
      onBatch: (requests, waitedMs) => {
        this.metrics.acceptanceBatch.observe(requests);
        this.metrics.acceptanceWait.observe(waitedMs / 1_000);
      },
    });
  }

  private async decideBatch(batch: AcceptanceRow[], attempt = 1): Promise<(Decision | Undecided)[]> {
    try {
      const rows = await this.postgres.query<AcceptanceResult>(acceptanceStatement, this.valuesOf(batch));
      return rows.map(decisionOf);
    } catch (cause) {
      if ((isRetryable(cause) || isOutdated(cause)) && attempt < ATTEMPTS_MAX)
        return this.decideBatch(batch, attempt + 1);
      if (isWithoutEffect(cause)) return batch.map(() => ({ kind: 'refused', account: null, code: 'lost', cause }));
      if (isConnectionLoss(cause)) return this.settle(batch, cause);
      // A request that Postgres cannot process must not change its neighbors' decisions.
      if (batch.length > 1) return this.decideEach(batch);
      throw cause;
    }
  }

  private valuesOf(batch: readonly AcceptanceRow[]): unknown[] {
    const { twilio, signIn } = this.config;
    return acceptanceValues(batch, {
      conversationHours: twilio.conversationHours,
      ownNumbersOnly: signIn.freeCreditsOwnNumber,
    });
  }

  private async decideEach(batch: AcceptanceRow[]): Promise<(Decision | Undecided)[]> {
    const settled = await Promise.allSettled(batch.map((row) => this.alone.submit(row)));
    return settled.map((result) =>
      result.status === 'fulfilled'
        ? result.value
        : { kind: 'refused', account: null, code: 'failed', cause: result.reason },
    );
  }

  /** The connection broke before the answer: the commit may have happened, so the messages themselves are read. */
  private async settle(batch: AcceptanceRow[], cause: unknown): Promise<Decision[]> {
    this.logger.error({ err: cause, requests: batch.length }, 'acceptance lost the database');
    const accepted = await this.readAccepted(batch);
    return batch.map(({ id }) => {
      const found = accepted?.get(id);
      if (found) {
        const { accountId, repliesUnavailable } = found;
        return { kind: 'accepted', account: { id: accountId, keyRatePerSecond: null }, repliesUnavailable };
      }
      return { kind: 'refused', account: null, code: accepted ? 'lost' : 'unknown', cause };
    });
  }

  /**
   * Returns which of these messages exist, by id, once no acceptance of them can be running; undefined when the
   * database does not return within seconds. Postgres does not notice a lost client while its statement waits for a lock, and
   * may commit seconds later; taking the same locks waits for it, which a lagging standby cannot do.
   */
  private async readAccepted(batch: readonly AcceptanceRow[]): Promise<Map<string, AcceptedRow> | undefined> {
    for (let attempt = 1; attempt <= SETTLE_ATTEMPTS_MAX; attempt += 1) {
      await pause(SETTLE_PAUSE_MS);
      try {
        await this.postgres.query(lockCallersStatement, [batch.map(({ keyHash }) => keyHash)]);
        const rows = await this.postgres.query<AcceptedRow>(acceptedStatement, [batch.map(({ id }) => id)]);
        return new Map(rows.map((row) => [row.id, row]));
      } catch (err) {
        this.logger.warn({ err, attempt }, 'database still unavailable');
      }
    }
    return undefined;
  }
}

function decisionOf(row: AcceptanceResult): Decision | Undecided {
  const { keyRatePerSecond, repliesUnavailable } = row;
  switch (row.verdict) {
    case 'accepted':
      return { kind: 'accepted', account: { id: row.accountId, keyRatePerSecond }, repliesUnavailable };
    case 'approved':
    case 'sender_changed':
      return { kind: row.verdict, account: { id: row.accountId, keyRatePerSecond } };
    case 'replayed':
      return { kind: 'replayed', account: { id: row.accountId, keyRatePerSecond }, messageId: row.earlierId };
    case 'again':
      return { kind: 'again' };
    case 'no_credit_account':
      return { kind: 'no_credit_account', accountId: row.accountId };
    case 'address_blocked':
    case 'unknown_api_key':
    case 'account_blocked':
    case 'delivery_suspended':
    case 'idempotency_conflict':
    case 'no_credits':
    case 'number_not_verified':
    case 'url_not_activated':
    case 'recipient_opted_out':
    case 'daily_limit':
    case 'insufficient_credits':
    case 'credits_frozen': {
      const account = row.accountId === null ? null : { id: row.accountId, keyRatePerSecond };
      return { kind: 'refused', account, code: row.verdict };
    }
  }
}

/**
 * Credits were added while a batch waited for their account's lock: Postgres checks the updated row's constraints against the
 * statement's snapshot before it reads the row as it is now. A new snapshot sees the credits.
 */
function isOutdated(error: unknown): boolean {
  return sqlState(error) === CHECK_VIOLATION;
}
