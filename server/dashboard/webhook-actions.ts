import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { RedisClient } from '#core/platform/queue/redis-client.js';
import { consume, createLimiter, secondsOf } from '../http/limiter.js';

const WINDOW_SECONDS = 60;

/** How often an account may have webhooks sent by hand: each may bring a call to somebody's server. */
@Injectable()
export class WebhookActions {
  private readonly limiter: ReturnType<typeof createLimiter>;

  constructor(redis: RedisClient) {
    const points = limits.webhookActionsPerMinuteMax;
    this.limiter = createLimiter(redis, { name: 'webhook-actions', points, durationSeconds: WINDOW_SECONDS });
  }

  /** Throws `webhook_actions` when there were too many. */
  async count(accountId: string): Promise<void> {
    const consumed = await consume(this.limiter, accountId);
    if (!consumed.isOver) return;
    throw new DomainError('webhook_actions', 'Too many webhooks were sent by hand. Wait a moment.', {
      retryAfterSeconds: secondsOf(consumed),
    });
  }
}
