import { z } from 'zod';
import { billingQuery } from './billing.js';
import { recentUse } from './credit-use.js';
import { limits, tablePageSizes } from './limits.js';
import { mediaView } from './media.js';
import { messageReason, messageStatuses, reasonCode, receiptLevels } from './messages.js';
import { wholeNumber } from './whole-numbers.js';

/** Kinds of ledger entries that the history can be filtered by. */
export const ledgerKinds = [
  'signup',
  'purchase',
  'redeem',
  'message',
  'otp',
  'inbound',
  'refund',
  'chargeback',
  'adjustment',
  'number_rent',
  'number_setup',
] as const;
export type LedgerKind = (typeof ledgerKinds)[number];

/**
 * Held: received while the account had no credits; forwarded when credits are added. Limited:
 * beyond the hourly limit of its sender; neither charged nor forwarded.
 */
export const receivedStatuses = ['held', 'received', 'limited'] as const;
export type ReceivedStatus = (typeof receivedStatuses)[number];

/** An empty form field does not filter. */
const given = <T extends z.ZodType>(shape: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), shape.optional());

/** A day in New York, 'YYYY-MM-DD'. */
const day = z.iso.date().refine((text) => text >= '2000' && text < '3000', 'must be a day from 2000 to 2999');
const searchText = z
  .string()
  .max(limits.searchCharactersMax)
  .refine((text) => !text.includes('\0'), 'must not hold a NUL character');
const phoneNumber = z
  .string()
  .max(limits.searchedNumberCharactersMax)
  .regex(/\p{Nd}/u, 'must hold a digit');

/** Position of a row in an earlier answer. */
const rowNumber = wholeNumber(1, Number.MAX_SAFE_INTEGER);

/**
 * Selects rows of the New York days `from` to `to`, inclusive, before the cursor `continue` of an
 * earlier answer.
 */
const span = {
  from: given(day),
  to: given(day),
  continue: given(rowNumber),
};

/** Filters of the ledger. */
export const ledgerFilter = z.object({ ...span, kind: given(z.enum(ledgerKinds)) });
export type LedgerFilter = z.infer<typeof ledgerFilter>;

const messageFilter = { ...span, number: given(phoneNumber), text: given(searchText), search: given(searchText) };

/**
 * Filters of sent messages. `number`: a complete phone number or some of its digits; `text`: a
 * case-insensitive substring or a message id; `reason`: why they were not delivered. `search`: the
 * id of a message, one-time password or bulk; else a whole reference or recipient; else a part of a
 * text, reference or number.
 */
export const sentFilter = z.object({
  ...messageFilter,
  status: given(z.enum(messageStatuses)),
  reason: given(reasonCode),
});
export type SentFilter = z.infer<typeof sentFilter>;

/** Filters of received messages; `search` works as for sent messages, without references. */
export const receivedFilter = z.object({ ...messageFilter, status: given(z.enum(receivedStatuses)) });
export type ReceivedFilter = z.infer<typeof receivedFilter>;

/**
 * Page number, from 1, and rows per page. A search for a number, text, status or kind is always
 * newest first.
 */
const paging = {
  ...billingQuery.shape,
  size: wholeNumber(1, Number.MAX_SAFE_INTEGER)
    .refine((size) => tablePageSizes.includes(size), 'must be a page size')
    .default(limits.tablePageSize),
  order: z.enum(['newest', 'oldest']).default('newest'),
};

/** Queries of GET /api/dashboard/ledger, /messages/sent and /messages/received. */
export const ledgerQuery = ledgerFilter.extend(paging);
export type LedgerQuery = z.infer<typeof ledgerQuery>;
export const sentQuery = sentFilter.extend(paging);
export type SentQuery = z.infer<typeof sentQuery>;
export const receivedQuery = receivedFilter.extend(paging);
export type ReceivedQuery = z.infer<typeof receivedQuery>;

/**
 * A page of a history, newest first. `page` is the page shown: the last page if a later page was
 * requested.
 *
 * A filter scans a bounded number of rows at a time: `more` means that older rows were not scanned.
 * `total` and `pages` then count the matches back to `searchedTo` (New York time), and the same
 * query with `continue` resumes there. Sending `anchor` as `continue` keeps pages stable while new
 * rows arrive. `among` counts all rows of the days, matching or not.
 */
const historyOf = <T extends z.ZodType>(row: T) =>
  z.object({
    rows: z.array(row),
    page: z.int().positive(),
    pages: z.int().positive(),
    total: z.int().nonnegative(),
    among: z.int().nonnegative(),
    more: z.boolean(),
    searchedTo: z.string().nullable(),
    continue: z.int().positive().nullable(),
    anchor: z.int().positive(),
  });

/**
 * A ledger entry; `date` is New York time and `at` the instant; `amount` is negative if credits
 * were spent. `source` is the public id of a message, a checkout session, ….
 */
export const ledgerRow = z.object({
  date: z.string(),
  at: z.iso.datetime(),
  kind: z.enum(ledgerKinds),
  amount: z.int(),
  balanceAfter: z.int().nonnegative(),
  source: z.string(),
  note: z.string().nullable(),
});
export type LedgerRow = z.infer<typeof ledgerRow>;
export const ledgerAnswer = historyOf(ledgerRow);
export type LedgerAnswer = z.infer<typeof ledgerAnswer>;

/**
 * A row of the sent messages. `refunded` is in credits, `error` is our error code, `reason`
 * explains a failed delivery; `sendAt` is the time of a scheduled message.
 */
export const sentRow = z.object({
  messageId: z.string().length(34),
  date: z.string(),
  at: z.iso.datetime(),
  to: z.string(),
  message: z.string(),
  segments: z.int().positive(),
  status: z.enum(messageStatuses),
  credits: z.int().positive(),
  refunded: z.int().nonnegative(),
  error: z.string().nullable(),
  reason: messageReason.nullable(),
  reference: z.string().nullable(),
  sendAt: z.iso.datetime().nullable(),
  /** The files, as they are sent. */
  media: z.array(mediaView),
});
export type SentRow = z.infer<typeof sentRow>;
export const sentAnswer = historyOf(sentRow);
export type SentAnswer = z.infer<typeof sentAnswer>;

/**
 * Answer of GET /api/dashboard/messages/reasons: why messages of the last `deliverabilityDaysMax`
 * days were not delivered, the most frequent reason first.
 */
export const reasonsAnswer = z.object({ reasons: z.array(z.object({ code: z.string(), text: z.string() })) });
export type ReasonsAnswer = z.infer<typeof reasonsAnswer>;

/**
 * A row of the received messages; `credits` is 0 unless it is charged. `isTextRemoved`: its text
 * was erased; a person can also send an empty text.
 */
export const receivedRow = z.object({
  messageId: z.string().length(34),
  date: z.string(),
  at: z.iso.datetime(),
  from: z.string(),
  to: z.string(),
  message: z.string(),
  segments: z.int().positive(),
  status: z.enum(receivedStatuses),
  credits: z.int().nonnegative(),
  media: z.array(mediaView),
  isTextRemoved: z.boolean(),
});
export type ReceivedRow = z.infer<typeof receivedRow>;
export const receivedAnswer = historyOf(receivedRow);
export type ReceivedAnswer = z.infer<typeof receivedAnswer>;

/** A state that a message reached, with the time in New York and as an instant. */
export const timelineStep = z.object({ status: z.enum(messageStatuses), date: z.string(), at: z.iso.datetime() });
export type TimelineStep = z.infer<typeof timelineStep>;

/**
 * Answer of GET /api/dashboard/messages/sent/{message_id}; `carrierError` is the carrier's own
 * error code.
 */
export const sentDetailsAnswer = sentRow.extend({
  encoding: z.enum(['GSM-7', 'UCS-2']),
  from: z.string().nullable(),
  carrierError: z.int().nullable(),
  receiptLevel: z.enum(receiptLevels),
  timeline: z.array(timelineStep),
  ledger: z.array(ledgerRow),
});
export type SentDetailsAnswer = z.infer<typeof sentDetailsAnswer>;

/** `replies`: people who have replied. `unanswered`: people whose reply is the latest message. */
export const conversationTabs = ['replies', 'unanswered', 'all'] as const;
export type ConversationTab = (typeof conversationTabs)[number];

/**
 * Query of GET /api/dashboard/conversations: the position of `next` in an earlier answer. `number`:
 * a complete phone number or some of its digits; `text`: a case-insensitive substring of a message
 * of either direction.
 */
export const conversationsQuery = z.object({
  sent: given(rowNumber),
  received: given(rowNumber),
  below: given(rowNumber),
  tab: z.enum(conversationTabs).default('all'),
  number: given(phoneNumber),
  text: given(searchText),
});
export type ConversationsQuery = z.infer<typeof conversationsQuery>;

/**
 * A person with whom the account has exchanged messages. `direction`, `text` and `at` are of the
 * latest message, of the latest reply among people who have replied, and of the latest message with
 * the text that was searched for. `sentStatus` is of the latest message to the person: null when
 * there is none. `mediaTypes` are the types of the files of that message. `country` is ISO 3166-1
 * alpha-2, null for a short code or a name.
 */
export const conversationRow = z.object({
  number: z.string(),
  country: z.string().length(2).nullable(),
  direction: z.enum(['sent', 'received']),
  text: z.string(),
  isTextRemoved: z.boolean(),
  mediaTypes: z.array(z.string().nullable()),
  at: z.iso.datetime(),
  sentStatus: z.enum(messageStatuses).nullable(),
  optedOutAt: z.iso.datetime().nullable(),
  isUnanswered: z.boolean(),
});
export type ConversationRow = z.infer<typeof conversationRow>;

/**
 * People, the latest message first, or the latest reply among people who have replied; each is on
 * one page only. A page of all people, and of a search in texts, reads a bounded number of
 * messages: `searchedTo` (New York time) is how far back, null when it was enough for a whole page
 * or for all messages. `next` is null after the oldest message.
 */
export const conversationsAnswer = z.object({
  conversations: z.array(conversationRow),
  searchedTo: z.string().nullable(),
  next: z
    .union([
      z.object({ sent: z.int().positive(), received: z.int().positive() }),
      z.object({ below: z.int().positive() }),
    ])
    .nullable(),
});
export type ConversationsAnswer = z.infer<typeof conversationsAnswer>;

/**
 * Answer of GET /api/dashboard/conversations/unanswered: number of people who wait for an answer.
 * `isMore`: there are, or may be, more than `count`.
 */
export const unansweredAnswer = z.object({ count: z.int().nonnegative(), isMore: z.boolean() });
export type UnansweredAnswer = z.infer<typeof unansweredAnswer>;

/** Body of POST /api/dashboard/conversations/{number}/answered: the latest reply that was seen. */
export const answeredBody = z.object({ messageId: z.string().length(34) });
export type AnsweredBody = z.infer<typeof answeredBody>;

/**
 * Query of GET /api/dashboard/conversations/{number}: the position of `next` in an earlier answer.
 */
export const conversationQuery = z.object({
  before: given(z.string().length(34)),
  below: given(rowNumber),
});
export type ConversationQuery = z.infer<typeof conversationQuery>;

/**
 * A message to or from a person. `sender` is our number, null before the message was sent.
 * `isTextRemoved`: its text was erased; false if it never had a text.
 */
export const conversationMessage = z.object({
  direction: z.enum(['sent', 'received']),
  messageId: z.string().length(34),
  at: z.iso.datetime(),
  text: z.string(),
  isTextRemoved: z.boolean(),
  sender: z.string().nullable(),
  status: z.enum([...messageStatuses, ...receivedStatuses]),
  credits: z.int().nonnegative(),
  refunded: z.int().nonnegative(),
  media: z.array(mediaView),
});
export type ConversationMessage = z.infer<typeof conversationMessage>;

/**
 * Messages between the account and a person, newest first. `optedOutAt`: time from which the sender
 * of the latest messages cannot write to the person. `isUnanswered`: the latest message is the
 * person's, and was not marked as answered. `next` is null after the oldest message.
 */
export const conversationAnswer = z.object({
  number: z.string(),
  messages: z.array(conversationMessage),
  optedOutAt: z.iso.datetime().nullable(),
  isUnanswered: z.boolean(),
  next: z.object({ before: z.string().nullable(), below: z.int().positive().nullable() }).nullable(),
});
export type ConversationAnswer = z.infer<typeof conversationAnswer>;

/**
 * Answer of GET /api/dashboard/credits; `frozen` credits cannot be spent during a dispute.
 * `updatedAt` is New York time. `recentUse` is null with too little use for a forecast.
 */
export const creditsAnswer = z.object({
  purchased: z.int().nonnegative(),
  used: z.int().nonnegative(),
  balance: z.int().nonnegative(),
  frozen: z.int().nonnegative(),
  updatedAt: z.string(),
  recentUse: recentUse.nullable(),
});
export type CreditsAnswer = z.infer<typeof creditsAnswer>;
