import type { WebhookAttempt, WebhookDelivery, WebhookDeliveryStatus } from '#contract/webhooks.js';
import { publicWebhookId } from '../../rules/ids.js';
import type { AttemptRow, DeliveryRow, DeliveryState } from './deliveries.repository.js';

/** What people are shown: whether a delivery is in line, in a worker's hands or waits for its time is our own business. */
export const statesOf: Record<WebhookDeliveryStatus, readonly DeliveryState[]> = {
  pending: ['pending', 'sending', 'waiting'],
  paused: ['paused'],
  delivered: ['delivered'],
  failed: ['failed'],
};

/** A delivery as its owner sees it. */
export function deliveryView(row: DeliveryRow): WebhookDelivery {
  const { id, type, isTest: test, status, attempts, dueAt, createdAt, finishedAt } = row;
  return {
    id: publicWebhookId(id),
    type,
    test,
    status: status === 'sending' || status === 'waiting' ? 'pending' : status,
    attempts,
    createdAt: createdAt.toISOString(),
    nextAttemptAt: (status === 'waiting' && dueAt?.toISOString()) || null,
    finishedAt: finishedAt?.toISOString() ?? null,
  };
}

export function attemptView({ startedAt, ...attempt }: AttemptRow): WebhookAttempt {
  return { at: startedAt.toISOString(), ...attempt };
}
