import { z } from 'zod';
import { limits } from './limits.js';

const text = z.string().nullish();

/**
 * Body of POST /api/sendsms, JSON or form-encoded. Only types are checked here: missing fields are the next case
 * of the error table with a text of its own. Unknown fields are ignored.
 */
export const sendSmsBody = z.object({
  to: text,
  message: text,
  apikey: text,
  reference: z.string().max(limits.referenceCharactersMax).nullish(),
});
export type SendSmsBody = z.infer<typeof sendSmsBody>;

/**
 * Answer 200 of POST /api/sendsms. `credits` is the price of the message; a test key is not charged (`test: true`). `replies`: present when
 * another account owns the conversation with the recipient and gets the replies.
 */
export const sendSmsAnswer = z.object({
  success: z.literal('true'),
  message_id: z.string().length(34),
  segments: z.int().positive(),
  credits: z.int().positive(),
  reference: z.string().optional(),
  replies: z.literal('unavailable').optional(),
  test: z.literal(true).optional(),
});
export type SendSmsAnswer = z.infer<typeof sendSmsAnswer>;

/** States of a message in order; the last three are final. */
export const messageStatuses = ['queued', 'sending', 'sent', 'delivered', 'undelivered', 'failed'] as const;
export type MessageStatus = (typeof messageStatuses)[number];

const instant = z.iso.datetime();

/** An outgoing message as its account sees it. Instants are ISO 8601 in UTC; `refunded` is in credits. */
export const messageView = z.object({
  message_id: z.string().length(34),
  to: z.string(),
  from: z.string().nullable(),
  message: z.string(),
  status: z.enum(messageStatuses),
  segments: z.int().positive(),
  credits: z.int().nonnegative(),
  refunded: z.int().nonnegative(),
  reference: z.string().nullable(),
  error_code: z.string().nullable(),
  carrier_error: z.int().nullable(),
  created_at: instant,
  sent_at: instant.nullable(),
  finished_at: instant.nullable(),
});
export type MessageView = z.infer<typeof messageView>;

/** Answer of GET /api/messages/{message_id}. */
export const messageAnswer = messageView.extend({ success: z.literal('true') });
export type MessageAnswer = z.infer<typeof messageAnswer>;

/** Answer of GET /api/messages: newest first; `next_cursor` is null on the last page. */
export const messagesAnswer = z.object({
  success: z.literal('true'),
  messages: z.array(messageView),
  next_cursor: z.string().nullable(),
});
export type MessagesAnswer = z.infer<typeof messagesAnswer>;

/** Query of GET /api/messages and /api/messages/{message_id}; `apikey` replaces `Authorization: Bearer`. */
export const messagesQuery = z.object({ apikey: z.string().optional(), cursor: z.string().optional() });
export type MessagesQuery = z.infer<typeof messagesQuery>;

/**
 * Error answer of the public API: the catalogue's text, a stable code, and a detail for people. `otp_id` and `guard` describe what
 * the fraud guard of one-time passwords refused; `verified` is null for a rule that does not count verified codes.
 */
export const failureAnswer = z.object({
  success: z.literal('false'),
  error: z.string(),
  code: z.string(),
  detail: z.string(),
  otp_id: z.string().length(34).optional(),
  guard: z
    .object({ rule: z.string(), sent: z.int().nonnegative(), verified: z.int().nonnegative().nullable() })
    .optional(),
});
export type FailureAnswer = z.infer<typeof failureAnswer>;
