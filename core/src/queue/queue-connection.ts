import { createPostgresBackend, setDefaultBackendFactory, type ConnectionOptions } from 'bullmq';
import type { Config } from '../config/config.js';

/**
 * How BullMQ reaches its store. `producer` fails at once while Redis is away, because Postgres has the message already;
 * `worker` waits for Redis to come back.
 */
export function queueConnection(config: Config, role: 'producer' | 'worker'): ConnectionOptions {
  if (config.queue.backend === 'postgres') {
    setDefaultBackendFactory(createPostgresBackend);
    // It listens for notifications, which no pooler of transactions passes on.
    return { connectionString: config.database.directUrl, migrate: true };
  }
  if (!config.queue.redisUrl) throw new Error('The configuration has a Redis URL when Redis is the queue backend');
  const url = config.queue.redisUrl;
  return role === 'producer'
    ? { url, enableOfflineQueue: false, maxRetriesPerRequest: 1 }
    : { url, maxRetriesPerRequest: null };
}

/** Keys of the queues and counters. The braces keep them in one slot of a Redis Cluster. */
export function queuePrefix(config: Config): string {
  return `{${config.queue.prefix}}`;
}
