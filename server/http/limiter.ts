import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import type { RedisClient } from '#core/platform/queue/redis-client.js';

/** Counts in Redis across all servers; while Redis is away each server counts for itself. */
export function createLimiter(
  client: RedisClient,
  { name, points, durationSeconds }: { name: string; points: number; durationSeconds: number },
): RateLimiterAbstract {
  const options = { points, duration: durationSeconds, keyPrefix: client.key(`${name}-${points}`) };
  const alone = new RateLimiterMemory(options);
  if (!client.redis) return alone;
  return new RateLimiterRedis({
    ...options,
    storeClient: client.redis,
    insuranceLimiter: alone,
    rejectIfRedisNotReady: true,
    // A caller far over the limit costs no more round trips in this window.
    inMemoryBlockOnConsumed: points + 1,
  });
}

export type Consumed = RateLimiterRes & { isOver: boolean };

/** The library throws the result when the limit is over; everything else it throws is a real error. */
export async function consume(limiter: RateLimiterAbstract, key: string): Promise<Consumed> {
  try {
    return Object.assign(await limiter.consume(key), { isOver: false });
  } catch (result) {
    if (result instanceof RateLimiterRes) return Object.assign(result, { isOver: true });
    throw result;
  }
}

/** Whole seconds until the window is over, at least 1. */
export function secondsOf({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1_000));
}
