import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import type { WebhookDeliveriesAnswer, WebhookDeliveriesQuery, WebhookDeliveryAnswer } from '#contract/webhooks.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { messageIdFromPublic, publicWebhookId, webhookIdFromPublic } from '../../rules/ids.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { attemptView, deliveryView, statesOf } from './delivery-view.js';

/** An account's webhooks and their attempts, for its dashboard. */
@Injectable()
export class ShowDeliveries {
  constructor(private readonly deliveries: DeliveriesRepository) {}

  /** A page, newest first. The cursor is the last one shown. Throws `invalid_request`. */
  async page(accountId: string, { cursor, status, message }: WebhookDeliveriesQuery): Promise<WebhookDeliveriesAnswer> {
    const beforeId = cursor === undefined ? undefined : webhookIdFromPublic(cursor);
    if (cursor !== undefined && !beforeId) throw new DomainError('invalid_request', 'The cursor is not one of ours.');
    const sourceId = message === undefined ? undefined : messageIdFromPublic(message);
    if (message !== undefined && !sourceId) throw new DomainError('invalid_request', 'This is no id of a message.');
    const size = limits.webhookDeliveriesPageSize;
    const states = status && statesOf[status];
    const found = await this.deliveries.page(accountId, { beforeId, states, sourceId, size: size + 1 });
    const shown = found.slice(0, size);
    const last = shown.at(-1);
    return {
      deliveries: shown.map(deliveryView),
      nextCursor: found.length > size && last ? publicWebhookId(last.id) : null,
    };
  }

  /** One with its attempts; `accountId` null is the operator, who sees all. Throws `delivery_not_found`. */
  async one(accountId: string | null, publicId: string): Promise<WebhookDeliveryAnswer> {
    const id = webhookIdFromPublic(publicId);
    const row = id && (await this.deliveries.find(id, accountId));
    if (!row) throw new DomainError('delivery_not_found', 'There is no such webhook, or it is no longer kept.');
    const attempts = await this.deliveries.attemptsOf(row.id, limits.webhookAttemptsShownMax);
    return { ...deliveryView(row), body: row.body, attemptList: attempts.map(attemptView) };
  }
}
