import type { OnApplicationShutdown } from '@nestjs/common';
import { type ConnectionOptions, createPostgresBackend, setDefaultBackendFactory } from 'bullmq';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Config } from '../config/config.js';
import { Notifications } from '../database/notifications.js';
import type { Postgres } from '../database/postgres.js';
import { PubSub, type PubSubListener } from './pub-sub.js';
import type { Logger } from '../telemetry/logger.js';
import { type LimiterOptions, SharedCounters } from './shared-counters.js';

// Replacements for Redis with QUEUE_BACKEND=postgres, so that Node alone can run the product:
// queues, account events and counters.

/** Makes BullMQ keep its queues in Postgres; returns its connection. */
export function postgresConnection(directUrl: string): ConnectionOptions {
  setDefaultBackendFactory(createPostgresBackend);
  // BullMQ uses LISTEN, which does not work through a transaction pooler.
  return { connectionString: directUrl, migrate: true };
}

/** Pub/sub over Postgres's LISTEN and NOTIFY. */
export class PostgresPubSub extends PubSub implements OnApplicationShutdown {
  private notifications: Notifications | undefined;
  private readonly channel: string;

  constructor(
    private readonly postgres: Postgres,
    private readonly config: Config,
    private readonly logger: Logger,
  ) {
    super();
    this.channel = `${config.queue.prefix}:news`;
  }

  get isLive(): boolean {
    return this.notifications?.isLive ?? false;
  }

  async publish(text: string): Promise<void> {
    await this.postgres.notify(this.channel, text);
  }

  listen({ onText, onLive }: PubSubListener): void {
    const { logger, channel } = this;
    const databaseUrl = this.config.database.directUrl;
    this.notifications = new Notifications({ databaseUrl, channel, onText, onLive, logger });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.notifications?.close();
  }
}

/** Each process counts for itself. */
export class LocalCounters extends SharedCounters {
  key(name: string): string {
    return name;
  }

  async count(): Promise<undefined> {
    return undefined;
  }

  limiter(options: LimiterOptions): RateLimiterMemory {
    return new RateLimiterMemory(options);
  }

  async isWritable(): Promise<boolean> {
    return true;
  }

  /** The queues are as safe as the messages. */
  async isNew(): Promise<boolean> {
    return false;
  }
}
