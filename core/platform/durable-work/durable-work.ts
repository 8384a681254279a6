/**
 * Durable work: rows in Postgres that a worker must finish, whatever crashes in between. The row is
 * the truth; a queue job is only a hint that names it. Messages (core/messages), webhook deliveries
 * and emails share the mechanics of this folder; their SQL statements stay with the feature.
 *
 * How to use it:
 * 1. Table: `status`, `attempts` (the number of the last claim) and `due_at` (when recovery looks
 *    at the row; null once it is finished). The transaction that stores a row sets `due_at` a
 *    little ahead.
 * 2. After the commit: `queue.enqueue({ id, accountId })`, a {@link WorkQueue} (work-queue.ts; the
 *    queues of the product are in platform/queue/queues.ts). It never fails: recovery finds rows
 *    whose job Redis did not accept.
 * 3. Processor: `const claimed = await claims.claim(id)` with a {@link BatchClaim} over the
 *    feature's claim statement, which sets `due_at` to the end of the lease. Undefined: nothing to
 *    do. Before an external call: `claimed.lease.covers(callMs)`.
 * 4. Failed attempt: `retryDelayMs(schedule, attempts)`; undefined when no attempt is left. The
 *    feature's release statement writes `due_at` and matches the claim's number, so that an
 *    outdated claim changes nothing.
 * 5. Scheduled in every worker: the feature's statement takes a batch of due rows
 *    ({@link isDueAndFree}), and {@link eachDueRow} works on them.
 * 6. Scheduled in every worker: `purge(postgres, rule, values)` (retention.ts) deletes expired
 *    rows.
 */
import { GroupCommit } from '../database/group-commit.js';
import { retryUndone } from '../errors/database-error.js';
import type { Logger } from '../telemetry/logger.js';

const CLAIM_BATCH_MAX = 200;
const CLAIM_BATCHES_IN_FLIGHT_MAX = 2;
const CLAIMS_WAITING_MAX = 10_000;

/** Time during which a claimed row belongs to this process. */
export class Lease {
  private readonly endsAtMs: number;

  /** `askedAtMs` is read from this process's clock before the claim, so clocks need not agree. */
  constructor(askedAtMs: number, leaseMs: number) {
    this.endsAtMs = askedAtMs + leaseMs;
  }

  /** Returns whether work that takes up to `workMs` ends within the lease if it starts now. */
  covers(workMs: number, nowMs = performance.now()): boolean {
    return nowMs + workMs <= this.endsAtMs;
  }
}

export interface Claimed<Row> {
  readonly row: Row;
  readonly lease: Lease;
}

interface Wanted<Hint> {
  readonly id: string;
  readonly hint: Hint;
}

interface BatchClaimOptions<Row, Hint> {
  readonly leaseMs: number;
  /** Maximum of claims that wait for the database; further claims are rejected. */
  readonly waitingMax?: number;
  /**
   * Runs the claim statement with the ids and their hints; returns the waiting rows that it found.
   */
  readonly claim: (ids: string[], hints: Hint[]) => Promise<readonly Row[]>;
}

/**
 * Claims rows by id, many in one round trip. Each row has one winner, also within this process. A
 * `Hint` is the caller's information about a row for the statement.
 */
export class BatchClaim<Row extends { readonly id: string }, Hint = void> {
  private readonly group: GroupCommit<Wanted<Hint>, Row | undefined>;

  constructor(private readonly options: BatchClaimOptions<Row, Hint>) {
    this.group = new GroupCommit({
      batchMax: CLAIM_BATCH_MAX,
      inFlightMax: CLAIM_BATCHES_IN_FLIGHT_MAX,
      waitingMax: options.waitingMax ?? CLAIMS_WAITING_MAX,
      run: (wanted) => this.claimAll(wanted),
      onFull: () => new Error('Too many claims wait for the database'),
    });
  }

  /** Returns undefined when the row is not waiting: another claim has it, or it is finished. */
  async claim(id: string, hint: Hint): Promise<Claimed<Row> | undefined> {
    const askedAtMs = performance.now();
    const row = await this.group.submit({ id, hint });
    return row && { row, lease: new Lease(askedAtMs, this.options.leaseMs) };
  }

  private async claimAll(wanted: readonly Wanted<Hint>[]): Promise<(Row | undefined)[]> {
    const ids = wanted.map(({ id }) => id);
    const hints = wanted.map(({ hint }) => hint);
    const rows = await retryUndone(() => this.options.claim(ids, hints));
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => {
      const row = byId.get(id);
      byId.delete(id);
      return row;
    });
  }
}

export interface RetrySchedule {
  /**
   * Milliseconds between attempt 1, 2, 3 … and the next attempt, before jitter; undefined when no
   * attempt is left.
   */
  readonly waitMs: (attempt: number) => number | undefined;
  /**
   * Bounds of the random factor of each wait, so that rows that failed together do not return
   * together.
   */
  readonly jitter: readonly [min: number, max: number];
}

/** Waits that grow by `factor` up to `maxMs`; without `attemptsMax` they never end. */
export function exponentialWaits({
  firstMs,
  factor,
  maxMs,
  attemptsMax = Infinity,
}: {
  firstMs: number;
  factor: number;
  maxMs: number;
  attemptsMax?: number;
}): RetrySchedule['waitMs'] {
  return (attempt) => (attempt >= attemptsMax ? undefined : Math.min(maxMs, firstMs * factor ** (attempt - 1)));
}

/** Waits of a fixed list; after the last wait no attempt is left. */
export function listedWaits(waitsMs: readonly number[]): RetrySchedule['waitMs'] {
  return (attempt) => waitsMs[attempt - 1];
}

/**
 * Returns how many milliseconds to wait after a failed attempt (1 is the first), or undefined when
 * no attempt is left. `atLeastMs` is the minimum that the receiver requested; `chance` is a random
 * number from 0 to 1.
 */
export function retryDelayMs(
  { waitMs, jitter: [min, max] }: RetrySchedule,
  attempt: number,
  { atLeastMs = 0, chance = Math.random() }: { atLeastMs?: number; chance?: number } = {},
): number | undefined {
  const wait = waitMs(attempt);
  return wait === undefined ? undefined : Math.max(atLeastMs, Math.round(wait * (min + chance * (max - min))));
}

/**
 * SQL condition of an update of due rows, which also moves the time at which they are due, in case
 * its worker dies: holds for at most `max` rows, the longest due first, that no other worker is
 * taking.
 */
export const isDueAndFree = (table: string, max: number, { key = 'id', due = 'due_at', and = '' } = {}): string =>
  `(${key}) IN (
  SELECT ${key} FROM ${table} WHERE ${due} <= now() ${and}
  ORDER BY ${due} LIMIT ${max} FOR NO KEY UPDATE SKIP LOCKED
)`;

interface DueWork {
  /** Kind of the rows, for the log: `messages`. */
  readonly name: string;
  readonly logger: Logger;
  readonly atOnceMax?: number;
}

/**
 * Works on rows that are due, and returns their number. A row whose work fails is logged and holds
 * up no others: it is due again later.
 */
export async function eachDueRow<Row extends { readonly id?: string; readonly accountId?: string }>(
  rows: readonly Row[],
  { name, logger, atOnceMax = Infinity }: DueWork,
  work: (row: Row) => Promise<unknown>,
): Promise<number> {
  const rest = rows.values();
  const workers = Array.from({ length: Math.min(atOnceMax, rows.length) }, async () => {
    for (const row of rest)
      try {
        await work(row);
      } catch (err) {
        logger.warn({ err, id: row.id, accountId: row.accountId }, `not recovered yet: ${name}`);
      }
  });
  await Promise.all(workers);
  if (rows.length > 0) logger.debug({ rows: rows.length, name }, 'due rows taken');
  return rows.length;
}
