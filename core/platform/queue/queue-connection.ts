import { type OnApplicationShutdown, Module, type DynamicModule } from '@nestjs/common';
import { createPostgresBackend, setDefaultBackendFactory, type ConnectionOptions } from 'bullmq';
import { Cluster } from 'ioredis';
import { Config } from '../config/config.js';
import { openRedis, singleRedisOptions } from './open-redis.js';

/**
 * BullMQ's connection options. A `producer` fails at once while Redis is unavailable, because Postgres has the message; a
 * `worker` waits until Redis is available. With a single Redis each queue opens a connection; with a Redis Cluster all queues
 * share a client, and workers duplicate it for blocking commands.
 */
export class QueueConnection implements OnApplicationShutdown {
  readonly options: ConnectionOptions;

  constructor({ queue: { redis }, database }: Config, role: 'producer' | 'worker') {
    if (!redis) {
      setDefaultBackendFactory(createPostgresBackend);
      // BullMQ uses LISTEN, which does not work through a transaction pooler.
      this.options = { connectionString: database.directUrl, migrate: true };
    } else if (redis.isCluster) {
      this.options = openRedis(redis, role);
    } else {
      const [url = ''] = redis.urls;
      this.options = { url, ...singleRedisOptions[role] };
    }
  }

  /** BullMQ does not close a client that it did not create. */
  onApplicationShutdown(): void {
    if (this.options instanceof Cluster) this.options.disconnect();
  }
}

/** Returns the prefix of all keys of queues and counters. The braces keep them in one slot of a Redis Cluster. */
export function queuePrefix(config: Config): string {
  return `{${config.queue.prefix}}`;
}

/** Provides the connection of BullMQ's root module. */
@Module({})
export class QueueConnectionModule {
  static as(role: 'producer' | 'worker'): DynamicModule {
    return {
      module: QueueConnectionModule,
      providers: [
        {
          provide: QueueConnection,
          inject: [Config],
          useFactory: (config: Config) => new QueueConnection(config, role),
        },
      ],
      exports: [QueueConnection],
    };
  }
}
