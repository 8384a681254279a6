import { Injectable } from '@nestjs/common';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { limits } from '#contract/limits.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { RedisClient } from '#core/platform/queue/redis-client.js';
import { consume, createLimiter, secondsOf } from '../http/limiter.js';

/** Bounds the checkouts that an account opens: each is a call to the payment provider and a row. */
@Injectable()
export class CheckoutAttempts {
  private readonly limiter: RateLimiterAbstract;

  constructor(client: RedisClient) {
    this.limiter = createLimiter(client, {
      name: 'checkouts',
      points: limits.checkoutsMax,
      durationSeconds: limits.checkoutWindowSeconds,
    });
  }

  /** Counts one before it is opened. Throws `too_many_checkouts`. */
  async take(accountId: string): Promise<void> {
    const count = await consume(this.limiter, accountId);
    if (count.isOver)
      throw new DomainError('too_many_checkouts', 'You were not charged.', { retryAfterSeconds: secondsOf(count) });
  }
}
