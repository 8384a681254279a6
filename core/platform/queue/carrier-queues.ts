import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Queue, type QueueOptions } from 'bullmq';
import { carrierNameOf, Config } from '../config/config.js';
import { Logger } from '../telemetry/logger.js';
import { Tracer } from '../telemetry/tracer.js';
import { Backlog } from './backlog.js';
import { type DispatchPayload, DispatchQueue, queueNames } from './queues.js';
import { QueueConnection, queuePrefix } from './redis-client.js';

/**
 * Queues of the carriers to which only one worker at a time is connected, and of the channels
 * besides text messages. Like the shared queue of messages to dispatch, their jobs are hints, and
 * recovery finds the messages of lost jobs.
 */
@Injectable()
export class CarrierQueues implements OnApplicationShutdown {
  readonly options: QueueOptions;
  private readonly queues = new Map<
    number,
    { readonly store: Queue<DispatchPayload>; readonly queue: DispatchQueue }
  >();

  constructor(
    private readonly config: Config,
    { options: connection }: QueueConnection,
    private readonly backlog: Backlog,
    private readonly tracer: Tracer,
    private readonly logger: Logger,
  ) {
    this.options = { connection, prefix: queuePrefix(config) };
  }

  /** Returns the name of a carrier's queue. */
  nameOf(carrier: number): string {
    return `${queueNames.dispatch}-${carrierNameOf(this.config, carrier)}`;
  }

  /** Returns the queue of a carrier by its number, opened at the first call. */
  of(carrier: number): DispatchQueue {
    const known = this.queues.get(carrier);
    if (known) return known.queue;
    const store = new Queue<DispatchPayload>(this.nameOf(carrier), this.options);
    const queue = new DispatchQueue(store, this.backlog, this.tracer, this.logger);
    this.queues.set(carrier, { store, queue });
    return queue;
  }

  stores(): Queue[] {
    for (const { number } of [...this.config.smpp, ...this.config.channels]) this.of(number);
    return [...this.queues.values()].map(({ store }) => store);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([...this.queues.values()].map(({ queue }) => queue.beforeApplicationShutdown()));
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.queues.values()].map(({ store }) => store.close()));
  }
}
