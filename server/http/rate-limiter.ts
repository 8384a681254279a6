import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import type { RedisClient } from '#core/platform/queue/redis-client.js';

/** The state of one key's window. */
export interface Usage {
  readonly isOver: boolean;
  readonly remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  readonly resetSeconds: number;
}

/** Fixed-window limiter, shared by all servers through Redis; while Redis is unavailable each server counts on its own. */
export class RateLimiter {
  private readonly limiter: RateLimiterAbstract;
  private readonly points: number;

  constructor(
    client: RedisClient,
    { name, points, durationSeconds }: { name: string; points: number; durationSeconds: number },
  ) {
    const options = { points, duration: durationSeconds, keyPrefix: client.key(`${name}-${points}`) };
    const inMemory = new RateLimiterMemory(options);
    this.points = points;
    this.limiter = client.redis
      ? new RateLimiterRedis({
          ...options,
          storeClient: client.redis,
          insuranceLimiter: inMemory,
          rejectIfRedisNotReady: true,
          // A key far over its limit costs no more round trips in this window.
          inMemoryBlockOnConsumed: points + 1,
        })
      : inMemory;
  }

  /** Counts one use. */
  async take(key: string): Promise<Usage> {
    try {
      return usage(await this.limiter.consume(key), false);
    } catch (result) {
      // The library throws the result when the limit is exceeded; anything else it throws is an error.
      if (result instanceof RateLimiterRes) return usage(result, true);
      throw result;
    }
  }

  /** Reads a window without counting; undefined for an unused key. `isOver` is true when nothing is left. */
  async get(key: string): Promise<Usage | undefined> {
    const result = await this.limiter.get(key);
    return result ? usage(result, result.consumedPoints >= this.points) : undefined;
  }

  async reset(key: string): Promise<void> {
    await this.limiter.delete(key);
  }
}

function usage({ remainingPoints, msBeforeNext }: RateLimiterRes, isOver: boolean): Usage {
  return {
    isOver,
    remaining: Math.max(0, remainingPoints),
    resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1_000)),
  };
}
