import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { RedisClient } from '#core/platform/queue/redis-client.js';
import { normalAddress } from '#core/rules/network-addresses.js';
import { RateLimiter } from '../http/rate-limiter.js';

const WINDOW_SECONDS = 900;
const PER_ADDRESS = 30;
const PER_EMAIL = 10;

/** Limits password guesses by network address and by e-mail address. */
@Injectable()
export class SignInAttempts {
  private readonly byAddress: RateLimiter;
  private readonly byEmail: RateLimiter;

  constructor(client: RedisClient) {
    const limiter = (name: string, points: number) =>
      new RateLimiter(client, { name, points, durationSeconds: WINDOW_SECONDS });
    this.byAddress = limiter('sign-in-address', PER_ADDRESS);
    this.byEmail = limiter('sign-in-email', PER_EMAIL);
  }

  /** Counts an attempt. Throws `too_many_attempts`. */
  async take(address: string, email: string): Promise<void> {
    const counts = await Promise.all([this.byAddress.take(normalAddress(address)), this.byEmail.take(keyOf(email))]);
    const over = counts.find(({ isOver }) => isOver);
    if (over)
      throw new DomainError('too_many_attempts', 'Too many attempts. Please try again later.', {
        retryAfterSeconds: over.resetSeconds,
      });
  }

  /** Resets the count after a correct password. */
  async reset(email: string): Promise<void> {
    await this.byEmail.reset(keyOf(email));
  }
}

/** A hash, so that Redis holds no e-mail addresses and keys have a fixed length. */
function keyOf(email: string): string {
  return createHash('sha256').update(email.trim().toLowerCase()).digest('base64');
}
