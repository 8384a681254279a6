import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Cluster, Redis } from 'ioredis';
import { Config } from '../config/config.js';
import { Logger } from '../telemetry/logger.js';
import { openRedis, openSubscriber, reasonOf } from './open-redis.js';
import { queuePrefix } from './queue-connection.js';

/** The connection for counters. Commands fail at once while Redis is away: nothing it holds is worth waiting for. */
@Injectable()
export class RedisClient implements OnApplicationShutdown {
  /** Absent when the queues live in Postgres. */
  readonly redis: Redis | Cluster | undefined;
  private readonly prefix: string;

  constructor(
    private readonly config: Config,
    logger: Logger,
  ) {
    this.prefix = queuePrefix(config);
    const { redis: address } = config.queue;
    if (!address) return;
    this.redis = openRedis(address, 'counters');
    this.redis.on('error', (err: Error) => logger.warn({ reason: reasonOf(err) }, 'redis is away'));
  }

  key(name: string): string {
    return `${this.prefix}:${name}`;
  }

  /** A connection of the caller's own to subscribe on; it ends when it breaks. Throws when the queues live in Postgres. */
  subscriber(connectionName: string): Redis {
    const { redis: address } = this.config.queue;
    if (!address || !this.redis) throw new Error('There is a Redis to subscribe on only where it is configured');
    return openSubscriber(address, this.redis, connectionName);
  }

  onApplicationShutdown(): void {
    this.redis?.disconnect();
  }
}
