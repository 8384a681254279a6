import { GroupCommit } from '../database/group-commit.js';
import type { RequestContext } from '../telemetry/request-context.js';
import type { Backlog } from './backlog.js';

const BATCH_JOBS_MAX = 500;
const BATCHES_IN_FLIGHT_MAX = 1;
const WAITING_JOBS_MAX = 20_000;
const ADD_TIMEOUT_MS = 5_000;
const FLUSH_TIMEOUT_MS = 5_000;
/** BullMQ's largest priority: 2^21. */
const PRIORITY_MAX = 2_097_152;

/** Something that waits for its job: its id becomes the job's. */
export interface Waiting {
  readonly id: string;
  readonly accountId: string;
  readonly origin?: RequestContext | undefined;
}

interface LineJob<Job> {
  readonly name: string;
  readonly data: Job;
  readonly opts: { readonly jobId: string; readonly priority?: number };
}

interface FairQueueOptions<Item extends Waiting, Job> {
  readonly name: string;
  readonly addBulk: (jobs: LineJob<Job>[]) => Promise<unknown>;
  readonly backlog: Backlog;
  /** Under which name the account's waiting jobs are counted. */
  readonly backlogOf: (accountId: string) => string;
  readonly dataOf: (item: Item) => Job;
  /** Served before all others, whoever they belong to. */
  readonly isUrgent?: (item: Item) => boolean;
  /** What may be in line already is not counted a second time. */
  readonly isAgain?: (item: Item) => boolean;
}

/**
 * Puts jobs in line so that the tenth of one account stands behind the first of another. What arrives while the queue is busy
 * goes in together. No retries of BullMQ's own: a failed job is gone, and recovery finds its row.
 */
export class FairQueue<Item extends Waiting, Job> {
  private readonly group = new GroupCommit<Item, void>({
    batchMax: BATCH_JOBS_MAX,
    inFlightMax: BATCHES_IN_FLIGHT_MAX,
    waitingMax: WAITING_JOBS_MAX,
    run: (batch) => this.addBatch(batch),
    onFull: () => new Error('Too many jobs wait for the queue'),
  });

  constructor(private readonly options: FairQueueOptions<Item, Job>) {}

  /** Resolves when the item is in line; throws when the queue does not take it. */
  add(item: Item): Promise<void> {
    return this.group.submit(item);
  }

  /** Resolves when all that was added is in line, or after a few seconds. */
  async flush(): Promise<void> {
    await this.group.idle(FLUSH_TIMEOUT_MS);
  }

  private async addBatch(batch: Item[]): Promise<void[]> {
    const { addBulk, backlog, backlogOf, isAgain } = this.options;
    const counts = new Map<string, number>();
    for (const item of batch) {
      const name = backlogOf(item.accountId);
      counts.set(name, (counts.get(name) ?? 0) + (isAgain?.(item) ? 0 : 1));
    }
    const waiting = await backlog.enter(counts);
    const jobs = batch.map((item) => {
      const name = backlogOf(item.accountId);
      const ahead = waiting.get(name) ?? 0;
      waiting.set(name, ahead + 1);
      return this.jobOf(item, ahead);
    });
    await within(ADD_TIMEOUT_MS, addBulk(jobs));
    return batch.map(() => undefined);
  }

  /** BullMQ serves jobs without a priority before all others. */
  private jobOf(item: Item, ahead: number): LineJob<Job> {
    const { name, dataOf, isUrgent } = this.options;
    const priority = isUrgent?.(item) ? {} : { priority: Math.min(ahead + 1, PRIORITY_MAX) };
    return { name, data: dataOf(item), opts: { jobId: item.id, ...priority } };
  }
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
