import {
  webhookAnswer,
  webhookDeliveriesAnswer,
  webhookDeliveryAnswer,
  webhookReplayAnswer,
  type WebhookAnswer,
  type WebhookDeliveriesAnswer,
  type WebhookDeliveriesQuery,
  type WebhookDeliveryAnswer,
  type WebhookEventsBody,
  type WebhookEventType,
  type WebhookReplayAnswer,
  type WebhookReplayBody,
} from '#contract/webhooks.js';
import { call } from './call.js';

const WEBHOOK = '/api/dashboard/webhook';

export function readWebhook(): Promise<WebhookAnswer> {
  return call(webhookAnswer, { method: 'GET', path: WEBHOOK });
}

export function changeWebhookEvents(body: WebhookEventsBody): Promise<WebhookAnswer> {
  return call(webhookAnswer, { method: 'PUT', path: `${WEBHOOK}/events`, body });
}

export function rotateWebhookSecret(): Promise<WebhookAnswer> {
  return call(webhookAnswer, { method: 'POST', path: `${WEBHOOK}/secret/rotate` });
}

export function enableWebhook(): Promise<WebhookAnswer> {
  return call(webhookAnswer, { method: 'POST', path: `${WEBHOOK}/enable` });
}

export function readDeliveries({ cursor, status }: WebhookDeliveriesQuery): Promise<WebhookDeliveriesAnswer> {
  const query = new URLSearchParams({ ...(cursor && { cursor }), ...(status && { status }) }).toString();
  return call(webhookDeliveriesAnswer, { method: 'GET', path: `${WEBHOOK}/deliveries?${query}` });
}

export function readDelivery(id: string): Promise<WebhookDeliveryAnswer> {
  return call(webhookDeliveryAnswer, { method: 'GET', path: deliveryPath(id) });
}

export function resendDelivery(id: string): Promise<WebhookDeliveryAnswer> {
  return call(webhookDeliveryAnswer, { method: 'POST', path: `${deliveryPath(id)}/resend` });
}

export function replayDeliveries(body: WebhookReplayBody): Promise<WebhookReplayAnswer> {
  return call(webhookReplayAnswer, { method: 'POST', path: `${WEBHOOK}/replay`, body });
}

export function sendTestEvent(type: WebhookEventType): Promise<WebhookDeliveryAnswer> {
  return call(webhookDeliveryAnswer, { method: 'POST', path: `${WEBHOOK}/test`, body: { type } });
}

const deliveryPath = (id: string): string => `${WEBHOOK}/deliveries/${encodeURIComponent(id)}`;
