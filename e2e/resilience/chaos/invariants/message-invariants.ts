import {
  carrierInvariants,
  chargeInvariant,
  holdsOf,
  sendInvariants,
  type Invariant,
} from '../../../../tools/testkit/invariants.js';
import type { SendRecord, VerifyRecord } from '../load/records.js';
import type { Evidence } from './evidence.js';

/** What callers asked for, what the database has and what the carrier got: all the same, once. */
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
    holdsOf('the books have as many used codes', [verifiedCodes], (used) =>
      used === counted ? undefined : `${used} codes are used, and ${counted} were presented with success`,
    ),
  ];
}
