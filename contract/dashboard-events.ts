import { z } from 'zod';
import { messageView } from './messages.js';

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
