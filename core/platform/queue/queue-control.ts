import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { DomainError } from '../errors/domain-error.js';
import { CarrierQueues } from './carrier-queues.js';
import { queueNames } from './queues.js';

const RETRIED_MAX = 1_000;
const ANSWER_WITHIN_MS = 4_000;

/** Number of jobs by BullMQ state, and whether the queue is paused. */
interface QueueStatus {
  readonly isPaused: boolean;
  readonly jobs: Readonly<Record<string, number>>;
}

/**
 * The operator's commands on queues. A job only refers to a waiting row, so no command can lose or
 * double a message: recovery enqueues a removed job again as long as its row waits in Postgres.
 */
@Injectable()
export class QueueControl {
  /** Every queue of the product. */
  readonly queues: readonly Queue[];

  constructor(
    @InjectQueue(queueNames.dispatch) dispatch: Queue,
    @InjectQueue(queueNames.mail) mail: Queue,
    @InjectQueue(queueNames.webhooks) webhooks: Queue,
    @InjectQueue(queueNames.creditsAdded) creditsAdded: Queue,
    @InjectQueue(queueNames.media) media: Queue,
    carrierQueues: CarrierQueues,
  ) {
    this.queues = [dispatch, mail, webhooks, creditsAdded, media, ...carrierQueues.stores()];
  }

  /**
   * Returns the status of one queue or all, by name; `dispatch` includes the queues of SMPP binds.
   * This and the other methods throw `invalid_request` for an unknown queue, and `unavailable` when
   * the queue gives no answer within seconds.
   */
  status(name?: string): Promise<Record<string, QueueStatus>> {
    return this.each(name, async (queue) => ({ isPaused: await queue.isPaused(), jobs: await queue.getJobCounts() }));
  }

  /** Pauses queues: workers finish their current jobs and start no others. Jobs are still added. */
  pause(name?: string): Promise<Record<string, QueueStatus>> {
    return this.each(name, async (queue) => {
      await queue.pause();
      return { isPaused: await queue.isPaused(), jobs: await queue.getJobCounts() };
    });
  }

  resume(name?: string): Promise<Record<string, QueueStatus>> {
    return this.each(name, async (queue) => {
      await queue.resume();
      return { isPaused: await queue.isPaused(), jobs: await queue.getJobCounts() };
    });
  }

  /** Makes failed and delayed jobs run as soon as a worker is free; returns their numbers. */
  retry(name?: string): Promise<Record<string, { failed: number; delayed: number }>> {
    return this.each(name, async (queue) => {
      const { failed = 0, delayed = 0 } = await queue.getJobCounts('failed', 'delayed');
      if (failed > 0) await queue.retryJobs({ state: 'failed', count: RETRIED_MAX });
      if (delayed > 0) await queue.promoteJobs({ count: RETRIED_MAX });
      return { failed, delayed };
    });
  }

  /**
   * Removes every job that is not running and leaves the rows unchanged; returns the number of
   * jobs.
   */
  drain(name?: string): Promise<Record<string, { removed: number }>> {
    return this.each(name, async (queue) => {
      const removed = await queue.getJobCountByTypes('waiting', 'prioritized', 'delayed');
      await queue.drain(true);
      return { removed };
    });
  }

  private async each<T>(name: string | undefined, work: (queue: Queue) => Promise<T>): Promise<Record<string, T>> {
    const chosen = this.queues.filter((queue) => name === undefined || isMeant(queue, name));
    if (chosen.length === 0) {
      const names = this.queues.map((queue) => queue.name).join(', ');
      throw new DomainError('invalid_request', `There is no queue of that name. The queues are ${names}.`);
    }
    const answers = Promise.all(chosen.map(async (queue) => [queue.name, await work(queue)] as const));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      const detail =
        `The queue gave no answer within ${ANSWER_WITHIN_MS / 1_000} s. What was asked for may happen ` +
        'later: see queue status.';
      timer = setTimeout(() => reject(new DomainError('unavailable', detail)), ANSWER_WITHIN_MS);
    });
    try {
      return Object.fromEntries(await Promise.race([answers, late]));
    } finally {
      clearTimeout(timer);
    }
  }
}

/**
 * Messages leave by the shared queue or by the queue of their SMPP bind: `dispatch` means all of
 * these.
 */
function isMeant(queue: Queue, name: string): boolean {
  return queue.name === name || (name === queueNames.dispatch && queue.name.startsWith(`${name}-`));
}
