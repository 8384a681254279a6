import { createHash } from 'node:crypto';
import type { BeforeApplicationShutdown } from '@nestjs/common';
import { GroupCommit } from '../database/group-commit.js';
import type { Backlog } from './backlog.js';
import type { Logger } from '../telemetry/logger.js';
import { contextFields, type RequestContext } from '../telemetry/request-context.js';

const BATCH_JOBS_MAX = 500;
const BATCHES_IN_FLIGHT_MAX = 1;
const WAITING_JOBS_MAX = 20_000;
const ADD_TIMEOUT_MS = 5_000;
const FLUSH_TIMEOUT_MS = 5_000;
/** BullMQ's largest priority: 2^21. */
const PRIORITY_MAX = 2_097_152;

/** A row that waits for a job. Naming it twice is harmless: the row decides. */
export interface WorkItem {
  readonly id: string;
  readonly accountId?: string;
  /** The row may have a job already, so it is not counted in the backlog a second time. */
  readonly requeued?: boolean;
  /** Wait before the job starts. */
  readonly delayMs?: number;
  readonly context?: RequestContext | undefined;
}

interface JobToAdd<Job> {
  readonly name: string;
  readonly data: Job;
  readonly opts: { readonly jobId?: string; readonly priority?: number; readonly delay?: number };
}

/** The methods of a BullMQ queue that are used here. */
interface JobStore<Job> {
  readonly name: string;
  addBulk(jobs: JobToAdd<Job>[]): Promise<unknown>;
  getJobCountByTypes(...types: ('waiting' | 'prioritized' | 'delayed')[]): Promise<number>;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

interface WorkQueueOptions<Item extends WorkItem, Job> {
  readonly store: JobStore<Job>;
  readonly logger: Logger;
  /** Rows that one job may carry; 1 by default, and the row's id is then the job's id. */
  readonly itemsPerJob?: number;
  readonly jobOf: (items: readonly [Item, ...Item[]]) => Job;
  /**
   * Orders jobs so that an account's tenth item follows another account's first. Without it jobs
   * run in order.
   */
  readonly fairness?: {
    readonly backlog: Backlog;
    /** Name under which the account's waiting jobs are counted. */
    readonly counterOf: (accountId: string) => string;
  };
  /** Urgent items run before all others. */
  readonly isUrgent?: (item: Item) => boolean;
}

/**
 * Adds jobs to a queue; items that arrive while a call is under way share the next call. Never
 * fails: recovery finds the rows that the queue did not take. Jobs have no retries of their own:
 * the row decides.
 */
export class WorkQueue<Item extends WorkItem, Job> implements BeforeApplicationShutdown {
  private readonly group: GroupCommit<Item, void>;

  constructor(private readonly work: WorkQueueOptions<Item, Job>) {
    const { store, logger } = work;
    store.on('error', (err) => logger.warn({ queue: store.name, reason: err.message }, 'queue unavailable'));
    this.group = new GroupCommit<Item, void>({
      batchMax: BATCH_JOBS_MAX,
      inFlightMax: BATCHES_IN_FLIGHT_MAX,
      waitingMax: WAITING_JOBS_MAX,
      run: (batch) => this.addBatch(batch),
      onFull: () => new Error('Too many jobs wait for the queue'),
      isAcrossGroups: true,
    });
  }

  /** Adds a job after this call. */
  enqueue(item: Item): void {
    void this.enqueued(item);
  }

  /** Resolves when the job has been added, or is left to recovery. */
  async enqueued(item: Item): Promise<void> {
    try {
      await this.add(item);
    } catch (err) {
      const { store, logger } = this.work;
      logger.warn({ ...contextFields(item.context), err, queue: store.name, id: item.id }, 'job left to recovery');
    }
  }

  /** Removes a started job from the account's count of waiting jobs. */
  started(accountId: string): void {
    const { fairness, store, logger } = this.work;
    fairness?.backlog
      .leave(fairness.counterOf(accountId))
      .catch((err: unknown) => logger.debug({ err, queue: store.name }, 'backlog not counted'));
  }

  /** Returns the number of waiting and delayed jobs. */
  async size(): Promise<number> {
    return this.work.store.getJobCountByTypes('waiting', 'prioritized', 'delayed');
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.group.idle(FLUSH_TIMEOUT_MS);
  }

  protected add(item: Item): Promise<void> {
    return this.group.submit(item);
  }

  private async addBatch(batch: Item[]): Promise<void[]> {
    const { store } = this.work;
    const positions = await this.positionsOf(batch);
    await within(ADD_TIMEOUT_MS, store.addBulk(this.jobsOf(batch, positions)));
    return batch.map(() => undefined);
  }

  /**
   * Items of the same urgency, fairness band and delay share jobs; items that may have a job
   * already get their own jobs.
   */
  private jobsOf(batch: readonly Item[], positions: readonly (number | undefined)[]): JobToAdd<Job>[] {
    const { store, jobOf, isUrgent, itemsPerJob = 1 } = this.work;
    const filling = new Map<string, [Item, ...Item[]]>();
    const jobs: { readonly items: readonly [Item, ...Item[]]; readonly priority: number }[] = [];
    batch.forEach((item, index) => {
      const position = positions[index];
      const priority = isUrgent?.(item) || position === undefined ? 0 : bandOf(position);
      const kind = `${priority}:${item.delayMs ?? 0}:${item.requeued === true}`;
      const items = filling.get(kind);
      if (items && items.length < itemsPerJob) return void items.push(item);
      const opened: [Item, ...Item[]] = [item];
      filling.set(kind, opened);
      jobs.push({ items: opened, priority });
    });
    return jobs.map(({ items, priority }) => {
      const [{ id, delayMs, requeued }] = items;
      const jobId = itemsPerJob === 1 ? id : requeued ? idOf(items) : undefined;
      const opts = {
        ...(jobId !== undefined && { jobId }),
        // BullMQ runs jobs without a priority before all others.
        ...(priority > 0 && { priority }),
        ...(delayMs && { delay: delayMs }),
      };
      return { name: store.name, data: jobOf(items), opts };
    });
  }

  /**
   * Returns each item's position among the waiting jobs of its account, from 1; undefined without
   * fairness.
   */
  private async positionsOf(batch: readonly Item[]): Promise<(number | undefined)[]> {
    const { fairness } = this.work;
    if (!fairness) return batch.map(() => undefined);
    const counters = batch.map(({ accountId }) =>
      accountId === undefined ? undefined : fairness.counterOf(accountId),
    );
    const added = new Map<string, number>();
    batch.forEach(({ requeued }, index) => {
      const counter = counters[index];
      if (counter !== undefined) added.set(counter, (added.get(counter) ?? 0) + (requeued ? 0 : 1));
    });
    const waiting = await fairness.backlog.enter(added);
    return counters.map((counter) => {
      if (counter === undefined) return undefined;
      const position = (waiting.get(counter) ?? 0) + 1;
      waiting.set(counter, position);
      return position;
    });
  }
}

/**
 * The queue ignores a job whose id is waiting already, so recovery adds at most one more job for
 * the same rows.
 */
function idOf(items: readonly WorkItem[]): string {
  return createHash('sha256')
    .update(items.map(({ id }) => id).join())
    .digest('hex');
}

/** Bands are powers of two: an account's messages 1, 2–3, 4–7 … from the front of its backlog. */
function bandOf(position: number): number {
  return Math.min(2 ** Math.floor(Math.log2(position)), PRIORITY_MAX);
}

async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`The queue did not answer within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
