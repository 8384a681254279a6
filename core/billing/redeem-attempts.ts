import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { limits } from '#contract/limits.js';
import { RedisClient } from '../platform/queue/redis-client.js';

/** Bounds guessing: codes tried per account, counted in Redis; while it is away each process counts for itself. */
@Injectable()
export class RedeemAttempts {
  private readonly limiter: RateLimiterAbstract;

  constructor(client: RedisClient) {
    const { redis } = client;
    const options = {
      points: limits.redeemAttemptsMax,
      duration: limits.redeemWindowSeconds,
      keyPrefix: client.key('redeem-attempts'),
    };
    const alone = new RateLimiterMemory(options);
    this.limiter = redis
      ? new RateLimiterRedis({ ...options, storeClient: redis, insuranceLimiter: alone, rejectIfRedisNotReady: true })
      : alone;
  }

  /** Counts one attempt. Answers the seconds to wait when there were too many, else undefined. */
  async take(accountId: string): Promise<number | undefined> {
    try {
      await this.limiter.consume(accountId);
      return undefined;
    } catch (result) {
      if (!(result instanceof RateLimiterRes)) throw result;
      return Math.max(1, Math.ceil(result.msBeforeNext / 1_000));
    }
  }
}
