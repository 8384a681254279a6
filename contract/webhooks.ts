import { z } from 'zod';
import { limits } from './limits.js';
import { receivedMedia } from './media.js';

/** Events that are off by default and enabled per account. */
export const optionalWebhookEvents = [
  'message.scheduled',
  'message.sent',
  'message.rerouted',
  'message.delivered',
  'message.undelivered',
  'message.failed',
  'message.canceled',
  'message.media_ready',
  'otp.sent',
  'otp.verified',
  'otp.failed',
  'otp.expired',
  'otp.blocked',
  'credits.low',
  'credits.daily_spend',
  'number.active',
  'number.past_due',
  'number.released',
  'number.filtered',
] as const;
export type OptionalWebhookEvent = (typeof optionalWebhookEvents)[number];

/** All webhook events; `message.received` is sent to every account with a webhook URL. */
export const webhookEventTypes = ['message.received', ...optionalWebhookEvents] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

/**
 * Body of `message.received`. The field names are the specification's. `Recipient` is there only if the
 * reply came to a number that the account has to itself, `Media` only with files.
 */
export const receivedMessagePayload = z.object({
  MessageId: z.string().length(34),
  Sender: z.string(),
  Message: z.string(),
  Status: z.literal('Received'),
  DateTime: z.string(),
  Recipient: z.string().optional(),
  Media: z.array(receivedMedia).min(1).optional(),
});
export type ReceivedMessagePayload = z.infer<typeof receivedMessagePayload>;

const instant = z.iso.datetime();

/**
 * Answer of GET /api/dashboard/webhook. `secret` is in clear text, `maskedSecret` is shown until
 * the user reveals it.
 */
export const webhookAnswer = z.object({
  /** The default URL if none is set, which means that receiving is off. */
  url: z.string(),
  receiving: z.boolean(),
  events: z.array(z.enum(optionalWebhookEvents)),
  /** `credits.low` is sent when the balance falls below this. */
  lowCredits: z.int().positive(),
  secret: z.string(),
  maskedSecret: z.string(),
  /** Time until which the previous secret signs too; null if it does not. */
  previousSecretEndsAt: instant.nullable(),
  failingSince: instant.nullable(),
  /**
   * `gone`: the endpoint returned 410. `failing`: five days of failures. `operator`: only the
   * operator can turn it on again.
   */
  disabled: z.object({ at: instant, reason: z.enum(['gone', 'failing', 'operator']) }).nullable(),
});
export type WebhookAnswer = z.infer<typeof webhookAnswer>;

/** Body of PUT /api/dashboard/webhook/events: all enabled events besides `message.received`. */
export const webhookEventsBody = z.object({
  events: z.array(z.enum(optionalWebhookEvents)).max(optionalWebhookEvents.length),
  lowCredits: z.int().min(1).max(limits.lowCreditsMax).optional(),
});
export type WebhookEventsBody = z.infer<typeof webhookEventsBody>;

/** `pending`: another attempt follows; `paused`: the webhook is off. */
export const webhookDeliveryStatuses = ['pending', 'paused', 'delivered', 'failed'] as const;
export type WebhookDeliveryStatus = (typeof webhookDeliveryStatuses)[number];

/** Callbacks of single messages: Twilio's StatusCallback, and replies as Textbelt posts them. */
export const callbackFormats = ['twilio', 'textbelt'] as const;
export type CallbackFormat = (typeof callbackFormats)[number];

/** Subject of an event, as far as its payload names it. */
export const webhookSubject = z.object({
  /** The number of the other person, E.164. */
  number: z.string().nullable(),
  messageId: z.string().nullable(),
  otpId: z.string().nullable(),
  received: z.boolean(),
});
export type WebhookSubject = z.infer<typeof webhookSubject>;

/** Failure of the last call: the HTTP status, or the reason for a missing answer. */
export const webhookFailure = z.object({ status: z.int().nullable(), error: z.string().nullable() });
export type WebhookFailure = z.infer<typeof webhookFailure>;

/** Returns 'HTTP 500', 'no complete answer within 10 s' or 'connection refused'. */
export function failureInWords({ status, error }: WebhookFailure): string {
  if (status !== null) return `HTTP ${status}`;
  return (error ?? 'no answer')
    .replace(/^(there (was|is)|the) /i, '')
    .replace(/^connection was /, 'connection ')
    .replace(/,.*$/, '')
    .replace(/\.$/, '');
}

export const webhookDelivery = z.object({
  /** The `webhook-id` header, the same on every attempt. */
  id: z.string(),
  type: z.enum(webhookEventTypes),
  test: z.boolean(),
  status: z.enum(webhookDeliveryStatuses),
  attempts: z.int().nonnegative(),
  /** Null when the last call succeeded, and before the first one. */
  failure: webhookFailure.nullable(),
  about: webhookSubject,
  createdAt: instant,
  nextAttemptAt: instant.nullable(),
  finishedAt: instant.nullable(),
  /** The message's own URL; null if it goes to the account's webhook. */
  callback: z.object({ format: z.enum(callbackFormats), url: z.string() }).nullable(),
});
export type WebhookDelivery = z.infer<typeof webhookDelivery>;

/** A status to filter by; `retrying` and `pending`: another attempt follows, after a failure or not. */
export const webhookDeliveryFilters = ['retrying', ...webhookDeliveryStatuses] as const;
export type WebhookDeliveryFilter = (typeof webhookDeliveryFilters)[number];

const given = <T extends z.ZodType>(shape: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), shape.optional());

/**
 * Query of GET /api/dashboard/webhook/deliveries. `message` selects the deliveries about a message
 * by its public id. `search` is the id of a message, a one-time password or a webhook, or a part of
 * a phone number.
 */
export const webhookDeliveriesQuery = z.object({
  cursor: z.string().optional(),
  status: given(z.enum(webhookDeliveryFilters)),
  type: given(z.enum(webhookEventTypes)),
  message: z.string().optional(),
  search: given(z.string().max(limits.searchCharactersMax)),
});
export type WebhookDeliveriesQuery = z.infer<typeof webhookDeliveriesQuery>;

/**
 * Answer of GET /api/dashboard/webhook/deliveries, newest first; `nextCursor` is null on the last
 * page. With a filter a page may have few deliveries, or none, although `nextCursor` is not null.
 */
export const webhookDeliveriesAnswer = z.object({
  deliveries: z.array(webhookDelivery),
  nextCursor: z.string().nullable(),
});
export type WebhookDeliveriesAnswer = z.infer<typeof webhookDeliveriesAnswer>;

/**
 * An attempt: `status` is null and `error` gives the reason if there was no answer; `answer` is the
 * beginning of its body.
 */
export const webhookAttempt = z.object({
  at: instant,
  durationMs: z.int().nonnegative(),
  status: z.int().nullable(),
  answer: z.string(),
  error: z.string().nullable(),
});
export type WebhookAttempt = z.infer<typeof webhookAttempt>;

/**
 * Answer of GET /api/dashboard/webhook/deliveries/{id}, of resend and test: attempts newest first,
 * `body` as sent.
 */
export const webhookDeliveryAnswer = webhookDelivery.extend({ body: z.string(), attemptList: z.array(webhookAttempt) });
export type WebhookDeliveryAnswer = z.infer<typeof webhookDeliveryAnswer>;

/**
 * Body of POST /api/dashboard/webhook/replay: from (inclusive) to (exclusive). `which`: failed
 * deliveries, or all.
 */
export const webhookReplayBody = z
  .object({ from: instant, to: instant, which: z.enum(['failed', 'all']).default('failed') })
  .refine(({ from, to }) => Date.parse(from) < Date.parse(to), { path: ['to'], message: 'must be later than from' });
export type WebhookReplayBody = z.infer<typeof webhookReplayBody>;

/**
 * Answer of POST /api/dashboard/webhook/replay: the number of deliveries that are sent again;
 * `more` if the limit was reached.
 */
export const webhookReplayAnswer = z.object({ replayed: z.int().nonnegative(), more: z.boolean() });
export type WebhookReplayAnswer = z.infer<typeof webhookReplayAnswer>;

/**
 * Query of GET /api/events. The stream continues after the event that the header `Last-Event-ID`
 * names.
 */
export const eventsQuery = z.object({ apikey: z.string().optional() });

/**
 * Body of POST /api/events: creates an example of this event, for open streams and for the webhook.
 */
export const triggerEventBody = z.object({ apikey: z.string().optional(), type: z.enum(webhookEventTypes) });
export type TriggerEventBody = z.infer<typeof triggerEventBody>;

/** Answer of POST /api/events; `event_id` is the `webhook-id`. A test key creates nothing. */
export const triggeredEventAnswer = z.object({
  success: z.literal('true'),
  event_id: z.string(),
  test: z.literal(true).optional(),
});
export type TriggeredEventAnswer = z.infer<typeof triggeredEventAnswer>;

/** Body of POST /api/dashboard/webhook/test: sends an example of this event once. */
export const webhookTestBody = z.object({ type: z.enum(webhookEventTypes).default('message.received') });
export type WebhookTestBody = z.infer<typeof webhookTestBody>;
