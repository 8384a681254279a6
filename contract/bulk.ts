import { z } from 'zod';
import { limits } from './limits.js';
import { mediaFields } from './message-media.js';
import { failureAnswer, messageStatuses, messageView, priceQuoteAnswer, sendSmsBody } from './messages.js';

const text = z.string().nullish();

/** A variable of a template, such as `{{name}}`; the group is its name. */
export const templateVariable = /\{\{\s*([\p{L}\p{N}_-]+)\s*\}\}/gu;

/** Fields of the whole bulk that a caller may expect in an item, where nothing would read them. */
export const bulkFileFields = ['media', 'media_fallback'] as const;

/**
 * Returns why an item of `list` cannot have one of {@link bulkFileFields}, to be read after its
 * name.
 */
export function misplacedFiles(list: 'messages' | 'recipients'): string {
  return `belongs beside \`${list}\`: all of them get the same files`;
}

function refuseFiles(item: unknown, context: z.core.$RefinementCtx): unknown {
  if (typeof item === 'object' && item !== null)
    for (const [name, value] of Object.entries(item))
      if (value !== null && bulkFileFields.some((field) => field === name))
        context.addIssue({ code: 'custom', path: [name], message: misplacedFiles('messages') });
  return item;
}

/**
 * One message of a bulk. Its fields are checked item by item, so that one bad item can be listed
 * beside good ones.
 */
const bulkMessage = z.preprocess(refuseFiles, z.object({ to: text, message: text, reference: text }));

/** One recipient of a template. Every field is a variable of the template. */
const bulkRecipient = z.looseObject({ to: text, reference: text });

/** The number of items is checked before any of them: megabytes can hold millions. */
const items = <Item extends z.ZodType>(item: Item) =>
  z
    .array(z.unknown())
    .min(1, 'must have at least one item')
    .max(limits.bulkMessagesMax, `may have at most ${limits.bulkMessagesMax.toLocaleString('en-US')} items`)
    .pipe(z.array(item))
    .nullish();

/**
 * Body of POST /api/sendbulk, JSON only: `messages`, or a template in `message` and its
 * `recipients`. `partial`: accept what can be accepted; without it any rejected item rejects all.
 * Every message gets the files in `media`.
 */
export const sendBulkBody = z.object({
  apikey: text,
  messages: items(bulkMessage),
  message: z.string().max(limits.templateCharactersMax).nullish(),
  recipients: items(bulkRecipient),
  ...sendSmsBody.pick({
    from: true,
    encoding: true,
    quote: true,
    max_credits: true,
    send_at: true,
    validity: true,
    dedupe: true,
    delivery: true,
    hedge_seconds: true,
  }).shape,
  ...mediaFields,
  partial: z.boolean().nullish(),
});
export type SendBulkBody = z.infer<typeof sendBulkBody>;

/**
 * An item that was not accepted. `index` counts from 0; `code` is a code of the catalogue, or
 * `duplicate`.
 */
export const rejectedItem = z.object({
  index: z.int().nonnegative(),
  to: z.string(),
  code: z.string(),
  detail: z.string(),
});
export type RejectedItem = z.infer<typeof rejectedItem>;

/**
 * Answer 200 of POST /api/sendbulk. `credits` is the price of all accepted messages; a test key is
 * not charged (`test: true`).
 */
export const sendBulkAnswer = z.object({
  success: z.literal('true'),
  batch_id: z.string().length(34),
  accepted: z.int().positive(),
  rejected: z.array(rejectedItem),
  credits: z.int().positive(),
  balance: z.int().nonnegative(),
  test: z.literal(true).optional(),
});
export type SendBulkAnswer = z.infer<typeof sendBulkAnswer>;

/**
 * Answer 200 of POST /api/quote with the body of POST /api/sendbulk; `balance_after` is null if the
 * balance does not cover the price.
 */
export const bulkQuoteAnswer = priceQuoteAnswer
  .pick({
    success: true,
    quote: true,
    expires_at: true,
    segments: true,
    credits: true,
    balance: true,
    balance_after: true,
    kind: true,
    test: true,
  })
  .extend({ messages: z.int().positive(), rejected: z.array(rejectedItem) });
export type BulkQuoteAnswer = z.infer<typeof bulkQuoteAnswer>;

/** Answer 400 `bulk_rejected`: nothing was accepted or charged. */
export const bulkRejectedAnswer = failureAnswer.extend({ rejected: z.array(rejectedItem) });

/** Number of a batch's messages in each status. */
export const batchCounts = z.record(z.enum(messageStatuses), z.int().nonnegative());

/** A batch as its account sees it: credits charged and refunded so far. */
export const batchView = z.object({
  batch_id: z.string().length(34),
  created_at: z.iso.datetime(),
  messages: z.int().positive(),
  statuses: batchCounts,
  credits: z.int().nonnegative(),
  refunded: z.int().nonnegative(),
});
export type BatchView = z.infer<typeof batchView>;

/** Answer of GET /api/batches/{batch_id}. A test key gets an example with `test: true`. */
export const batchAnswer = batchView.extend({ success: z.literal('true'), test: z.literal(true).optional() });
export type BatchAnswer = z.infer<typeof batchAnswer>;

/**
 * Answer of GET /api/batches: newest first; `next_cursor` is null on the last page. A test key gets
 * an example with `test: true`.
 */
export const batchesAnswer = z.object({
  success: z.literal('true'),
  batches: z.array(batchView),
  next_cursor: z.string().nullable(),
  test: z.literal(true).optional(),
});
export type BatchesAnswer = z.infer<typeof batchesAnswer>;

/** Query of GET /api/dashboard/batches and of a batch's messages there. */
export const batchesQuery = z.object({ cursor: z.string().optional() });
export type BatchesQuery = z.infer<typeof batchesQuery>;

/**
 * Answer of POST /api/batches/{batch_id}/cancel: the batch afterwards, and the number of messages
 * that this call canceled.
 */
export const batchCanceledAnswer = batchAnswer.extend({ canceled: z.int().nonnegative() });
export type BatchCanceledAnswer = z.infer<typeof batchCanceledAnswer>;

/**
 * Answer of GET /api/batches/{batch_id}/messages: newest first; `next_cursor` is null on the last
 * page.
 */
export const batchMessagesAnswer = z.object({
  success: z.literal('true'),
  messages: z.array(messageView),
  next_cursor: z.string().nullable(),
  test: z.literal(true).optional(),
});
export type BatchMessagesAnswer = z.infer<typeof batchMessagesAnswer>;
