import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { RedisClient } from '#core/platform/queue/redis-client.js';
import { normalAddress } from '#core/rules/network-address.js';
import { consume, createLimiter, secondsOf } from '../http/limiter.js';

const WINDOW_SECONDS = 900;
const PER_ADDRESS = 30;
const PER_EMAIL = 10;

/** Bounds the guessing of passwords, by network address and by e-mail address. */
@Injectable()
export class SignInAttempts {
  private readonly byAddress: RateLimiterAbstract;
  private readonly byEmail: RateLimiterAbstract;

  constructor(client: RedisClient) {
    const limiter = (name: string, points: number) =>
      createLimiter(client, { name, points, durationSeconds: WINDOW_SECONDS });
    this.byAddress = limiter('sign-in-address', PER_ADDRESS);
    this.byEmail = limiter('sign-in-email', PER_EMAIL);
  }

  /** Counts one attempt before it is made. Throws `too_many_attempts`. */
  async take(address: string, email: string): Promise<void> {
    const counts = await Promise.all([
      consume(this.byAddress, normalAddress(address)),
      consume(this.byEmail, keyOf(email)),
    ]);
    const over = counts.find(({ isOver }) => isOver);
    if (over)
      throw new DomainError('too_many_attempts', 'Too many attempts. Please try again later.', {
        retryAfterSeconds: secondsOf(over),
      });
  }

  /** Whoever knows the password has not been guessing. */
  async forget(email: string): Promise<void> {
    await this.byEmail.delete(keyOf(email));
  }
}

/** Redis keeps no addresses of people, and no key of any length. */
function keyOf(email: string): string {
  return createHash('sha256').update(email.trim().toLowerCase()).digest('base64');
}
