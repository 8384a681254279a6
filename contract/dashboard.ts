import { z } from 'zod';
import { limits } from './limits.js';
import { messageView } from './messages.js';

/** Query of GET /api/dashboard/activity: how many New York days back, today included. */
export const activityQuery = z.object({
  days: z.coerce.number().int().min(1).max(limits.activityDaysMax).default(limits.activityDaysDefault),
});
export type ActivityQuery = z.infer<typeof activityQuery>;

const count = z.int().nonnegative();

/** The messages that were accepted on a New York day, by how far they are now. `queued` are those on their way to the carrier too. */
export const activityDay = z.object({
  day: z.iso.date(),
  queued: count,
  sent: count,
  delivered: count,
  undelivered: count,
  failed: count,
});
export type ActivityDay = z.infer<typeof activityDay>;

/** Its answer: every day that was asked for, the oldest first. */
export const activityAnswer = z.object({ days: z.array(activityDay) });
export type ActivityAnswer = z.infer<typeof activityAnswer>;

/** POST /api/dashboard/quote: a message as far as it has been typed. */
export const quoteBody = z.object({ to: z.string(), message: z.string() });
export type QuoteBody = z.infer<typeof quoteBody>;

/** What a "no" is about. `credits` is the balance or the day's limit, and concerns live messages alone: a test key uses up neither. */
export const quoteFields = ['to', 'message', 'credits'] as const;

/**
 * What the message would be and cost. `iso2` and `country` are those of the number, or of its beginning while it is not whole yet;
 * `country` and `creditsPerSms` are null outside the table of regions. `credits` and `balanceAfter` are null while the price is
 * not known, `balanceAfter` also when the balance does not cover it. `charactersLeft` fit into the last segment;
 * `unicodeCharacters` are the first ones that made the text UCS-2. `faults` are why it would be refused, codes as the API has them.
 */
export const quoteAnswer = z.object({
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

/** The address of the stream of server-sent events (HTML standard, section 9.2), for a signed-in page. */
export const dashboardEventsPath = '/api/dashboard/events';

/**
 * Every event of the stream: its name, and the shape of its data.
 *
 * - `live`: what changes from now on arrives, so a page reads its view again now. Comes first, and again after a break behind
 *   the server; while it has not come, the page shows what it read.
 * - `message`: an outgoing message that is new or has changed, as it stands; in order of acceptance.
 * - `received`: inbound messages that are new or have changed.
 * - `balance`: in credits, balance = purchased - used.
 * - `many`: more has changed than the stream carries: read the view again. Once a second at the most.
 * - `ended`: the last event; do not connect again by yourself. A stream that ends without it may be opened again, which
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
  }),
  many: z.object({}),
  ended: z.object({ reason: z.enum(['signed_out', 'too_many_streams']) }),
} as const;

export type DashboardEvents = { [Name in keyof typeof dashboardEvents]: z.infer<(typeof dashboardEvents)[Name]> };
export type DashboardEventName = keyof DashboardEvents;
