import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Credits } from '../../credits/credits.js';
import { isDatabaseUnavailable, isRetryable, isWithoutEffect } from '../../platform/errors/database-error.js';
import { remember } from '../../platform/database/keyed-requests.js';
import { Postgres } from '../../platform/database/postgres.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { acceptanceStatements, type AcceptanceResult } from '../send/acceptance.sql.js';
import { type AcceptanceRow, decisionOf } from '../send/acceptance-batch.js';
import { isOutdated, RunAcceptance } from '../send/run-acceptance.js';
import { settle } from '../send/settle.js';
import { RecordAccepted } from '../send/record-accepted.js';
import type { Decision, RefusalCode, Undecided } from '../send/decision.js';
import { BatchesRepository, type KeptRejection } from './batches.repository.js';

const ATTEMPTS_MAX = 5;
/**
 * Maximum of runs for the rest of a bulk that the balance covers in part: cheaper messages may
 * still fit.
 */
const RUNS_MAX = 8;

/**
 * Refusals that concern one message of a bulk. All other refusals concern the account or the key,
 * and refuse the whole bulk.
 */
const itemRefusals: ReadonlySet<RefusalCode> = new Set<RefusalCode>([
  'key_country',
  'country_disabled',
  'key_day_budget',
  'key_month_budget',
  'number_not_verified',
  'url_not_activated',
  'recipient_opted_out',
  'insufficient_credits',
  'credits_frozen',
  'send_day_full',
]);

/**
 * Reason why a message of a bulk is refused; `duplicate`: an earlier message has its number and
 * text.
 */
export type ItemRefusal = RefusalCode | 'duplicate';

interface BulkToAccept {
  /** UUIDv7 of the batch. */
  readonly id: string;
  readonly accountId: string;
  readonly rows: readonly AcceptanceRow[];
  readonly idempotency: { readonly key: string; readonly bodyHash: Buffer } | undefined;
  /** Whether to accept the messages that can be accepted. */
  readonly partial: boolean;
  /** False for a test and for a quote: nothing is charged or stored, and no balance is checked. */
  readonly isSent: boolean;
  /** Returns the rejections to keep for a repeated answer. */
  readonly rejectedOf: (refusals: ReadonlyMap<string, ItemRefusal>) => readonly KeptRejection[];
}

/** Decision about a bulk, with refusals by message id. */
type BulkDecision =
  | {
      readonly kind: 'accepted';
      readonly refusals: ReadonlyMap<string, ItemRefusal>;
      /** Balance after the charge; 0 when nothing was sent. */
      readonly balance: number;
    }
  /** Nothing was accepted. */
  | { readonly kind: 'rejected'; readonly refusals: ReadonlyMap<string, ItemRefusal> }
  /** The account or the key is refused. */
  | { readonly kind: 'refused'; readonly code: RefusalCode; readonly cause?: unknown }
  /** Another request with the Idempotency-Key was faster, or the senders changed: ask again. */
  | { readonly kind: 'again'; readonly haveSendersChanged: boolean };

/** Rolls the transaction back. */
class Undo extends Error {
  constructor(readonly decision: BulkDecision | { readonly kind: 'no_credit_account' }) {
    super('The bulk is not accepted');
  }
}

/**
 * Accepts a bulk: the acceptance statement decides about all of its messages in one run, in a
 * transaction that also stores the batch, so that a crash leaves all or nothing.
 */
@Injectable()
export class AcceptBulk {
  constructor(
    readonly postgres: Postgres,
    private readonly credits: Credits,
    private readonly acceptance: RunAcceptance,
    private readonly recordAccepted: RecordAccepted,
    private readonly batches: BatchesRepository,
    readonly logger: Logger,
  ) {}

  async accept(bulk: BulkToAccept): Promise<BulkDecision> {
    // The decision is known before the commit, whose answer can be lost.
    const done: { decision?: BulkDecision } = {};
    for (let attempt = 1; ; attempt += 1) {
      try {
        if (bulk.isSent) await this.batches.begin(bulk);
        return await this.postgres.transaction(async (tx) => (done.decision = await this.acceptWithin(tx, bulk)));
      } catch (error) {
        if (error instanceof Undo) {
          if (bulk.isSent) await this.batches.abandon(bulk.id);
          if (error.decision.kind !== 'no_credit_account') return error.decision;
          await this.credits.ensure(bulk.accountId);
        } else if (attempt < ATTEMPTS_MAX && (isRetryable(error) || isOutdated(error))) continue;
        else if (isWithoutEffect(error)) return { kind: 'refused', code: 'lost', cause: error };
        else if (isDatabaseUnavailable(error)) return this.settle(bulk, done.decision, error);
        else throw error;
      }
    }
  }

  private async acceptWithin(tx: EntityManager, bulk: BulkToAccept): Promise<BulkDecision> {
    const { id, accountId, idempotency, partial, isSent, rejectedOf } = bulk;
    const refusals = new Map<string, ItemRefusal>();
    let rows = bulk.rows;
    for (let run = 1; run <= RUNS_MAX && rows.length > 0; run += 1) {
      const decisions = await this.decide(tx, rows);
      await this.recordAccepted.record(tx, rows, decisions);
      for (const [refused, code] of refusalsOf(rows, decisions, run)) refusals.set(refused, code);
      rows = rows.filter((_row, index) => decisions[index]?.kind === 'again');
    }
    for (const row of rows) refusals.set(row.id, 'insufficient_credits');
    const accepted = bulk.rows.filter((row) => !refusals.has(row.id));
    const isRefused = [...refusals.values()].some((code) => code !== 'duplicate');
    if (accepted.length === 0 || (!partial && isRefused)) throw new Undo({ kind: 'rejected', refusals });
    if (!isSent) return { kind: 'accepted', refusals, balance: 0 };
    if (idempotency) {
      const isFirst = await remember(tx, { accountId, ...idempotency }, id);
      if (!isFirst) throw new Undo({ kind: 'again', haveSendersChanged: false });
    }
    const credits = accepted.reduce((sum, { price }) => sum + (price ?? 0), 0);
    const batch = { id, accountId, messages: accepted.length, credits };
    const balance = await this.batches.store(tx, batch, idempotency ? rejectedOf(refusals) : null);
    return { kind: 'accepted', refusals, balance };
  }

  /** Without a name the statement is planned for the actual number of rows. */
  private async decide(tx: EntityManager, rows: readonly AcceptanceRow[]): Promise<(Decision | Undecided)[]> {
    const { text } = acceptanceStatements.bulk;
    return (await tx.query<AcceptanceResult[]>(text, this.acceptance.valuesOf(rows, 'bulk'))).map(decisionOf);
  }

  /** The connection broke, perhaps before the answer to the commit, so the batch itself is read. */
  private async settle(bulk: BulkToAccept, decision: BulkDecision | undefined, cause: unknown): Promise<BulkDecision> {
    this.logger.error({ err: cause, messages: bulk.rows.length }, 'acceptance of a bulk lost the database');
    const keyHashes = bulk.rows.slice(0, 1).map(({ key }) => key.hash);
    const settled = await settle(this, keyHashes, () => this.batches.find(bulk.accountId, bulk.id));
    if (!settled) return { kind: 'refused', code: 'unknown', cause };
    return settled.found && decision ? decision : { kind: 'refused', code: 'lost', cause };
  }
}

/**
 * Converts the refusal of a message when earlier messages of its bulk spent the credits or filled
 * the day.
 */
function spentByBulk(code: RefusalCode, { timing }: AcceptanceRow): RefusalCode {
  if (code === 'no_credits') return 'insufficient_credits';
  return code === 'daily_limit' && timing?.sendAt ? 'send_day_full' : code;
}

/** Throws {@link Undo} when the account or the key is refused, or a sender has changed. */
function refusalsOf(
  rows: readonly AcceptanceRow[],
  decisions: readonly (Decision | Undecided)[],
  run: number,
): Map<string, ItemRefusal> {
  const refusals = new Map<string, ItemRefusal>();
  rows.forEach((row, index) => {
    const { id } = row;
    const decision = decisions[index];
    if (!decision) throw new Error('The acceptance statement returns a row for each message');
    if (decision.kind === 'no_credit_account') throw new Undo({ kind: 'no_credit_account' });
    if (decision.kind === 'sender_changed') throw new Undo({ kind: 'again', haveSendersChanged: true });
    if (decision.kind === 'accepted') row.sender = decision.sender;
    if (decision.kind === 'deduplicated') refusals.set(id, 'duplicate');
    if (decision.kind !== 'refused') return;
    const code = run > 1 ? spentByBulk(decision.code, row) : decision.code;
    if (!itemRefusals.has(code)) throw new Undo(decision);
    refusals.set(id, code);
  });
  return refusals;
}
