import { webhookDeliveriesAnswer, type WebhookDeliveriesAnswer } from '#contract/webhooks.js';
import { call } from './call.js';

/** What webhooks were told about a message, sent or received, newest first; there are fewer than a page holds. */
export function readDeliveriesAbout(messageId: string): Promise<WebhookDeliveriesAnswer> {
  const path = `/api/dashboard/webhook/deliveries?message=${encodeURIComponent(messageId)}`;
  return call(webhookDeliveriesAnswer, { method: 'GET', path });
}
