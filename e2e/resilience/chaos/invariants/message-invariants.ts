import {
  carrierInvariants,
  chargeInvariant,
  holdsOf,
  sendInvariants,
  type Invariant,
} from '../../../../tools/testkit/invariants.js';
import type { Records, SendRecord, VerifyRecord } from '../load/records.js';
import type { Evidence } from './evidence.js';

/** The carrier's times are in whole seconds. */
const CARRIER_CLOCK_MS = 1_000;

/** Requests, database and carrier agree, each message once. */
export function messageInvariants(sends: readonly SendRecord[], { messages, carried, entries }: Evidence): Invariant[] {
  return [
    ...sendInvariants(sends, messages),
    holdsOf(
      'every request with a key got a response in the end',
      sends.filter(({ isKeyed }) => isKeyed),
      (send) => (send.outcome === 'unknown' ? `${send.reference}: never answered` : undefined),
    ),
    ...carrierInvariants(messages, carried),
    chargeInvariant(
      messages,
      entries.filter(({ kind }) => ['message', 'otp', 'refund'].includes(kind)),
    ),
  ];
}

/**
 * A scheduled message never leaves early. A message is canceled exactly if its cancel succeeded.
 */
export function scheduleInvariants(
  { sends, cancels }: Pick<Records, 'sends' | 'cancels'>,
  { messages, carried }: Evidence,
): Invariant[] {
  const statusOf = new Map(messages.map(({ id, status }) => [id, status]));
  // Each cancel is requested twice at the same moment. While one request is refused because
  // dispatch has the message, the carrier may refuse our account, which returns the message to the
  // queue, where the other request cancels it.
  const answersOf = new Map<string, number[]>();
  for (const { messageId, status } of cancels) answersOf.set(messageId, [...(answersOf.get(messageId) ?? []), status]);
  const scheduled = sends.flatMap(({ messageIds, sendAtMs }) =>
    sendAtMs === undefined ? [] : [...messageIds].map((id) => ({ id, sendAtMs })),
  );
  return [
    holdsOf('no scheduled message was sent early', scheduled, ({ id, sendAtMs }) =>
      (carried.get(id) ?? []).every(({ at }) => Date.parse(at) >= sendAtMs - CARRIER_CLOCK_MS)
        ? undefined
        : `${id}: sent before ${new Date(sendAtMs).toISOString()}`,
    ),
    holdsOf('a message is canceled if and only if one of its cancels succeeded', [...answersOf], ([id, statuses]) => {
      const isCanceled = statusOf.get(id) === 'canceled';
      const hasSucceeded = statuses.includes(200);
      // A request that was never answered may have canceled it.
      const isSettled = hasSucceeded || statuses.every((status) => status === 409);
      return !isSettled || isCanceled === hasSucceeded
        ? undefined
        : `${id} (${statusOf.get(id)}): its cancels were answered ${statuses.join(' and ')}`;
    }),
    holdsOf('only messages whose cancel was requested are canceled', messages, ({ id, status }) =>
      status !== 'canceled' || answersOf.has(id) ? undefined : `${id} is canceled`,
    ),
  ];
}

/** Codes: each counts once, however often it is presented. */
export function codeInvariants(verifies: readonly VerifyRecord[], { verifiedCodes }: Evidence): Invariant[] {
  const verified = ({ answers }: VerifyRecord) => answers.filter((answer) => answer === 'OTP verified').length;
  const counted = verifies.filter((one) => verified(one) > 0 || one.unsure > 0).length;
  return [
    holdsOf('every code counted at most once', verifies, (one) =>
      verified(one) <= 1 ? undefined : `${one.send.reference}: ${one.answers.join(', ')}`,
    ),
    holdsOf('every code that reached its phone counted', verifies, (one) => {
      const others = one.answers.filter((answer) => answer !== 'OTP verified' && answer !== 'OTP already used');
      const isSo = others.length === 0 && (verified(one) === 1 || one.unsure > 0);
      return isSo ? undefined : `${one.send.reference}: ${one.answers.join(', ')}`;
    }),
    holdsOf('the database has as many used codes', [verifiedCodes], (used) =>
      used === counted ? undefined : `${used} codes are used, and ${counted} were presented with success`,
    ),
  ];
}
