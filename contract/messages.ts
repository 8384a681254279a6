import { z } from 'zod';

/** A message's states, in the order they are passed through; the last three are final. */
export const messageStatuses = ['queued', 'sending', 'sent', 'delivered', 'undelivered', 'failed'] as const;
export type MessageStatus = (typeof messageStatuses)[number];

const instant = z.iso.datetime();

/** One outgoing message as its sender sees it. Instants are ISO 8601 in UTC; `refunded` is the credits given back. */
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

/** Query of GET /api/messages and /api/messages/{message_id}; `apikey` stands in for `Authorization: Bearer`. */
export const messagesQuery = z.object({ apikey: z.string().optional(), cursor: z.string().optional() });
export type MessagesQuery = z.infer<typeof messagesQuery>;
