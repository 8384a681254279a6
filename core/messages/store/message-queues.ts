import { Injectable } from '@nestjs/common';
import { NumberDirectory } from '../../numbers/number-directory.js';
import { Config } from '../../platform/config/config.js';
import { CarrierQueues } from '../../platform/queue/carrier-queues.js';
import { DispatchQueue } from '../../platform/queue/queues.js';
import { CarrierSenders } from '../../carriers/carrier-senders.js';

type QueuedMessage = Parameters<DispatchQueue['enqueue']>[0];

/**
 * The queues in which messages wait for dispatch: the shared one, and one for each carrier that a
 * single worker is connected to. A message of such a carrier that waits in the shared queue is claimed
 * and handed over, so the others save that way. Recovery uses the shared queue alone: what the worker
 * of a carrier does not take, another route may. Numbers are bought at none of these carriers.
 */
@Injectable()
export class MessageQueues {
  private readonly exclusive: ReadonlySet<number>;

  constructor(
    private readonly shared: DispatchQueue,
    private readonly carrierQueues: CarrierQueues,
    private readonly carrierSenders: CarrierSenders,
    private readonly directory: NumberDirectory,
    { smpp }: Config,
  ) {
    this.exclusive = new Set(smpp.map(({ number }) => number));
  }

  /** Adds a job for a message of this sender after this call. */
  enqueue(message: QueuedMessage, sender: string | null): void {
    void this.enqueued(message, sender);
  }

  /** As {@link enqueue}; resolves when the job has been added, or is left to recovery. */
  enqueued(message: QueuedMessage, sender: string | null): Promise<void> {
    if (sender === null) return this.shared.enqueued(message);
    // The worker may not know a number yet that was bought a moment ago.
    if (this.directory.isBought(sender)) return this.shared.enqueued({ ...message, takesTurns: true });
    return this.of(this.carrierSenders.carrierOfOperated(sender)).enqueued(message);
  }

  /** The queue of a carrier by its number. */
  of(carrier: number): DispatchQueue {
    return this.exclusive.has(carrier) ? this.carrierQueues.of(carrier) : this.shared;
  }
}
