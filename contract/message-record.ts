import { z } from 'zod';
import { ledgerKinds } from './histories.js';
import { messageAnswer, messageStatuses, receiptLevels } from './messages.js';
import { callbackFormats, webhookDeliveryStatuses, webhookEventTypes } from './webhooks.js';

const instant = z.iso.datetime();

/** Causes of a state, besides the error codes of messages. */
export const recordCauses = [
  'accepted',
  'send_at',
  'claimed',
  'carrier_accepted',
  'delivery_receipt',
  'canceled',
] as const;

/** Parts of a record that are deleted after their retention time, or on request. */
export const recordParts = ['text', 'media', 'number', 'carrier_id', 'webhooks'] as const;

/**
 * A state that the message reached. `cause` is one of {@link recordCauses} or the message's
 * `error_code`.
 */
const transition = z.object({ status: z.enum(messageStatuses), at: instant, cause: z.string() });

/** An entry of the account's ledger; `seal` covers it, and is null until then. */
const entry = z.object({
  number: z.int().positive(),
  at: instant,
  kind: z.enum(ledgerKinds),
  amount: z.int(),
  balance_after: z.int(),
  note: z.string().nullable(),
  seal: z
    .object({
      number: z.int().positive(),
      first: z.int().positive(),
      last: z.int().positive(),
      sealed_at: instant,
      key: z.string(),
      hash: z.string(),
    })
    .nullable(),
});

/** A URL of this message alone, without its query. */
const callback = z.object({ format: z.enum(callbackFormats), url: z.string() });

const attempt = z.object({
  at: instant,
  duration_ms: z.int().nonnegative(),
  status: z.int().nullable(),
  answer: z.string(),
  error: z.string().nullable(),
});

/** Reasons for a hand-over to a route. */
export const attemptReasons = ['first', 'not_taken', 'route_failed', 'doubtful', 'slow', 'route_paused'] as const;
export type AttemptReason = (typeof attemptReasons)[number];

/** Answer of a route; null before it answers. */
export const attemptOutcomes = ['accepted', 'not_taken', 'doubtful'] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];

/** A hand-over to a route. Routes are named r1, r2 … within the message. */
const handOver = z.object({
  n: z.int().positive(),
  route: z.string().regex(/^r[1-9]$/),
  sender: z.string(),
  handed_at: instant.nullable(),
  outcome: z.enum(attemptOutcomes).nullable(),
  reason: z.enum(attemptReasons),
  receipt: z.enum(['delivered', 'undelivered', 'failed']).nullable(),
});
export type HandOver = z.infer<typeof handOver>;

/**
 * A webhook or callback about the message: its body, and its attempts, oldest first. `attempts`
 * counts all of them.
 */
const webhook = z.object({
  id: z.string(),
  type: z.enum(webhookEventTypes),
  callback: callback.nullable(),
  status: z.enum(webhookDeliveryStatuses),
  created_at: instant,
  finished_at: instant.nullable(),
  body: z.string(),
  attempts: z.int().nonnegative(),
  attempt_list: z.array(attempt),
});
export type RecordedWebhook = z.infer<typeof webhook>;

/**
 * Answer of GET /api/messages/{message_id}/record and of the dashboard's: the message with
 * everything known of it at `recorded_at`. `receipt_level`: proof that a receipt of its route
 * gives, as far as the operator knows now. `removed` names the parts that are no longer kept. A
 * test key gets an example with `test: true`.
 */
export const messageRecordAnswer = messageAnswer.extend({
  recorded_at: instant,
  kind: z.enum(['sms', 'mms', 'otp']),
  encoding: z.enum(['GSM-7', 'UCS-2']).nullable(),
  carrier_id: z.string().nullable(),
  receipt_level: z.enum(receiptLevels),
  attempt_list: z.array(handOver),
  transitions: z.array(transition),
  refund: z.object({ credits: z.int().positive(), at: instant }).nullable(),
  ledger: z.array(entry),
  callback: callback.nullable(),
  webhooks: z.array(webhook),
  removed: z.array(z.object({ part: z.enum(recordParts), why: z.string() })),
});
export type MessageRecordAnswer = z.infer<typeof messageRecordAnswer>;
export type MessageRecord = Omit<MessageRecordAnswer, 'success' | 'test'>;
