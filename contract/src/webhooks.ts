import { z } from 'zod';

/** Events beyond the specification: sent to those who ask for them, off by default. */
export const optionalWebhookEvents = [
  'message.sent',
  'message.delivered',
  'message.undelivered',
  'message.failed',
  'otp.verified',
  'credits.low',
] as const;
export type OptionalWebhookEvent = (typeof optionalWebhookEvents)[number];

/** Everything a webhook may tell; `message.received` goes to whoever has a webhook URL. */
export const webhookEventTypes = ['message.received', ...optionalWebhookEvents] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

/** The body of `message.received`, as the specification has it. */
export const receivedMessagePayload = z.object({
  MessageId: z.string().length(34),
  Sender: z.string(),
  Message: z.string(),
  Status: z.literal('Received'),
  DateTime: z.string(),
});
export type ReceivedMessagePayload = z.infer<typeof receivedMessagePayload>;
