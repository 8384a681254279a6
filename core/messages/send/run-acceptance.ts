import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { isConnectionLoss, isRetryable, isWithoutEffect, sqlState } from '../../platform/errors/database-error.js';
import { GroupCommit, requestLimits } from '../../platform/database/group-commit.js';
import { Postgres } from '../../platform/database/postgres.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { acceptanceStatements, acceptedStatement, type AcceptanceResult, type AcceptedRow } from './acceptance.sql.js';
import {
  type AcceptanceRow,
  acceptanceValues,
  acceptanceVariant,
  decisionOf,
  isDeduplicated,
} from './acceptance-batch.js';
import type { Decision, Undecided } from './decision.js';
import { RecordAccepted } from './record-accepted.js';
import { settle } from './settle.js';

const BATCH_REQUESTS_MAX = 200;
const BATCHES_IN_FLIGHT_MAX = 3;
const RETRIES_MAX = 4;
const CHECK_VIOLATION = '23514';

type Batches = GroupCommit<AcceptanceRow, Decision | Undecided>;

/**
 * Runs the acceptance statement for requests in shared round trips. Throws `unavailable` when too
 * many requests wait for the database.
 */
@Injectable()
export class RunAcceptance {
  private readonly shared: Batches;
  /** Deduplicated messages have separate batches, because these take longer. */
  private readonly deduplicating: Batches;
  /**
   * Messages with callbacks or files have separate batches, so that the others need no transaction.
   */
  private readonly bringingMore: Batches;
  /** Dry runs have separate batches, so that the others need no options. */
  private readonly dryRuns: Batches;
  private readonly alone: Batches;
  /**
   * Messages of accounts whose bulks are being accepted wait here, where they delay no other
   * account.
   */
  private readonly behindBulks: Batches;

  constructor(
    readonly postgres: Postgres,
    private readonly recordAccepted: RecordAccepted,
    private readonly metrics: Metrics,
    readonly logger: Logger,
    private readonly config: Config,
  ) {
    this.shared = this.group(BATCH_REQUESTS_MAX);
    this.deduplicating = this.group(BATCH_REQUESTS_MAX);
    this.bringingMore = this.group(BATCH_REQUESTS_MAX);
    this.dryRuns = this.group(BATCH_REQUESTS_MAX);
    this.alone = this.group(1);
    this.behindBulks = this.group(BATCH_REQUESTS_MAX, 'bulk', 1);
  }

  /** Decides a request in a shared batch, which may leave it undecided. */
  together(row: AcceptanceRow): Promise<Decision | Undecided> {
    if (row.dryRun) return this.dryRuns.submit(row);
    if (row.callback || row.files) return this.bringingMore.submit(row);
    return (isDeduplicated([row]) ? this.deduplicating : this.shared).submit(row);
  }

  /** As {@link together}, in a separate batch. */
  byItself(row: AcceptanceRow): Promise<Decision | Undecided> {
    return this.alone.submit(row);
  }

  /** As {@link together}, for an account whose bulk is being accepted: waits for the bulk. */
  behindBulk(row: AcceptanceRow): Promise<Decision | Undecided> {
    return this.behindBulks.submit(row);
  }

  /** The parameters of a variant of the statement. */
  valuesOf(batch: readonly AcceptanceRow[], variant: keyof typeof acceptanceStatements): unknown[] {
    const { conversationHours, signIn } = this.config;
    return acceptanceValues(batch, variant, {
      conversationHours,
      ownNumbersOnly: signIn.freeCreditsOwnNumber,
    });
  }

  /** Returns the accepted message with this id. Throws if it does not exist. */
  async accepted(id: string): Promise<AcceptedRow> {
    const row = (await this.findAccepted([id])).get(id);
    if (!row) throw new Error('An accepted message is missing');
    return row;
  }

  private async findAccepted(ids: readonly string[]): Promise<Map<string, AcceptedRow>> {
    const rows = await this.postgres.query<AcceptedRow>(acceptedStatement, [ids]);
    return new Map(rows.map((row) => [row.id, row]));
  }

  private group(batchMax: number, variant?: 'bulk', inFlightMax = BATCHES_IN_FLIGHT_MAX): Batches {
    return new GroupCommit({
      ...requestLimits(this.config),
      batchMax,
      inFlightMax,
      run: (batch) => this.decideBatch(batch, variant ?? acceptanceVariant(batch)),
      onBatch: (requests, waitedMs) => {
        this.metrics.acceptanceBatch.observe(requests);
        this.metrics.acceptanceWait.observe(waitedMs / 1_000);
      },
    });
  }

  private async decideBatch(
    batch: AcceptanceRow[],
    variant: keyof typeof acceptanceStatements,
    retries = 0,
  ): Promise<(Decision | Undecided)[]> {
    try {
      return await this.runStatement(batch, variant);
    } catch (cause) {
      if ((isRetryable(cause) || isOutdated(cause)) && retries < RETRIES_MAX)
        return this.decideBatch(batch, variant, retries + 1);
      if (isWithoutEffect(cause)) return batch.map(() => ({ kind: 'refused', account: null, code: 'lost', cause }));
      if (isConnectionLoss(cause)) return this.settle(batch, cause);
      // A request that Postgres cannot process must not change its neighbors' decisions.
      if (batch.length > 1) return this.decideEach(batch);
      throw cause;
    }
  }

  /** Takes one round trip, unless a message of the batch has callbacks, files or events. */
  private async runStatement(
    batch: AcceptanceRow[],
    variant: keyof typeof acceptanceStatements,
  ): Promise<(Decision | Undecided)[]> {
    const statement = acceptanceStatements[variant];
    const values = this.valuesOf(batch, variant);
    if (!(await this.recordAccepted.isNeeded(batch)))
      return (await this.postgres.query<AcceptanceResult>(statement, values)).map(decisionOf);
    return this.postgres.transaction(async (tx) => {
      const decisions = (await this.postgres.run<AcceptanceResult>(tx, statement, values)).map(decisionOf);
      await this.recordAccepted.record(tx, batch, decisions);
      return decisions;
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

  /** The connection broke before the answer, so the messages themselves are read. */
  private async settle(batch: AcceptanceRow[], cause: unknown): Promise<Decision[]> {
    this.logger.error({ err: cause, requests: batch.length }, 'acceptance lost the database');
    const ids = batch.map(({ id }) => id);
    const settled = await settle(
      this,
      batch.map(({ key }) => key.hash),
      () => this.findAccepted(ids),
    );
    return ids.map((id) => {
      const accepted = settled?.found.get(id);
      if (!accepted) return { kind: 'refused', account: null, code: settled ? 'lost' : 'unknown', cause };
      const { accountId, sender, repliesUnavailable, balance } = accepted;
      const account = { id: accountId, keyRatePerSecond: null };
      return { kind: 'accepted', account, sender, repliesUnavailable, balance };
    });
  }
}

/**
 * Credits were added while a batch waited for their account's lock: Postgres checks the updated
 * row's constraints against the statement's snapshot before it reads the row as it is now. A new
 * snapshot sees the credits.
 */
export function isOutdated(error: unknown): boolean {
  return sqlState(error) === CHECK_VIOLATION;
}
