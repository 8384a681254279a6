import { RedisClient } from '../platform/queue/redis-client.js';
import { SharedCounters } from '../platform/queue/shared-counters.js';

export function redisOf(server: { get(type: typeof SharedCounters): SharedCounters }): RedisClient['redis'] {
  const counters = server.get(SharedCounters);
  if (!(counters instanceof RedisClient)) throw new Error('The tests run on Redis');
  return counters.redis;
}
