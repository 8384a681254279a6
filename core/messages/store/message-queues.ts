import { Injectable } from '@nestjs/common';
import { NumberDirectory } from '../../numbers/number-directory.js';
import { Config } from '../../platform/config/config.js';
import { CarrierQueues } from '../../platform/queue/carrier-queues.js';
import { DispatchQueue } from '../../platform/queue/queues.js';
import { CarrierSenders } from '../../carriers/carrier-senders.js';

type QueuedMessage = Parameters<DispatchQueue['enqueue']>[0];

/**
 * The queues in which messages wait for dispatch: the shared queue, one queue for each carrier
 * with a single connected worker, and one for each channel besides text messages. A claim from the
 * shared queue leaves a message of a carrier with one worker queued, and the worker moves it to its
 * carrier's queue. Recovery uses the shared queue for these: another route may take messages that
 * the worker of a carrier does not take. They sell no numbers. Messages of a channel have a queue
 * apart because the shared queue stands still while every carrier of text messages is paused.
 */
@Injectable()
export class MessageQueues {
  private readonly exclusive: ReadonlySet<number>;
  private readonly channels: ReadonlySet<number>;

  constructor(
    readonly shared: DispatchQueue,
    private readonly carrierQueues: CarrierQueues,
    private readonly carrierSenders: CarrierSenders,
    private readonly directory: NumberDirectory,
    { smpp, channels }: Config,
  ) {
    this.exclusive = new Set(smpp.map(({ number }) => number));
    this.channels = new Set(channels.map(({ number }) => number));
  }

  /** Adds a job for a message of this sender without waiting. */
  enqueue(message: QueuedMessage, sender: string | null): void {
    void this.enqueued(message, sender);
  }

  /** As {@link enqueue}; resolves when the job has been added or left to recovery. */
  enqueued(message: QueuedMessage, sender: string | null): Promise<void> {
    if (sender === null) return this.shared.enqueued(message);
    // The worker may not know a newly bought number yet.
    if (this.directory.isBought(sender)) return this.shared.enqueued({ ...message, takesTurns: true });
    return this.of(this.carrierSenders.carrierOfOperated(sender)).enqueued(message);
  }

  /** Returns the queue of a carrier. */
  of(carrier: number): DispatchQueue {
    return this.exclusive.has(carrier) ? this.carrierQueues.of(carrier) : this.ofAnyWorker(carrier);
  }

  /** Returns the queue of a carrier from which any worker takes a message, to send it or to find it another route. */
  ofAnyWorker(carrier: number): DispatchQueue {
    return this.channels.has(carrier) ? this.carrierQueues.of(carrier) : this.shared;
  }
}
