import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import type { WebhookReplayAnswer } from '#contract/webhooks.js';
import { AuditLog } from '../../audit/audit-log.js';
import { Postgres } from '../../platform/database/postgres.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { WebhookQueue } from '../../platform/queue/queues.js';
import { uuidV7Floor, webhookIdFromPublic } from '../../rules/ids.js';
import { EndpointsRepository } from '../endpoints/endpoints.repository.js';
import { DeliveriesRepository, type DeliveryState } from './deliveries.repository.js';

/** Of what has ended, and of what waits for a webhook that was off. */
const statesToReplay: Record<'failed' | 'all', readonly DeliveryState[]> = {
  failed: ['failed', 'paused'],
  all: ['failed', 'paused', 'delivered'],
};

interface Replay {
  readonly from: Date;
  /** Exclusive. */
  readonly to: Date;
  readonly which: 'failed' | 'all';
}

/**
 * Sends webhooks again, from the start of the schedule and with the same `webhook-id`, so that a receiver knows what it has had.
 * Throws `webhook_off` when there is nowhere to send them.
 */
@Injectable()
export class SendAgain {
  constructor(
    private readonly postgres: Postgres,
    private readonly deliveries: DeliveriesRepository,
    private readonly endpoints: EndpointsRepository,
    private readonly queue: WebhookQueue,
    private readonly auditLog: AuditLog,
  ) {}

  /** One, by its owner. Throws `delivery_not_found`. */
  async one(accountId: string, publicId: string): Promise<void> {
    await this.resend(publicId, accountId);
  }

  /** One of any account, by the operator. Throws `delivery_not_found`. */
  async oneOfAny(publicId: string): Promise<void> {
    await this.resend(publicId, null);
  }

  /** Those of a time range, oldest first, up to a bound; the rest with another call. */
  async range(
    accountId: string,
    actor: 'account' | 'operator',
    { from, to, which }: Replay,
  ): Promise<WebhookReplayAnswer> {
    await this.refuseIfOff(accountId);
    const deliveriesMax = limits.webhookReplayDeliveriesMax;
    const range = { fromId: floorOf(from), beforeId: floorOf(to), states: statesToReplay[which], deliveriesMax };
    const replayed = await this.postgres.transaction(async (tx) => {
      const count = await this.deliveries.replay(tx, accountId, range);
      const details = { from: from.toISOString(), to: to.toISOString(), which, count };
      if (actor === 'account')
        await this.auditLog.record(tx, { actor, accountId, action: 'webhook.replayed', details });
      return count;
    });
    return { replayed, more: replayed === deliveriesMax };
  }

  private async resend(publicId: string, ownerId: string | null): Promise<void> {
    const id = webhookIdFromPublic(publicId);
    const delivery = id && (await this.deliveries.find(id, ownerId));
    if (!delivery) throw new DomainError('delivery_not_found', 'There is no such webhook, or it is no longer kept.');
    const { accountId } = delivery;
    await this.refuseIfOff(accountId);
    await this.postgres.transaction(async (tx) => {
      await this.deliveries.resend(tx, id);
      const details = { id: publicId };
      if (ownerId) await this.auditLog.record(tx, { actor: 'account', accountId, action: 'webhook.resent', details });
    });
    this.queue.enqueue(delivery);
  }

  private async refuseIfOff(accountId: string): Promise<void> {
    const endpoint = await this.endpoints.find(accountId);
    if (!endpoint?.url) throw new DomainError('webhook_off', 'Set a webhook URL first.');
    if (endpoint.disabledAt) throw new DomainError('webhook_off', 'The webhook is turned off. Turn it on again first.');
  }
}

/** Nothing is older than the first day of Unix time. */
function floorOf(at: Date): string {
  return uuidV7Floor(new Date(Math.max(0, at.getTime())));
}
