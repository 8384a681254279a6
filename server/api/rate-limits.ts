import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { PresentedKey } from '#core/accounts/api-keys.js';
import { KeyRates } from '#core/accounts/key-rates.js';
import { Config } from '#core/platform/config/config.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { RedisClient } from '#core/platform/queue/redis-client.js';
import { normalAddress } from '#core/rules/network-address.js';
import { consume, createLimiter, secondsOf } from '../http/limiter.js';

const WINDOW_SECONDS = 1;

/**
 * Requests per second by key and by network address, counted in Redis across all servers; while Redis is away each server
 * counts for itself. A limit of 0 is none.
 */
@Injectable()
export class RateLimits {
  private readonly keyLimiters = new Map<number, RateLimiterAbstract>();
  private readonly addressLimiter: RateLimiterAbstract | undefined;

  constructor(
    private readonly config: Config,
    private readonly keyRates: KeyRates,
    private readonly client: RedisClient,
  ) {
    const { addressPerSecond } = config.rates;
    this.addressLimiter = addressPerSecond > 0 ? this.limiter('rate-address', addressPerSecond) : undefined;
  }

  /** Counts one request; the headers speak of the key's limit. Throws `rate_limited`. */
  async take(key: PresentedKey, address: string, reply: FastifyReply): Promise<void> {
    const perSecond = this.keyRates.of(key) ?? this.config.rates.keyPerSecond;
    const [byKey, byAddress] = await Promise.all([
      perSecond > 0 ? consume(this.keyLimiter(perSecond), key.hash.toString('base64')) : undefined,
      this.addressLimiter && consume(this.addressLimiter, normalAddress(address)),
    ]);
    if (byKey) {
      reply.header('RateLimit-Limit', String(perSecond));
      reply.header('RateLimit-Remaining', String(Math.max(0, byKey.remainingPoints)));
      reply.header('RateLimit-Reset', String(secondsOf(byKey)));
    }
    const spent = [byKey, byAddress].find((result) => result !== undefined && result.isOver);
    if (spent) {
      const retryAfterSeconds = secondsOf(spent);
      throw new DomainError('rate_limited', 'Too many requests in this second. You were not charged.', {
        retryAfterSeconds,
      });
    }
  }

  private keyLimiter(perSecond: number): RateLimiterAbstract {
    const existing = this.keyLimiters.get(perSecond);
    if (existing) return existing;
    const limiter = this.limiter('rate-key', perSecond);
    this.keyLimiters.set(perSecond, limiter);
    return limiter;
  }

  private limiter(name: string, points: number): RateLimiterAbstract {
    return createLimiter(this.client, { name, points, durationSeconds: WINDOW_SECONDS });
  }
}
