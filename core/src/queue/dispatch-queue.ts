import { InjectQueue } from '@nestjs/bullmq';
import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { GroupCommit } from '../database/group-commit.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { Backlog } from './backlog.js';
import { queueNames, type DispatchJob } from './queues.js';

const BATCH_JOBS_MAX = 500;
const BATCHES_IN_FLIGHT_MAX = 1;
const WAITING_JOBS_MAX = 20_000;
const ADD_TIMEOUT_MS = 5_000;
const FLUSH_TIMEOUT_MS = 5_000;
/** BullMQ's largest priority: 2^21. */
const PRIORITY_MAX = 2_097_152;

export interface WaitingMessage {
  readonly id: string;
  readonly accountId: string;
  readonly kind: 'sms' | 'otp';
  /** Recovery asks again for what may be in line already: it is not counted a second time. */
  readonly again?: boolean;
}

/**
 * Puts accepted messages in line for the worker. Never fails: what the queue does not take is found by recovery, because
 * the row in Postgres is the message and the job only says that it waits.
 */
@Injectable()
export class DispatchQueue implements BeforeApplicationShutdown {
  private readonly group = new GroupCommit<WaitingMessage, void>({
    batchMax: BATCH_JOBS_MAX,
    inFlightMax: BATCHES_IN_FLIGHT_MAX,
    waitingMax: WAITING_JOBS_MAX,
    run: (batch) => this.addBatch(batch),
    onFull: () => new Error('Too many messages wait for the queue'),
  });

  constructor(
    @InjectQueue(queueNames.dispatch) private readonly queue: Queue<DispatchJob>,
    private readonly backlog: Backlog,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    queue.on('error', (err: Error) => logger.warn({ reason: err.message }, 'dispatch queue is away'));
  }

  /** Puts a message in line after this call; nobody waits for it. */
  put(message: WaitingMessage): void {
    void this.add(message);
  }

  /** Resolves when the message is in line, or left to recovery. */
  async add(message: WaitingMessage): Promise<void> {
    try {
      await this.group.submit(message);
    } catch (err) {
      this.logger.warn({ err, messageId: message.id }, 'message left to recovery');
    }
  }

  /** Jobs in line and delayed. */
  async size(): Promise<number> {
    return this.queue.getJobCountByTypes('waiting', 'prioritized', 'delayed');
  }

  /** Jobs by state, as BullMQ names them. */
  async status(): Promise<Record<string, number>> {
    return this.queue.getJobCounts();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.group.idle(FLUSH_TIMEOUT_MS);
  }

  private async addBatch(batch: WaitingMessage[]): Promise<void[]> {
    const counts = new Map<string, number>();
    for (const { accountId, again } of batch) counts.set(accountId, (counts.get(accountId) ?? 0) + (again ? 0 : 1));
    const waiting = await this.backlog.enter(counts);
    const jobs = batch.map((message) => {
      const ahead = waiting.get(message.accountId) ?? 0;
      waiting.set(message.accountId, ahead + 1);
      return jobOf(message, ahead);
    });
    await within(ADD_TIMEOUT_MS, this.queue.addBulk(jobs));
    return batch.map(() => undefined);
  }
}

/**
 * The tenth message of one account stands behind the first of another. BullMQ serves jobs without a priority before all
 * others: those are the one-time passwords. No retries of BullMQ's own: a failed job is gone, and recovery finds its row.
 */
function jobOf({ id, kind }: WaitingMessage, ahead: number) {
  return {
    name: queueNames.dispatch,
    data: { messageId: id },
    opts: {
      jobId: id,
      ...(kind === 'sms' && { priority: Math.min(ahead + 1, PRIORITY_MAX) }),
    },
  };
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
