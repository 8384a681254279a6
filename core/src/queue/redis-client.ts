import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import { Config } from '../config/config.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { queuePrefix } from './queue-connection.js';

const COMMAND_TIMEOUT_MS = 1_000;
const RECONNECT_MS_MAX = 1_000;

/** The connection for counters. Commands fail at once while Redis is away: nothing it holds is worth waiting for. */
@Injectable()
export class RedisClient implements OnApplicationShutdown {
  /** Absent when the queues live in Postgres. */
  readonly redis: Redis | undefined;
  private readonly prefix: string;

  constructor(config: Config, @Inject(LOGGER) logger: Logger) {
    this.prefix = queuePrefix(config);
    const { backend, redisUrl } = config.queue;
    if (backend !== 'redis' || !redisUrl) return;
    this.redis = new Redis(redisUrl, {
      enableAutoPipelining: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 1,
      commandTimeout: COMMAND_TIMEOUT_MS,
      retryStrategy: (times) => Math.min(times * 100, RECONNECT_MS_MAX),
    });
    this.redis.on('error', (err: Error) => logger.warn({ reason: err.message }, 'redis is away'));
  }

  key(name: string): string {
    return `${this.prefix}:${name}`;
  }

  onApplicationShutdown(): void {
    this.redis?.disconnect();
  }
}
