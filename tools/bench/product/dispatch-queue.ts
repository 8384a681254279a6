import { Queue } from 'bullmq';
import type { Place } from '../processes/environment.js';

/** The product's queue, seen from outside. */
export class DispatchQueueView {
  private readonly queue: Queue;

  constructor({ redisUrl, queuePrefix }: Place, name = 'dispatch') {
    this.queue = new Queue(name, {
      connection: { url: redisUrl, maxRetriesPerRequest: 1 },
      prefix: `{${queuePrefix}}`,
    });
  }

  /** Jobs that have not run to their end. */
  async size(): Promise<number> {
    return this.queue.getJobCountByTypes('waiting', 'prioritized', 'delayed', 'active');
  }

  /** Workers take no more jobs; messages are still enqueued. */
  pause(): Promise<void> {
    return this.queue.pause();
  }

  resume(): Promise<void> {
    return this.queue.resume();
  }

  close(): Promise<void> {
    return this.queue.close();
  }
}
