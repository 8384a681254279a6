import { limits } from '#contract/limits.js';
import type { Delivery, MessageKind } from '#contract/messages.js';

/** Maximum of hand-overs of a message. */
const handOversMax: Readonly<Record<Delivery, number>> = { once: 3, fast: 2 };

/** Default seconds without a receipt after which another route is tried. */
const hedgeSecondsDefault: Readonly<Record<MessageKind, number>> = {
  sms: 0,
  mms: 0,
  otp: limits.hedgeSecondsDefault,
};

/** Returns the delivery of a message by the caller's stored choice: 0 is `once`, null no choice. */
export function deliveryOf(kind: MessageKind, hedgeSeconds: number | null): Delivery {
  return (hedgeSeconds ?? hedgeSecondsDefault[kind]) === 0 ? 'once' : 'fast';
}

/** SQL: seconds after which another route is tried; 0 for a message that is delivered `once`. */
export const hedgeSecondsOf = (message: string) =>
  `coalesce(${message}.hedge_seconds,
    CASE ${message}.kind WHEN 'otp' THEN ${hedgeSecondsDefault.otp} ELSE ${hedgeSecondsDefault.sms} END)`;

/** Whether a message with this number of hand-overs may be handed to another route. */
export function mayBeHandedOver(delivery: Delivery, handOvers: number): boolean {
  return handOvers < handOversMax[delivery];
}

/**
 * Returns the source of the event that a message leaves its route after a number of hand-overs. A
 * source has one event of each type, and a message can leave its route several times: the first
 * event has the message's id.
 */
export function rerouteSource(messageId: string, handOvers: number): string {
  return handOvers === 1 ? messageId : `${messageId}/${handOvers}`;
}

/**
 * Returns the sources of all events about a message: its id, and the sources of later route
 * changes.
 */
export function eventSourcesOf(messageId: string): string[] {
  const changesMax = Math.max(...Object.values(handOversMax)) - 1;
  return Array.from({ length: changesMax }, (_, index) => rerouteSource(messageId, index + 1));
}
