import { z } from 'zod';
import { limits } from './limits.js';
import { mediaFields, messageMedia } from './message-media.js';

const text = z.string().nullish();
/** Forms send numbers as text. */
const number = z.union([z.string(), z.number()]).nullish();
const encoding = z.enum(['GSM-7', 'UCS-2']);

/**
 * Encodings of a text: as it needs, in GSM-7 or not at all, or with GSM-7 equivalents of
 * typographic characters.
 */
export const smsEncodings = ['auto', 'gsm7', 'smart'] as const;
export type SmsEncoding = (typeof smsEncodings)[number];

/**
 * Where there are several routes: `once` tries another route only if the first certainly has not
 * delivered the message; `fast` also in doubt, and without a receipt in time, so that the message
 * may arrive twice. It is charged once.
 */
export const deliveries = ['once', 'fast'] as const;
export type Delivery = (typeof deliveries)[number];

const { hedgeSecondsMin, hedgeSecondsMax } = limits;
const hedgeSecondsFault = `must be a whole number from ${hedgeSecondsMin} to ${hedgeSecondsMax}. You were not charged`;

/**
 * Body of POST /api/sendsms, JSON or form-encoded. Only types are checked here: missing fields are
 * the next case of the error table with a text of its own. Unknown fields are ignored.
 */
export const sendSmsBody = z.object({
  to: text,
  message: text,
  apikey: text,
  reference: z.string().max(limits.referenceCharactersMax).nullish(),
  /** A number of the account, its id, or the id of a pool. */
  from: text,
  encoding: z.enum(smsEncodings).nullish(),
  quote: text,
  max_credits: number,
  /** RFC 3339 with an offset. */
  send_at: text,
  /** Seconds. */
  validity: number,
  dedupe: number,
  delivery: z.enum(deliveries, 'must be "once" or "fast". You were not charged').nullish(),
  /** Seconds. */
  hedge_seconds: z.union([z.string(), z.number()], hedgeSecondsFault).nullish(),
  ...mediaFields,
});
export type SendSmsBody = z.infer<typeof sendSmsBody>;

/**
 * Answer 200 of POST /api/sendsms. `credits` is the price of the message; a test key is not charged
 * (`test: true`). `message`: the text as it is sent, present for the encoding `smart` and for links
 * in place of files. `status` and `send_at`: present for a scheduled message. `replies`: present
 * when another account owns the conversation with the recipient and gets the replies. `delivery`:
 * present if the caller chose it. `kind` and `media`: present for a message with files.
 */
export const sendSmsAnswer = z.object({
  success: z.literal('true'),
  message_id: z.string().length(34),
  segments: z.int().positive(),
  credits: z.int().positive(),
  encoding,
  balance: z.int().nonnegative(),
  message: z.string().optional(),
  reference: z.string().optional(),
  status: z.literal('scheduled').optional(),
  send_at: z.iso.datetime().optional(),
  replies: z.literal('unavailable').optional(),
  delivery: z.enum(deliveries).optional(),
  kind: z.literal('mms').optional(),
  media: z.array(messageMedia).optional(),
  deduplicated: z.literal(true).optional(),
  test: z.literal(true).optional(),
});
export type SendSmsAnswer = z.infer<typeof sendSmsAnswer>;

/**
 * Answer 200 of POST /api/quote, whose body is that of POST /api/sendsms: the message's price,
 * which `quote` promises until `expires_at`. `unsupported_characters` are the first ones outside
 * GSM-7. `country` is ISO 3166-1 alpha-2. `balance_after` is null when the balance does not cover
 * the price. `kind`: present for a message with files. A test key gets an example for `balance`.
 */
export const priceQuoteAnswer = z.object({
  success: z.literal('true'),
  quote: z.string(),
  expires_at: z.iso.datetime(),
  segments: z.int().positive(),
  credits: z.int().positive(),
  encoding,
  unsupported_characters: z.array(z.string()).max(limits.quoteUnicodeCharactersMax),
  country: z.string().length(2),
  balance: z.int().nonnegative(),
  balance_after: z.int().nonnegative().nullable(),
  kind: z.literal('mms').optional(),
  test: z.literal(true).optional(),
});
export type PriceQuoteAnswer = z.infer<typeof priceQuoteAnswer>;

/** `mms`: with pictures or other files. `otp`: with a one-time password. */
export const messageKinds = ['sms', 'mms', 'otp'] as const;
export type MessageKind = (typeof messageKinds)[number];

/** States of a message in order; the last four are final. */
export const messageStatuses = [
  'scheduled',
  'queued',
  'sending',
  'sent',
  'delivered',
  'undelivered',
  'failed',
  'canceled',
] as const;
export type MessageStatus = (typeof messageStatuses)[number];

/** Proof that a delivery receipt gives: arrival at the phone, at its network, or nothing. */
export const receiptLevels = ['handset', 'network', 'none'] as const;
export type ReceiptLevel = (typeof receiptLevels)[number];

const instant = z.iso.datetime();

/**
 * A reason's code in a filter: a carrier's number, `network_` and a network's number, or our own
 * code.
 */
export const reasonCode = z
  .string()
  .regex(/^(\d{1,9}|[a-z_]{1,40}|network_\d{1,4})$/, 'must be a code of the carrier or of ours');

/**
 * Reason why a message was not delivered. `code`: the carrier's code if there is one, else ours; it
 * is the anchor on the page of delivery errors. `permanent`: the same message to the same number
 * would fail again.
 */
export const messageReason = z.object({ code: z.string(), text: z.string(), permanent: z.boolean() });
export type MessageReason = z.infer<typeof messageReason>;

/**
 * An outgoing message as its account sees it. Instants are ISO 8601 in UTC; `refunded` is in
 * credits. `kind` and `media`: present for a message with files, `media` while they are known.
 */
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
  reason: messageReason.nullable(),
  delivery: z.enum(deliveries),
  /** Number of hand-overs to carriers, including those that a carrier did not take. */
  attempts: z.int().nonnegative(),
  created_at: instant,
  /** Time at which a scheduled message leaves. */
  send_at: instant.nullable(),
  /** The carrier does not get the message after this time. */
  expires_at: instant.nullable(),
  sent_at: instant.nullable(),
  finished_at: instant.nullable(),
  kind: z.literal('mms').optional(),
  media: z.array(messageMedia).optional(),
});
export type MessageView = z.infer<typeof messageView>;

/** Answer of GET /api/messages/{message_id}. A test key gets an example with `test: true`. */
export const messageAnswer = messageView.extend({ success: z.literal('true'), test: z.literal(true).optional() });
export type MessageAnswer = z.infer<typeof messageAnswer>;

/**
 * Answer of GET /api/messages: newest first; `next_cursor` is null on the last page. A test key
 * gets an example with `test: true`.
 */
export const messagesAnswer = z.object({
  success: z.literal('true'),
  messages: z.array(messageView),
  next_cursor: z.string().nullable(),
  test: z.literal(true).optional(),
});
export type MessagesAnswer = z.infer<typeof messagesAnswer>;

/**
 * Query of GET /api/messages and /api/messages/{message_id}; `apikey` replaces `Authorization:
 * Bearer`.
 */
export const messagesQuery = z.object({ apikey: z.string().optional(), cursor: z.string().optional() });
export type MessagesQuery = z.infer<typeof messagesQuery>;

/**
 * Query of GET /api/messages: the cursor and filters. `reason`: why messages were not delivered.
 * `since` and `until` (exclusive) are RFC 3339 with an offset.
 */
export const messagesFilterQuery = messagesQuery.extend({
  status: z.enum(messageStatuses).optional(),
  reason: reasonCode.optional(),
  to: z.string().max(limits.searchedNumberCharactersMax).optional(),
  reference: z.string().max(limits.referenceCharactersMax).optional(),
  batch_id: z.string().optional(),
  since: z.string().optional(),
  until: z.string().optional(),
});
export type MessagesFilterQuery = z.infer<typeof messagesFilterQuery>;

/**
 * The call that a refused call should have been, with `Authorization: Bearer` or the `apikey` added
 * to its body.
 */
export const fixedCall = z.object({ call: z.string(), body: z.record(z.string(), z.unknown()) });
export type FixedCall = z.infer<typeof fixedCall>;

/**
 * Error answer of the public API: the catalogue's text, a stable code, and a detail for people.
 * `fix`: present if exactly one other call would do what was meant. `otp_id` and `guard` describe a
 * refusal by the fraud guard of one-time passwords; `verified` is null for a rule that does not
 * count verified codes.
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
  fix: fixedCall.optional(),
});
export type FailureAnswer = z.infer<typeof failureAnswer>;
