import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import {
  webhookAnswer,
  webhookDeliveriesAnswer,
  webhookDeliveryAnswer,
  webhookReplayAnswer,
  type WebhookAnswer,
  type WebhookDeliveriesQuery,
  type WebhookDeliveryAnswer,
  type WebhookEventsBody,
  type WebhookEventType,
  type WebhookReplayAnswer,
  type WebhookReplayBody,
} from '#contract/webhooks.js';
import { webhookKey } from './account.js';
import { call, searchOf } from './call.js';

const WEBHOOK = '/api/dashboard/webhook';

/** The webhook endpoint: its state, events and signing secret. */
export const webhookQuery = queryOptions({
  queryKey: [...webhookKey, 'state'],
  queryFn: () => call(webhookAnswer, { method: 'GET', path: WEBHOOK }),
});

export function changeWebhookEvents(body: WebhookEventsBody): Promise<WebhookAnswer> {
  return call(webhookAnswer, { method: 'PUT', path: `${WEBHOOK}/events`, body });
}

export function rotateWebhookSecret(): Promise<WebhookAnswer> {
  return call(webhookAnswer, { method: 'POST', path: `${WEBHOOK}/secret/rotate` });
}

export function enableWebhook(): Promise<WebhookAnswer> {
  return call(webhookAnswer, { method: 'POST', path: `${WEBHOOK}/enable` });
}

export const deliveriesKey = [...webhookKey, 'deliveries'] as const;

/** One page of the deliveries, newest first. */
export const deliveriesQuery = ({ cursor, status, type, search }: WebhookDeliveriesQuery) =>
  queryOptions({
    queryKey: [...deliveriesKey, { status, type, search, cursor }],
    queryFn: () =>
      call(webhookDeliveriesAnswer, {
        method: 'GET',
        path: `${WEBHOOK}/deliveries?${searchOf({ cursor, status, type, search })}`,
      }),
    placeholderData: keepPreviousData,
  });

/**
 * The deliveries about one message, sent or received, newest first; they always fit on one page.
 */
export const messageDeliveriesQuery = (messageId: string) =>
  queryOptions({
    queryKey: [...deliveriesKey, 'about', messageId],
    queryFn: () =>
      call(webhookDeliveriesAnswer, {
        method: 'GET',
        path: `${WEBHOOK}/deliveries?message=${encodeURIComponent(messageId)}`,
      }),
  });

export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: [...deliveriesKey, 'one', id],
    queryFn: () => call(webhookDeliveryAnswer, { method: 'GET', path: deliveryPath(id) }),
  });

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
