import { z } from 'zod';
import { limits } from './limits.js';
import { mediaFallbacks } from './message-media.js';
import { messageView } from './messages.js';
import { typedName } from './names.js';
import { wholeNumber } from './whole-numbers.js';

/** Query of GET /api/dashboard/activity: number of New York days, including today. */
export const activityQuery = z.object({
  days: wholeNumber(1, limits.activityDaysMax).default(limits.activityDaysDefault),
});
export type ActivityQuery = z.infer<typeof activityQuery>;

const count = z.int().nonnegative();

/**
 * Messages accepted on a New York day, by current state. `queued` includes `sending`, and a
 * scheduled message that is more than a day late.
 */
export const activityDay = z.object({
  day: z.iso.date(),
  scheduled: count,
  queued: count,
  sent: count,
  delivered: count,
  undelivered: count,
  failed: count,
  canceled: count,
});
export type ActivityDay = z.infer<typeof activityDay>;

/** Answer of GET /api/dashboard/activity: every requested day, oldest first. */
export const activityAnswer = z.object({ days: z.array(activityDay) });
export type ActivityAnswer = z.infer<typeof activityAnswer>;

/**
 * Answer of GET /api/dashboard/summary: number of the newest messages, at most
 * `summaryMessagesMax`, number delivered, and cost by country after refunds, the most expensive
 * first.
 */
export const summaryAnswer = z.object({
  messages: count,
  delivered: count,
  countries: z.array(z.object({ country: z.string(), messages: count, credits: count })),
});
export type SummaryAnswer = z.infer<typeof summaryAnswer>;

/**
 * Body of POST /api/dashboard/quote: a partly typed message. `files`: number of its files.
 * `mediaFallback`: `link` makes it a text with links where no network takes them.
 */
export const quoteBody = z.object({
  to: z.string(),
  message: z.string(),
  from: z.string().optional(),
  files: z.int().min(0).max(limits.messageMediaMax).optional(),
  mediaFallback: z.enum(mediaFallbacks).optional(),
});
export type QuoteBody = z.infer<typeof quoteBody>;

/**
 * The field that a fault concerns. `credits` is the balance or the daily limit, which apply to live
 * messages only.
 */
export const quoteFields = ['to', 'message', 'from', 'files', 'credits'] as const;

/**
 * Segments and price of the message. `kind`: with files, `mms`; with links to them, `sms`. `iso2`
 * and `country` are guessed while the number is incomplete; `country` and `creditsPerSms` are null
 * outside the region table. `credits` and `balanceAfter` are null while the price is unknown,
 * `balanceAfter` also if the balance does not cover it. `charactersLeft` fit into the last segment;
 * `unicodeCharacters` are the first ones outside GSM-7. `faults` are the errors that sending would
 * return, with the codes of the API.
 */
export const quoteAnswer = z.object({
  kind: z.enum(['sms', 'mms']),
  country: z.string().nullable(),
  iso2: z.string().length(2).nullable(),
  active: z.boolean(),
  encoding: z.enum(['GSM-7', 'UCS-2']),
  segments: z.int().positive(),
  charactersLeft: z.int().nonnegative(),
  unicodeCharacters: z.array(z.string()).max(limits.quoteUnicodeCharactersMax),
  creditsPerSms: z.int().positive().nullable(),
  credits: z.int().positive().nullable(),
  balance: z.int().nonnegative(),
  balanceAfter: z.int().nonnegative().nullable(),
  faults: z.array(z.object({ field: z.enum(quoteFields), code: z.string(), detail: z.string() })),
});
export type QuoteAnswer = z.infer<typeof quoteAnswer>;

/**
 * Answer of GET and POST /api/dashboard/sending…: the account's suspension from sending, null when
 * it may send. Of `recipients` in 24 hours `undelivered` were not reached. `mayLift`: the customer
 * can lift it, once. `suspendedAt` is New York time.
 */
export const sendingAnswer = z.object({
  suspension: z
    .object({ suspendedAt: z.string(), recipients: count, undelivered: count, mayLift: z.boolean() })
    .nullable(),
});
export type SendingAnswer = z.infer<typeof sendingAnswer>;

/** Path of the server-sent events (HTML standard, section 9.2) for signed-in pages. */
export const dashboardEventsPath = '/api/dashboard/events';

/**
 * Events of the stream: names and schemas of their data.
 *
 * - `live`: changes arrive from now on, so a page has to reload its view. The first event, repeated
 *   after the server lost its own connection; before it, the page shows what it loaded.
 * - `message`: current state of an outgoing message that is new or has changed; in order of
 *   acceptance.
 * - `received`: inbound messages that are new or have changed.
 * - `balance`: in credits, balance = purchased - used, of which `frozen` cannot be spent.
 * - `many`: there are more changes than the stream sends: reload the view. At most once a second.
 * - `welcome`: the welcome email could not be sent: reload its state.
 * - `notifications`: they may have changed: reload them.
 * - `beat`: every 2 seconds, so that a page notices a connection that was lost without a sign.
 * - `ended`: the last event; do not reconnect. A stream that ends without it can be reopened, as
 *   EventSource does.
 */
export const dashboardEvents = {
  live: z.object({}),
  message: messageView,
  received: z.object({ message_ids: z.array(z.string().length(34)) }),
  balance: z.object({
    balance: z.int().nonnegative(),
    purchased: z.int().nonnegative(),
    used: z.int().nonnegative(),
    frozen: z.int().nonnegative(),
  }),
  many: z.object({}),
  welcome: z.object({}),
  notifications: z.object({}),
  beat: z.object({}),
  ended: z.object({ reason: z.enum(['signed_out', 'too_many_streams']) }),
} as const;

export type DashboardEvents = { [Name in keyof typeof dashboardEvents]: z.infer<(typeof dashboardEvents)[Name]> };
export type DashboardEventName = keyof DashboardEvents;

const given = <T extends z.ZodType>(shape: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), shape.optional());

/** A day in New York, 'YYYY-MM-DD'. */
const day = z.iso.date().refine((text) => text >= '2000' && text < '3000', 'must be a day from 2000 to 2999');

/**
 * Query of GET /api/dashboard/requests. `path` is a part of the path; `search` a part of the path, a
 * request id, or the id of a message or a bulk; `key` the last characters of a key; `from` and `to`
 * are New York days, inclusive; `cursor` comes from an earlier answer.
 */
export const apiRequestsQuery = z.object({
  status: given(z.enum(['2xx', '4xx', '5xx'])),
  code: given(z.string().max(limits.searchedNumberCharactersMax)),
  requestId: given(z.string().max(limits.searchedNumberCharactersMax)),
  path: given(z.string().max(limits.searchCharactersMax)),
  search: given(z.string().max(limits.searchCharactersMax)),
  key: given(z.string().max(limits.searchedNumberCharactersMax)),
  from: given(day),
  to: given(day),
  cursor: given(z.uuid()),
});
export type ApiRequestsQuery = z.infer<typeof apiRequestsQuery>;

/**
 * A call of the API. `code` is the error code of a refused call; `fields` are the sent fields as
 * JSON, without texts, codes and keys and with masked numbers. `keyName` is null for the account's
 * first key; `keyEnding` are the key's last characters. `times` counts equal refusals of about a
 * second, of which this is the first.
 */
export const apiRequest = z.object({
  id: z.uuid(),
  at: z.iso.datetime(),
  method: z.string(),
  path: z.string(),
  status: z.int(),
  code: z.string().nullable(),
  requestId: z.string(),
  durationMs: count,
  keyName: z.string().nullable(),
  keyEnding: z.string(),
  isTest: z.boolean(),
  messageId: z.string().nullable(),
  batchId: z.string().nullable(),
  fields: z.string(),
  times: z.int().positive(),
});
export type ApiRequest = z.infer<typeof apiRequest>;

/**
 * A day (UTC) of which not all calls are listed: after the first `listedMax`, one call of each
 * `apiRequestsSampleEvery` is.
 */
const cutDay = z.object({ day: z.iso.date(), calls: count, listedMax: count });
export type CutDay = z.infer<typeof cutDay>;

/**
 * Answer of GET /api/dashboard/requests, newest first; with a filter a page may be empty although
 * `nextCursor` is not null.
 */
export const apiRequestsAnswer = z.object({
  keptDays: count,
  cutDays: z.array(cutDay),
  requests: z.array(apiRequest),
  nextCursor: z.uuid().nullable(),
});
export type ApiRequestsAnswer = z.infer<typeof apiRequestsAnswer>;

/**
 * Answer of GET /api/dashboard/requests/choices: the error codes and keys of the newest
 * `apiRequestsSearchedMax` calls, the most frequent first.
 */
export const apiRequestChoices = z.object({
  codes: z.array(z.string()),
  keys: z.array(apiRequest.pick({ keyName: true, keyEnding: true, isTest: true })),
});
export type ApiRequestChoices = z.infer<typeof apiRequestChoices>;

/** The views whose filters can be saved. */
export const filteredViews = ['sent', 'received', 'requests', 'ledger'] as const;
export type FilteredView = (typeof filteredViews)[number];

/** Filters as the query string of the view's address. The view explains invalid filters. */
const filterQuery = z.string().min(1).max(limits.savedFilterQueryCharactersMax);
const filterName = typedName(limits.savedFilterNameCharactersMax);

/** Body of POST /api/dashboard/filters. Names are unique within a view. */
export const saveFilterBody = z.object({ view: z.enum(filteredViews), name: filterName, query: filterQuery });
export type SaveFilterBody = z.infer<typeof saveFilterBody>;

/** Body of PUT /api/dashboard/filters/{id}: another name, other filters, or both. */
export const changeFilterBody = z.object({ name: filterName.optional(), query: filterQuery.optional() });
export type ChangeFilterBody = z.infer<typeof changeFilterBody>;

/** Query of GET /api/dashboard/filters. */
export const savedFiltersQuery = z.object({ view: z.enum(filteredViews) });
export type SavedFiltersQuery = z.infer<typeof savedFiltersQuery>;

export const savedFilter = z.object({ id: z.uuid(), name: z.string(), query: z.string() });
export type SavedFilter = z.infer<typeof savedFilter>;

/** Answer of all calls about saved filters: the view's filters, by name. */
export const savedFiltersAnswer = z.object({ view: z.enum(filteredViews), filters: z.array(savedFilter) });
export type SavedFiltersAnswer = z.infer<typeof savedFiltersAnswer>;
