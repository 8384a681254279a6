import type { SendRecord, VerifyRecord } from '../load/records.js';
import type { Evidence, MessageRow } from './evidence.js';
import { groupedBy, holdsOf, type Invariant } from './invariant.js';

/** What callers asked for, what the books say, and what the carrier got: all the same, once. */
export function messageInvariants(sends: readonly SendRecord[], { messages, carried, entries }: Evidence): Invariant[] {
  const byReference = groupedBy(messages, ({ reference }) => reference ?? '');
  const byId = new Map(messages.map((message) => [message.id, message]));
  const moneyOf = groupedBy(
    entries.filter(({ kind }) => ['message', 'otp', 'refund'].includes(kind)),
    ({ sourceId }) => publicId(sourceId),
  );
  const rowsOf = ({ reference }: SendRecord) => byReference.get(reference) ?? [];
  const of = (outcome: SendRecord['outcome']) => sends.filter((one) => one.outcome === outcome);
  return [
    holdsOf('every message answered with 200 is there once, under the id of the answer', of('accepted'), (send) => {
      const rows = rowsOf(send);
      const isSo = rows.length === 1 && send.messageIds.size === 1 && send.messageIds.has(rows[0]?.id ?? '');
      return isSo ? undefined : `${send.reference}: answered ${[...send.messageIds].join()}, kept ${idsOf(rows)}`;
    }),
    holdsOf('what was refused is no message', of('refused'), (send) =>
      rowsOf(send).length === 0
        ? undefined
        : `${send.reference}: refused with ${send.refusals.join()}, kept ${idsOf(rowsOf(send))}`,
    ),
    holdsOf('what got no answer is one message or none', of('unknown'), (send) =>
      rowsOf(send).length <= 1 ? undefined : `${send.reference}: kept ${idsOf(rowsOf(send))}`,
    ),
    holdsOf(
      'every request with a key got an answer in the end',
      sends.filter(({ isKeyed }) => isKeyed),
      (send) => (send.outcome === 'unknown' ? `${send.reference}: never answered` : undefined),
    ),
    holdsOf('every message was carried once, or failed and was not', messages, (message) => {
      const copies = carried.get(message.id) ?? [];
      const expected = wasNeverCarried(message) ? 0 : 1;
      const times = copies.map(({ sid, at }) => `${sid} at ${at}`);
      return copies.length === expected
        ? undefined
        : `${message.id} (${message.status}): carried ${times.join(', ') || 'never'}`;
    }),
    holdsOf('everything carried was requested and charged', [...carried.keys()], (id) =>
      byId.has(id) ? undefined : `${id} is at the carrier and not in the books`,
    ),
    holdsOf('every message is charged once, and refunded once if it did not arrive', messages, (message) => {
      const amounts = (moneyOf.get(message.id) ?? []).map(({ amount }) => amount).sort((a, b) => a - b);
      const { credits, refunded, status } = message;
      const expected = status === 'delivered' ? [-credits] : [-credits, credits];
      const isSo = String(amounts) === String(expected) && refunded === (status === 'delivered' ? 0 : credits);
      return isSo ? undefined : `${message.id} (${status}): entries ${String(amounts)}, refunded ${refunded}`;
    }),
    holdsOf('the carrier and the books agree on what was delivered', [...carried], ([id, copies]) => {
      const status = byId.get(id)?.status;
      const isSo = copies.every((copy) => copy.status === status);
      return isSo
        ? undefined
        : `${id}: ${status} in the books, ${copies.map((copy) => copy.status).join()} at the carrier`;
    }),
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

function wasNeverCarried({ status, errorCode }: MessageRow): boolean {
  return status === 'failed' && errorCode !== 'not_delivered';
}

function idsOf(rows: readonly MessageRow[]): string {
  return rows.length === 0 ? 'nothing' : rows.map(({ id, status }) => `${id} (${status})`).join();
}

/** Entries name a message by its UUID. */
function publicId(uuid: string): string {
  return `SM${uuid.replaceAll('-', '')}`;
}
