import type { WebhookEventType } from '#contract/webhooks.js';

/**
 * What is sent, byte by byte: a received message as the specification has it, all else as Standard Webhooks recommends
 * (https://www.standardwebhooks.com, "Event type", "Timestamp" and "Event data").
 */
export function webhookBody(type: WebhookEventType, payload: object, at: Date): string {
  return JSON.stringify(type === 'message.received' ? payload : { type, timestamp: at.toISOString(), data: payload });
}
