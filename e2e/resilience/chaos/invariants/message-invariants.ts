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

/** A scheduled message never leaves early. One whose cancel was answered is canceled, and no other is. */
export function scheduleInvariants(
  { sends, cancels }: Pick<Records, 'sends' | 'cancels'>,
  { messages, carried }: Evidence,
): Invariant[] {
  const statusOf = new Map(messages.map(({ id, status }) => [id, status]));
  const asked = new Set(cancels.map(({ messageId }) => messageId));
  const scheduled = sends.flatMap(({ messageIds, sendAtMs }) =>
    sendAtMs === undefined ? [] : [...messageIds].map((id) => ({ id, sendAtMs })),
  );
  return [
    holdsOf('no scheduled message was sent early', scheduled, ({ id, sendAtMs }) =>
      (carried.get(id) ?? []).every(({ at }) => Date.parse(at) >= sendAtMs - CARRIER_CLOCK_MS)
        ? undefined
        : `${id}: sent before ${new Date(sendAtMs).toISOString()}`,
    ),
    holdsOf('a message is canceled if and only if its cancel succeeded', cancels, ({ messageId, status }) => {
      if (status !== 200 && status !== 409) return undefined;
      const isCanceled = statusOf.get(messageId) === 'canceled';
      return isCanceled === (status === 200)
        ? undefined
        : `${messageId} (${statusOf.get(messageId)}): its cancel was answered ${status}`;
    }),
    holdsOf('only messages whose cancel was requested are canceled', messages, ({ id, status }) =>
      status !== 'canceled' || asked.has(id) ? undefined : `${id} is canceled`,
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
