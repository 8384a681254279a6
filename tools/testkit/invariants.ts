import { messageIdOf, type CarriedMessage } from './carrier.js';

/** Result of an invariant: the number of checked items, and a text with ids for each violation. */
export interface Invariant {
  readonly title: string;
  readonly checked: number;
  readonly broken: readonly string[];
}

/** Checks each item. `fault` returns what is wrong with it, with its ids, or undefined. */
export function holdsOf<T>(title: string, all: readonly T[], fault: (one: T) => string | undefined): Invariant {
  const broken = all.flatMap((one) => fault(one) ?? []);
  return { title, checked: all.length, broken };
}

/** Lists of items by a name. */
export function groupedBy<T>(all: readonly T[], nameOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const name = nameOf(one);
    const group = groups.get(name);
    if (group) group.push(one);
    else groups.set(name, [one]);
  }
  return groups;
}

/** A request to send a message, as its caller knows it. */
export interface SendAttempt {
  /** Unique, so that it identifies the message without a response. */
  readonly reference: string;
  /** `unknown`: no response, so the message may have been accepted or not. */
  readonly outcome: 'accepted' | 'refused' | 'unknown';
  /** Every id that responses named. */
  readonly messageIds: ReadonlySet<string>;
  readonly refusals: readonly string[];
}

/** A message as the product stores it, at quiescence. */
export interface KeptMessage {
  /** Id as callers know it. */
  readonly id: string;
  readonly reference: string | null;
  readonly status: string;
  readonly errorCode: string | null;
  readonly credits: number;
  readonly refunded: number;
}

/** A charge or refund of a message. `sourceId` is the message's UUID. */
interface MessageEntry {
  readonly sourceId: string;
  readonly amount: number;
}

/** The carrier's messages by our message id. */
export function carriedById(messages: readonly CarriedMessage[]): Map<string, CarriedMessage[]> {
  return groupedBy(messages, messageIdOf);
}

/**
 * Nothing is lost or doubled between callers and product: requests and messages by their reference.
 */
export function sendInvariants(sends: readonly SendAttempt[], messages: readonly KeptMessage[]): Invariant[] {
  const byReference = groupedBy(messages, ({ reference }) => reference ?? '');
  const rowsOf = ({ reference }: SendAttempt) => byReference.get(reference) ?? [];
  const of = (outcome: SendAttempt['outcome']) => sends.filter((one) => one.outcome === outcome);
  return [
    holdsOf('every accepted message exists once, under the id of the response', of('accepted'), (send) => {
      const rows = rowsOf(send);
      const isSo = rows.length === 1 && send.messageIds.size === 1 && send.messageIds.has(rows[0]?.id ?? '');
      return isSo ? undefined : `${send.reference}: answered ${[...send.messageIds].join()}, kept ${idsOf(rows)}`;
    }),
    holdsOf('no refused request is a message', of('refused'), (send) =>
      rowsOf(send).length === 0
        ? undefined
        : `${send.reference}: refused with ${send.refusals.join()}, kept ${idsOf(rowsOf(send))}`,
    ),
    holdsOf('a request without a response is one message or none', of('unknown'), (send) =>
      rowsOf(send).length <= 1 ? undefined : `${send.reference}: kept ${idsOf(rowsOf(send))}`,
    ),
  ];
}

/** Nothing is lost or doubled between product and carrier, and what did not arrive is refunded. */
export function carrierInvariants(
  messages: readonly KeptMessage[],
  carried: ReadonlyMap<string, readonly CarriedMessage[]>,
): Invariant[] {
  const byId = new Map(messages.map((message) => [message.id, message]));
  return [
    holdsOf('every message was sent once, or failed and was not sent', messages, (message) => {
      const copies = carried.get(message.id) ?? [];
      const times = copies.map(({ sid, at }) => `${sid} at ${at}`);
      return copies.length === (wasNeverCarried(message) ? 0 : 1)
        ? undefined
        : `${message.id} (${message.status}): sent ${times.join(', ') || 'never'}`;
    }),
    holdsOf('every sent message was requested and charged', [...carried.keys()], (id) =>
      byId.has(id) ? undefined : `${id} is at the carrier and not in the database`,
    ),
    holdsOf('carrier and database agree on what was delivered', [...carried], ([id, copies]) => {
      const status = byId.get(id)?.status;
      return copies.every((copy) => copy.status === status)
        ? undefined
        : `${id}: ${status} in the database, ${copies.map((copy) => copy.status).join()} at the carrier`;
    }),
    holdsOf('a message is refunded if it was not delivered', messages, ({ id, status, credits, refunded }) =>
      refunded === (status === 'delivered' ? 0 : credits) ? undefined : `${id} (${status}): refunded ${refunded}`,
    ),
  ];
}

/** Every message has one charge of its price, and one refund if it was not delivered. */
export function chargeInvariant(messages: readonly KeptMessage[], entries: readonly MessageEntry[]): Invariant {
  const entriesOf = groupedBy(entries, ({ sourceId }) => `SM${sourceId.replaceAll('-', '')}`);
  return holdsOf('every message is charged once, and refunded once if it did not arrive', messages, (message) => {
    const { id, credits, status } = message;
    const amounts = (entriesOf.get(id) ?? []).map(({ amount }) => amount).sort((a, b) => a - b);
    const expected = status === 'delivered' ? [-credits] : [-credits, credits];
    return String(amounts) === String(expected) ? undefined : `${id} (${status}): entries ${String(amounts)}`;
  });
}

/** Sums over a whole database, for runs too large to compare row by row. */
export interface Totals {
  readonly messages: number;
  readonly delivered: number;
  readonly charges: number;
  readonly used: number;
  readonly charged: number;
  readonly priced: number;
}

/** Reads {@link Totals} in one snapshot. Accounts may have received signup credits only. */
export const totalsStatement = `
SELECT
  m.messages, m.delivered, m.priced, l.charges, l.charged,
  (SELECT sum(used) FROM credit_accounts)::float8 AS used
FROM
  (SELECT count(*)::int AS messages, count(*) FILTER (WHERE status = 'delivered')::int AS delivered,
     coalesce(sum(credits - refunded), 0)::float8 AS priced FROM messages) m,
  (SELECT count(*) FILTER (WHERE kind IN ('message', 'otp'))::int AS charges,
     -coalesce(sum(amount) FILTER (WHERE kind <> 'signup'), 0)::float8 AS charged FROM ledger_entries) l`;

/** As many charges as messages, of their prices, and balances that show them. */
export function totalsInvariant(totals: Totals): Invariant {
  const { messages, charges, used, charged, priced } = totals;
  return holdsOf('each message is charged once and the balances show it', [totals], () =>
    messages > 0 && charges === messages && used === charged && used === priced ? undefined : JSON.stringify(totals),
  );
}

/** As many arrivals at the carrier as messages, each of another message. */
export function arrivalsInvariant(messages: number, arrivedIds: readonly string[]): Invariant {
  const distinct = new Set(arrivedIds).size;
  return holdsOf('each accepted message reached the carrier exactly once', [messages], () =>
    arrivedIds.length === messages && distinct === messages
      ? undefined
      : `${messages} accepted, ${arrivedIds.length} arrived, ${distinct} different`,
  );
}

function wasNeverCarried({ status, errorCode }: KeptMessage): boolean {
  return status === 'canceled' || (status === 'failed' && errorCode !== 'not_delivered');
}

function idsOf(rows: readonly KeptMessage[]): string {
  return rows.length === 0 ? 'nothing' : rows.map(({ id, status }) => `${id} (${status})`).join();
}
