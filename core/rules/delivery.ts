import { limits } from '#contract/limits.js';
import type { Delivery, MessageKind } from '#contract/messages.js';

/** A message is handed over at most so often, in all. */
const handOversMax: Readonly<Record<Delivery, number>> = { once: 3, fast: 2 };

/** Seconds without a receipt after which another route is tried, by what a caller has not chosen. */
const hedgeSecondsDefault: Readonly<Record<MessageKind, number>> = {
  sms: 0,
  mms: 0,
  otp: limits.hedgeSecondsDefault,
};

/** How a message is delivered, by what is stored of the caller's choice: 0 is `once`, null no choice. */
export function deliveryOf(kind: MessageKind, hedgeSeconds: number | null): Delivery {
  return (hedgeSeconds ?? hedgeSecondsDefault[kind]) === 0 ? 'once' : 'fast';
}

/** SQL of the seconds after which another route is tried; 0 for a message that is delivered `once`. */
export const hedgeSecondsOf = (message: string) =>
  `coalesce(${message}.hedge_seconds,
    CASE ${message}.kind WHEN 'otp' THEN ${hedgeSecondsDefault.otp} ELSE ${hedgeSecondsDefault.sms} END)`;

/** Whether a message that was handed over so often may be handed to another route. */
export function mayBeHandedOver(delivery: Delivery, handOvers: number): boolean {
  return handOvers < handOversMax[delivery];
}

/**
 * The source of the event that a message leaves its route after so many hand-overs. A source has one
 * event of each type, and a message can leave its route several times: the first event has the
 * message's id.
 */
export function rerouteSource(messageId: string, handOvers: number): string {
  return handOvers === 1 ? messageId : `${messageId}/${handOvers}`;
}

/** The sources of all events about a message: its id, and those of further changes of its route. */
export function eventSourcesOf(messageId: string): string[] {
  const changesMax = Math.max(...Object.values(handOversMax)) - 1;
  return Array.from({ length: changesMax }, (_, index) => rerouteSource(messageId, index + 1));
}
