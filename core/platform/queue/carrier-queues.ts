import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Queue, type QueueOptions } from 'bullmq';
import { carrierNameOf, Config } from '../config/config.js';
import { Logger } from '../telemetry/logger.js';
import { Tracer } from '../telemetry/tracer.js';
import { Backlog } from './backlog.js';
import { type DispatchJob, DispatchQueue, queueNames } from './queues.js';
import { QueueConnection, queuePrefix } from './redis-client.js';

/**
 * The queues of carriers that one worker at a time is connected to. Each is as the shared queue of
 * messages to dispatch: its jobs are hints, and recovery finds the messages of those that are lost.
 */
@Injectable()
export class CarrierQueues implements OnApplicationShutdown {
  /** Of our connections to the queues. */
  readonly options: QueueOptions;
  private readonly queues = new Map<number, { readonly store: Queue<DispatchJob>; readonly queue: DispatchQueue }>();

  constructor(
    private readonly config: Config,
    { options: connection }: QueueConnection,
    private readonly backlog: Backlog,
    private readonly tracer: Tracer,
    private readonly logger: Logger,
  ) {
    this.options = { connection, prefix: queuePrefix(config) };
  }

  /** The name of a carrier's queue. */
  nameOf(carrier: number): string {
    return `${queueNames.dispatch}-${carrierNameOf(this.config, carrier)}`;
  }

  /** The queue of a carrier by its number, opened when it is first asked for. */
  of(carrier: number): DispatchQueue {
    const known = this.queues.get(carrier);
    if (known) return known.queue;
    const store = new Queue<DispatchJob>(this.nameOf(carrier), this.options);
    const queue = new DispatchQueue(store, this.backlog, this.tracer, this.logger);
    this.queues.set(carrier, { store, queue });
    return queue;
  }

  /** Their stores, for the operator. */
  stores(): Queue[] {
    for (const { number } of this.config.smpp) this.of(number);
    return [...this.queues.values()].map(({ store }) => store);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([...this.queues.values()].map(({ queue }) => queue.beforeApplicationShutdown()));
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.queues.values()].map(({ store }) => store.close()));
  }
}
