import type { OnApplicationShutdown } from '@nestjs/common';
import { createPostgresBackend, setDefaultBackendFactory, type ConnectionOptions } from 'bullmq';
import { Cluster } from 'ioredis';
import type { Config } from '../config/config.js';
import { openRedis, singleRedisOptions } from './open-redis.js';

/**
 * How BullMQ reaches its store. `producer` fails at once while Redis is away, because Postgres has the message already;
 * `worker` waits for Redis to come back. To a Redis each queue has a connection, to a Redis Cluster all share a client,
 * which workers copy where they block.
 */
export class QueueConnection implements OnApplicationShutdown {
  readonly options: ConnectionOptions;

  constructor({ queue: { redis }, database }: Config, role: 'producer' | 'worker') {
    if (!redis) {
      setDefaultBackendFactory(createPostgresBackend);
      // It listens for notifications, which no pooler of transactions passes on.
      this.options = { connectionString: database.directUrl, migrate: true };
    } else if (redis.isCluster) {
      this.options = openRedis(redis, role);
    } else {
      const [url = ''] = redis.urls;
      this.options = { url, ...singleRedisOptions[role] };
    }
  }

  /** BullMQ leaves a client open that it was given. */
  onApplicationShutdown(): void {
    if (this.options instanceof Cluster) this.options.disconnect();
  }
}

/** Keys of the queues and counters. The braces keep them in one slot of a Redis Cluster. */
export function queuePrefix(config: Config): string {
  return `{${config.queue.prefix}}`;
}
