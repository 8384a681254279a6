import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { ApiKey } from '#core/accounts/api-keys.js';
import { ApiKeyUsage } from '#core/accounts/api-key-usage.js';
import { Config } from '#core/platform/config/config.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { RedisClient } from '#core/platform/queue/redis-client.js';
import { normalAddress } from '#core/rules/network-addresses.js';
import { RateLimiter } from '../http/rate-limiter.js';

const WINDOW_SECONDS = 1;

/** Limits requests per second by API key and by network address. A limit of 0 means no limit. */
@Injectable()
export class RateLimits {
  private readonly keyLimiters = new Map<number, RateLimiter>();
  private readonly addressLimiter: RateLimiter | undefined;

  constructor(
    private readonly config: Config,
    private readonly keyUsage: ApiKeyUsage,
    private readonly client: RedisClient,
  ) {
    const { addressPerSecond } = config.rates;
    this.addressLimiter = addressPerSecond > 0 ? this.limiter('rate-address', addressPerSecond) : undefined;
  }

  /**
   * Counts one request. A key and its test form share one limit, the one in the RateLimit headers. Throws `rate_limited`.
   */
  async take(key: ApiKey, address: string, reply: FastifyReply): Promise<void> {
    const perSecond = this.keyUsage.limitOf(key) ?? this.config.rates.keyPerSecond;
    const [byKey, byAddress] = await Promise.all([
      perSecond > 0 ? this.keyLimiter(perSecond).take(key.hash.toString('base64')) : undefined,
      this.addressLimiter?.take(normalAddress(address)),
    ]);
    if (byKey) {
      reply.header('RateLimit-Limit', String(perSecond));
      reply.header('RateLimit-Remaining', String(byKey.remaining));
      reply.header('RateLimit-Reset', String(byKey.resetSeconds));
    }
    const exceeded = [byKey, byAddress].find((count) => count?.isOver);
    if (exceeded)
      throw new DomainError('rate_limited', 'Too many requests in this second. You were not charged.', {
        retryAfterSeconds: exceeded.resetSeconds,
      });
  }

  private keyLimiter(perSecond: number): RateLimiter {
    const existing = this.keyLimiters.get(perSecond);
    if (existing) return existing;
    const limiter = this.limiter('rate-key', perSecond);
    this.keyLimiters.set(perSecond, limiter);
    return limiter;
  }

  private limiter(name: string, points: number): RateLimiter {
    return new RateLimiter(this.client, { name, points, durationSeconds: WINDOW_SECONDS });
  }
}
