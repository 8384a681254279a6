import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Credits } from '../../credits/credits.js';
import { Config } from '../../platform/config/config.js';
import { isConnectionLoss, isRetryable, isWithoutEffect, sqlState } from '../../platform/database/database-error.js';
import { GroupCommit, requestLimits } from '../../platform/database/group-commit.js';
import { Postgres } from '../../platform/database/postgres.js';
import { Shards } from '../../platform/database/shards.js';
import { AccountEvents } from '../../platform/events/account-events.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import type { RequestContext } from '../../platform/telemetry/request-context.js';
import { Tracer } from '../../platform/telemetry/tracer.js';
import {
  acceptanceStatements,
  acceptedStatement,
  type AcceptedRow,
  lockCallersStatement,
  type AcceptanceResult,
} from './acceptance.sql.js';
import type { Decision, AcceptanceRow, Undecided } from './decision.js';
import { uuidV7Floor } from '../../rules/ids.js';
import { RecordAccepted } from './record-accepted.js';

interface AcceptanceSettings {
  readonly conversationHours: number;
  /** Whether free credits send to verified numbers only. */
  readonly ownNumbersOnly: boolean;
}

/** The parameters of a variant of the statement for a batch. */
export function acceptanceValues(
  batch: readonly AcceptanceRow[],
  variant: keyof typeof acceptanceStatements,
  { conversationHours, ownNumbersOnly }: AcceptanceSettings,
): unknown[] {
  const hasOptions = variant !== 'plain';
  return [
    batch.map(({ id }) => id),
    batch.map(({ keyHash }) => keyHash),
    batch.map(({ address }) => address),
    batch.map(({ test }) => test),
    batch.map(({ kind }) => kind),
    batch.map(({ recipient }) => recipient),
    batch.map(({ country }) => country),
    batch.map(({ sender }) => sender),
    batch.map(({ body }) => body),
    batch.map(({ segments }) => segments),
    batch.map(({ price }) => price),
    batch.map(({ hasUrl }) => hasUrl),
    batch.map(({ reference }) => reference),
    batch.map(({ idempotencyKey }) => idempotencyKey),
    batch.map(({ bodyHash }) => bodyHash),
    conversationHours,
    ownNumbersOnly,
    ...(hasOptions ? optionValues(batch, new Date()) : []),
  ];
}

/** Whether a message of the batch is not to be a duplicate. */
function isDeduplicated(batch: readonly AcceptanceRow[]): boolean {
  return batch.some(({ dedupeSeconds }) => dedupeSeconds !== undefined);
}

/**
 * Clocks of servers differ by less: the ids of messages that are not too old are above this time
 * before.
 */
const CLOCK_SKEW_SECONDS = 3_600;

function optionValues(batch: readonly AcceptanceRow[], now: Date): unknown[] {
  const from = (seconds: number) => uuidV7Floor(new Date(now.getTime() - (seconds + CLOCK_SKEW_SECONDS) * 1_000));
  return [
    batch.map(({ timing }) => timing?.sendAt ?? null),
    batch.map(({ timing }) => timing?.validitySeconds ?? null),
    batch.map(({ dedupeSeconds = null }) => dedupeSeconds),
    batch.map(({ dedupeSeconds }) => (dedupeSeconds === undefined ? null : from(dedupeSeconds))),
  ];
}

/** The variant of the statement for a batch of several accounts. */
export function acceptanceVariant(batch: readonly AcceptanceRow[]): 'plain' | 'options' {
  const hasOptions = ({ named, timing, dedupeSeconds }: AcceptanceRow) =>
    named || timing !== undefined || dedupeSeconds !== undefined;
  return batch.some(hasOptions) ? 'options' : 'plain';
}

const BATCH_REQUESTS_MAX = 200;
const BATCHES_IN_FLIGHT_MAX = 3;
const ATTEMPTS_MAX = 5;
const SETTLE_ATTEMPTS_MAX = 6;
const SETTLE_PAUSE_MS = 500;
const CHECK_VIOLATION = '23514';

/**
 * Decides, charges and stores requests in shared round trips; each decision is the one that the
 * request would get alone. Throws `unavailable` when too many requests wait for the database.
 */
@Injectable()
export class Acceptance {
  private readonly shared: GroupCommit<AcceptanceRow, Decision | Undecided>;
  /** Messages to be deduplicated have batches of their own, because these take longer. */
  private readonly deduplicating: GroupCommit<AcceptanceRow, Decision | Undecided>;
  /** Messages with callbacks too, so that the others need no transaction. */
  private readonly calledBack: GroupCommit<AcceptanceRow, Decision | Undecided>;
  private readonly alone: GroupCommit<AcceptanceRow, Decision | Undecided>;
  /**
   * Messages of accounts whose bulks are being accepted wait for these here, where they hold up no
   * other account.
   */
  private readonly behindBulks: GroupCommit<AcceptanceRow, Decision | Undecided>;

  constructor(
    private readonly postgres: Postgres,
    private readonly shards: Shards,
    private readonly credits: Credits,
    private readonly accountEvents: AccountEvents,
    private readonly recordAccepted: RecordAccepted,
    private readonly metrics: Metrics,
    private readonly tracer: Tracer,
    private readonly logger: Logger,
    private readonly config: Config,
  ) {
    this.shared = this.group(config, BATCH_REQUESTS_MAX);
    this.deduplicating = this.group(config, BATCH_REQUESTS_MAX);
    this.calledBack = this.group(config, BATCH_REQUESTS_MAX);
    this.alone = this.group(config, 1);
    this.behindBulks = this.group(config, BATCH_REQUESTS_MAX, 'waiting', 1);
  }

  async decide(row: AcceptanceRow, context?: RequestContext): Promise<Decision> {
    const decision = await this.tracer.within('acceptance', { parent: context?.traceparent }, () =>
      this.shards.ofKey('key', row.keyHash.toString('hex'), () => this.decideUntilFinal(row)),
    );
    if (decision.kind === 'accepted') this.accountEvents.changed(decision.account.id, row.id);
    return decision;
  }

  private async decideUntilFinal(row: AcceptanceRow): Promise<Decision> {
    let decision = await this.groupOf(row).submit(row);
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      if (decision.kind === 'no_credit_account') await this.credits.ensure(decision.accountId);
      else if (decision.kind !== 'again' && decision.kind !== 'behind_bulk') return decision;
      decision = await (decision.kind === 'behind_bulk' ? this.behindBulks : this.alone).submit(row);
    }
    return decision.kind === 'again' || decision.kind === 'behind_bulk' || decision.kind === 'no_credit_account'
      ? { kind: 'refused', account: null, code: 'idempotency_in_progress' }
      : decision;
  }

  private groupOf(row: AcceptanceRow): GroupCommit<AcceptanceRow, Decision | Undecided> {
    if (row.callback) return this.calledBack;
    return isDeduplicated([row]) ? this.deduplicating : this.shared;
  }

  private group(
    config: Config,
    batchMax: number,
    sharing: 'shared' | 'waiting' = 'shared',
    inFlightMax = BATCHES_IN_FLIGHT_MAX,
  ): GroupCommit<AcceptanceRow, Decision | Undecided> {
    return new GroupCommit({
      ...requestLimits(config),
      batchMax,
      inFlightMax,
      run: (batch) => this.decideBatch(batch, sharing),
      onBatch: (requests, waitedMs) => {
        this.metrics.acceptanceBatch.observe(requests);
        this.metrics.acceptanceWait.observe(waitedMs / 1_000);
      },
    });
  }

  private async decideBatch(
    batch: AcceptanceRow[],
    sharing: 'shared' | 'waiting',
    attempt = 1,
  ): Promise<(Decision | Undecided)[]> {
    try {
      return await this.runStatement(batch, sharing);
    } catch (cause) {
      if ((isRetryable(cause) || isOutdated(cause)) && attempt < ATTEMPTS_MAX)
        return this.decideBatch(batch, sharing, attempt + 1);
      if (isWithoutEffect(cause)) return batch.map(() => ({ kind: 'refused', account: null, code: 'lost', cause }));
      if (isConnectionLoss(cause)) return this.settle(batch, cause);
      // A request that Postgres cannot process must not change its neighbors' decisions.
      if (batch.length > 1) return this.decideEach(batch);
      throw cause;
    }
  }

  /** One round trip, unless a message of the batch brings more than itself. */
  private async runStatement(batch: AcceptanceRow[], sharing: 'shared' | 'waiting'): Promise<(Decision | Undecided)[]> {
    const variant = sharing === 'waiting' ? 'bulk' : acceptanceVariant(batch);
    const statement = acceptanceStatements[variant];
    const values = this.valuesOf(batch, variant);
    if (!(await this.recordAccepted.isNeeded(batch)))
      return (await this.postgres.query<AcceptanceResult>(statement, values)).map(decisionOf);
    return this.postgres.transaction(async (tx) => {
      const decisions = (await tx.query<AcceptanceResult[]>(statement.text, values)).map(decisionOf);
      await this.recordAccepted.record(tx, batch, decisions);
      return decisions;
    });
  }

  /** The parameters of a variant of the statement. */
  valuesOf(batch: readonly AcceptanceRow[], variant: keyof typeof acceptanceStatements): unknown[] {
    const { twilio, signIn } = this.config;
    return acceptanceValues(batch, variant, {
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

  /**
   * The connection broke before the answer: the commit may have happened, so the messages
   * themselves are read.
   */
  private async settle(batch: AcceptanceRow[], cause: unknown): Promise<Decision[]> {
    this.logger.error({ err: cause, requests: batch.length }, 'acceptance lost the database');
    const accepted = await this.readAccepted(batch);
    return batch.map(({ id }) => {
      const found = accepted?.get(id);
      if (found) {
        const { accountId, repliesUnavailable, balance } = found;
        return { kind: 'accepted', account: { id: accountId, keyRatePerSecond: null }, repliesUnavailable, balance };
      }
      return { kind: 'refused', account: null, code: accepted ? 'lost' : 'unknown', cause };
    });
  }

  /**
   * Returns which of these messages exist, by id, once no acceptance of them can be running;
   * undefined when the database does not return within seconds. Postgres does not notice a lost
   * client while its statement waits for a lock, and may commit seconds later; taking the same
   * locks waits for it, which a lagging standby cannot do.
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

/** What the acceptance statement's row means. */
export function decisionOf(row: AcceptanceResult): Decision | Undecided {
  const { keyRatePerSecond, repliesUnavailable, balance } = row;
  switch (row.verdict) {
    case 'accepted':
      return { kind: 'accepted', account: { id: row.accountId, keyRatePerSecond }, repliesUnavailable, balance };
    case 'approved':
      return { kind: 'approved', account: { id: row.accountId, keyRatePerSecond }, balance };
    case 'sender_changed':
      return { kind: row.verdict, account: { id: row.accountId, keyRatePerSecond } };
    case 'replayed':
      return { kind: 'replayed', account: { id: row.accountId, keyRatePerSecond }, messageId: row.earlierId };
    case 'deduplicated':
      return {
        kind: 'deduplicated',
        account: { id: row.accountId, keyRatePerSecond },
        messageId: row.earlierId,
        balance,
      };
    case 'again':
      return { kind: 'again' };
    case 'behind_bulk':
      return { kind: 'behind_bulk' };
    case 'no_credit_account':
      return { kind: 'no_credit_account', accountId: row.accountId };
    case 'address_blocked':
    case 'unknown_api_key':
    case 'account_blocked':
    case 'key_expired':
    case 'key_address':
    case 'key_scope':
    case 'key_country':
    case 'country_disabled':
    case 'key_day_budget':
    case 'key_month_budget':
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
 * Credits were added while a batch waited for their account's lock: Postgres checks the updated
 * row's constraints against the statement's snapshot before it reads the row as it is now. A new
 * snapshot sees the credits.
 */
export function isOutdated(error: unknown): boolean {
  return sqlState(error) === CHECK_VIOLATION;
}
