import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { RedisClient } from '#core/platform/queue/redis-client.js';
import { RateLimiter } from '../http/rate-limiter.js';

const WEBHOOK_WINDOW_SECONDS = 60;

/** Limits the actions of an account that call other servers. */
@Injectable()
export class ActionLimits {
  private readonly checkouts: RateLimiter;
  private readonly webhooks: RateLimiter;

  constructor(client: RedisClient) {
    this.checkouts = new RateLimiter(client, {
      name: 'checkouts',
      points: limits.checkoutsMax,
      durationSeconds: limits.checkoutWindowSeconds,
    });
    this.webhooks = new RateLimiter(client, {
      name: 'webhook-actions',
      points: limits.webhookActionsPerMinuteMax,
      durationSeconds: WEBHOOK_WINDOW_SECONDS,
    });
  }

  /** Counts a new checkout. Throws `too_many_checkouts`. */
  async takeCheckout(accountId: string): Promise<void> {
    const { isOver, resetSeconds: retryAfterSeconds } = await this.checkouts.take(accountId);
    if (isOver) throw new DomainError('too_many_checkouts', 'You were not charged.', { retryAfterSeconds });
  }

  /** Counts webhooks sent by hand. Throws `webhook_actions`. */
  async takeWebhookAction(accountId: string): Promise<void> {
    const { isOver, resetSeconds: retryAfterSeconds } = await this.webhooks.take(accountId);
    if (isOver)
      throw new DomainError('webhook_actions', 'You sent too many webhooks by hand. Wait a moment.', {
        retryAfterSeconds,
      });
  }
}
