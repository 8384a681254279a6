import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../config/config.js';
import { DomainError } from '../errors/domain-error.js';
import { isConnectionLoss } from '../errors/database-error.js';
import { PerGroup } from './per-group.js';
import { currentGroup, inGroup } from './shards.js';

const IDLE_CHECK_MS = 10;
/**
 * A batch holds back the next for this time: longer than a usual round trip, and short for items
 * behind an unusual wait, such as for a lock.
 */
const HOLD_BACK_MS = 50;
/** After a batch of more items, the next batch gathers for some time. */
const BUSY_ITEMS = 8;
const BUSY_GATHER_MS = 2;
const WAITING_MAX = 10_000;
const RUN_MS_MAX = 15_000;
const NOT_BEGUN = 'The service is busy. You were not charged; try again in a second.';
const UNKNOWN =
  'The service did not answer in time. Your request may have been carried out: check before you send ' +
  'it again, or repeat it with the same Idempotency-Key.';

interface Waiting<In, Out> {
  readonly item: In;
  readonly resolve: (result: Out) => void;
  readonly reject: (error: unknown) => void;
  /** Time of `performance.now()`. */
  readonly sinceMs: number;
}

/** Result of a failed item of a batch. */
export class FailedItem {
  constructor(readonly error: unknown) {}
}

interface GroupCommitOptions<In, Out> {
  /** Maximum number of items in a batch. */
  readonly batchMax: number;
  /** Maximum number of batches that run at the same time. */
  readonly inFlightMax: number;
  /** Maximum number of waiting items; `onFull` rejects further items. */
  readonly waitingMax: number;
  /**
   * Runs a batch. Returns one result per item, in order; a {@link FailedItem} rejects only its
   * item.
   */
  readonly run: (batch: In[]) => Promise<(Out | FailedItem)[]>;
  readonly onFull: () => Error;
  /** True if items of all parts of the database share batches: for stores other than Postgres. */
  readonly isAcrossGroups?: boolean;
  /**
   * Time for which a batch waits for further items before it starts, for callers without hurry.
   * Default: 0.
   */
  readonly gatherMs?: number;
  /**
   * Called when a batch starts, with its number of items and the waiting time of the first item.
   */
  readonly onBatch?: (items: number, waitedMs: number) => void;
  /** Maximum waiting time of an item, after which `onFull` rejects it. Default: no limit. */
  readonly waitMsMax?: number;
  /**
   * Error for items whose batch takes longer than `runMsMax`; the batch continues, and its outcome
   * is unknown.
   */
  readonly late?: { readonly runMsMax: number; readonly error: () => Error };
}

/**
 * Shares round trips. By default, each part of the database has its own batches, which run on it.
 * See {@link Batches}.
 */
export class GroupCommit<In, Out> {
  private readonly batches = new PerGroup<Batches<In, Out> | undefined>(() => undefined);

  constructor(private readonly options: GroupCommitOptions<In, Out>) {}

  /** Items that are not in a batch yet. */
  get waitingCount(): number {
    return this.all().reduce((sum, { waitingCount }) => sum + waitingCount, 0);
  }

  submit(item: In): Promise<Out> {
    const batches = this.options.isAcrossGroups ? inGroup(undefined, () => this.current()) : this.current();
    return batches.submit(item);
  }

  /** Resolves when no item waits and no batch runs, at the latest after the time limit. */
  async idle(timeoutMs: number): Promise<void> {
    await Promise.all(this.all().map((batches) => batches.idle(timeoutMs)));
  }

  private current(): Batches<In, Out> {
    const known = this.batches.get();
    if (known) return known;
    const group = currentGroup();
    const { run } = this.options;
    const batches = new Batches({ ...this.options, run: (batch: In[]) => inGroup(group, () => run(batch)) });
    this.batches.set(batches);
    return batches;
  }

  private all(): Batches<In, Out>[] {
    return this.batches.all().filter((batches) => batches !== undefined);
  }
}

/**
 * Items that arrive while a batch runs go into the next batch. A single item is delayed only after
 * a batch of many, by two milliseconds; under load batches grow with the duration of the round
 * trip. A round trip costs about as much as twenty of its items, so the next batch runs beside a
 * running batch only when it is full, or when the running batch takes long.
 */
class Batches<In, Out> {
  private waiting: Waiting<In, Out>[] = [];
  private inFlight = 0;
  /** Number of running batches that hold back the next batch. */
  private holding = 0;
  private scheduled = false;
  /** Items of the batch that started last. */
  private latestItems = 0;
  private expiry: NodeJS.Timeout | undefined;

  constructor(private readonly options: GroupCommitOptions<In, Out>) {}

  /** Items that are not in a batch yet. */
  get waitingCount(): number {
    return this.waiting.length;
  }

  submit(item: In): Promise<Out> {
    if (this.waiting.length >= this.options.waitingMax) return Promise.reject(this.options.onFull());
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject, sinceMs: performance.now() });
      this.schedule();
      this.watchOldest();
    });
  }

  /** Resolves when no item waits and no batch runs, at the latest after the time limit. */
  async idle(timeoutMs: number): Promise<void> {
    const until = performance.now() + timeoutMs;
    while (this.inFlight + this.waiting.length > 0 && performance.now() < until) await pause(IDLE_CHECK_MS);
  }

  /** Items of one turn of the event loop share a batch. */
  private schedule(): void {
    const { batchMax, inFlightMax, gatherMs = 0, isAcrossGroups = false } = this.options;
    if (this.scheduled || this.inFlight >= inFlightMax || this.waiting.length === 0) return;
    if (this.holding > 0 && this.waiting.length < batchMax) return;
    this.scheduled = true;
    const start = () => {
      this.scheduled = false;
      void this.dispatch();
    };
    const waitMs = !isAcrossGroups && this.latestItems > BUSY_ITEMS ? Math.max(gatherMs, BUSY_GATHER_MS) : gatherMs;
    if (waitMs > 0 && this.waiting.length < batchMax) setTimeout(start, waitMs);
    else setImmediate(start);
  }

  /** Sets one timer, for the item with the longest waiting time. */
  private watchOldest(): void {
    const { waitMsMax } = this.options;
    const [oldest] = this.waiting;
    if (waitMsMax === undefined || this.expiry || !oldest) return;
    this.expiry = setTimeout(
      () => {
        this.expiry = undefined;
        this.refuseBefore(performance.now() - waitMsMax);
        this.watchOldest();
      },
      Math.max(1, oldest.sinceMs + waitMsMax - performance.now()),
    ).unref();
  }

  private refuseBefore(ms: number): void {
    const kept = this.waiting.findIndex(({ sinceMs }) => sinceMs > ms);
    const refused = this.waiting.splice(0, kept < 0 ? this.waiting.length : kept);
    for (const { reject } of refused) reject(this.options.onFull());
  }

  private async dispatch(): Promise<void> {
    const batch = this.waiting.splice(0, this.options.batchMax);
    this.latestItems = batch.length;
    this.inFlight += 1;
    const release = this.holdBack();
    this.schedule();
    if (batch[0]) this.options.onBatch?.(batch.length, performance.now() - batch[0].sinceMs);
    const timer = this.whenLate(batch);
    try {
      const results = await this.options.run(batch.map(({ item }) => item));
      if (results.length !== batch.length) throw new Error('A batch answers exactly one result per item');
      batch.forEach(({ resolve, reject }, index) => {
        const result = results[index] as Out | FailedItem;
        if (result instanceof FailedItem) reject(result.error);
        else resolve(result);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      clearTimeout(timer);
      release();
      this.inFlight -= 1;
      this.schedule();
    }
  }

  /** Holds back the next batch for a time. Returns the function that ends the delay. */
  private holdBack(): () => void {
    let isHolding = true;
    this.holding += 1;
    const release = () => {
      if (isHolding) this.holding -= 1;
      isHolding = false;
    };
    const timer = setTimeout(() => {
      release();
      this.schedule();
    }, HOLD_BACK_MS).unref();
    return () => {
      clearTimeout(timer);
      release();
    };
  }

  private whenLate(batch: readonly Waiting<In, Out>[]): NodeJS.Timeout | undefined {
    const { late } = this.options;
    if (!late) return undefined;
    return setTimeout(() => {
      for (const { reject } of batch) reject(late.error());
    }, late.runMsMax).unref();
  }
}

/**
 * Runs a batch. A batch that Postgres refuses as a whole is run again item by item, in turn, so
 * that a row that cannot be stored holds up no others. `run` must have changed nothing when it
 * throws. Throws when the database is unavailable.
 */
export async function orEach<In, Out>(
  batch: readonly In[],
  run: (items: In[]) => Promise<Out[]>,
): Promise<(Out | FailedItem)[]> {
  try {
    return await run([...batch]);
  } catch (error) {
    if (batch.length === 1 || isConnectionLoss(error)) throw error;
  }
  const results: (Out | FailedItem)[] = [];
  let lost: FailedItem | undefined;
  for (const item of batch) {
    if (lost === undefined) {
      const failed = (error: unknown) => {
        const one = new FailedItem(error);
        if (isConnectionLoss(error)) lost = one;
        return [one];
      };
      results.push(...(await run([item]).catch(failed)));
    } else results.push(lost);
  }
  return results;
}

/**
 * Returns limits for a GroupCommit that serves HTTP requests: on waiting items, waiting time and
 * the run time of a batch. Beyond each of them the request fails with `unavailable`.
 */
export function requestLimits({ database }: Config) {
  return {
    waitingMax: WAITING_MAX,
    waitMsMax: database.waitMs,
    onFull: () => unavailable(NOT_BEGUN),
    late: { runMsMax: Math.max(RUN_MS_MAX, 2 * database.waitMs), error: () => unavailable(UNKNOWN) },
  };
}

function unavailable(detail: string): DomainError {
  return new DomainError('unavailable', detail, { retryAfterSeconds: 1 });
}
