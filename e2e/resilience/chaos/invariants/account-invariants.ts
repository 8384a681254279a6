import type { ReceivedCall } from '../load/receivers.js';
import type { Records, ReplyRecord, VerifyRecord } from '../load/records.js';
import type { Account } from '../load/accounts.js';
import type { Evidence } from './evidence.js';
import { groupedBy, holdsOf, type Invariant } from '../../../../tools/testkit/invariants.js';

const creditsPerReply = 1;

/** Replies are stored once, charged once, and delivered to the customer's server under one id. */
export function replyInvariants(
  replies: readonly ReplyRecord[],
  { replies: rows, entries }: Evidence,
  calls: readonly ReceivedCall[],
): Invariant[] {
  const kept = groupedBy(rows, ({ carrierId }) => carrierId);
  const heard = groupedBy(calls, ({ text }) => text);
  const charges = entries.filter(({ kind }) => kind === 'inbound');
  return [
    holdsOf('every reply is stored once, for its owner', replies, ({ sid, account }) => {
      const found = kept.get(sid) ?? [];
      const isSo = found.length === 1 && found[0]?.account === account.email && found[0].status === 'received';
      return isSo
        ? undefined
        : `${sid}: kept ${found.length} times ${found.map((one) => `${one.account} ${one.status}`).join()}`;
    }),
    holdsOf('every reply was delivered to its owner, always under one id', replies, ({ sid, account, text }) => {
      const of = heard.get(text) ?? [];
      const isSo = of.some(({ isTaken }) => isTaken) && new Set(of.map(({ webhookId }) => webhookId)).size === 1;
      const isHis = of.every((call) => call.account === account.number);
      return isSo && isHis
        ? undefined
        : `${sid} (${text}): ${of.map((one) => `${one.webhookId} ${one.isTaken}`).join()}`;
    }),
    holdsOf('replies are charged once each', [charges.length], (count) =>
      count === replies.length ? undefined : `${count} charges for ${replies.length} replies`,
    ),
  ];
}

/** Subscribers received every final status, each under one id. */
export function newsInvariants(
  accounts: readonly Account[],
  { messages }: Evidence,
  verifies: readonly VerifyRecord[],
  calls: readonly ReceivedCall[],
): Invariant[] {
  const heard = groupedBy(calls, ({ text }) => text);
  const told = new Set(accounts.filter(({ isTold }) => isTold).map(({ email }) => email));
  const fault = (text: string) => {
    const of = heard.get(text) ?? [];
    const isSo = of.some(({ isTaken }) => isTaken) && new Set(of.map(({ webhookId }) => webhookId)).size === 1;
    return isSo ? undefined : `${text}: ${of.map((one) => `${one.webhookId} ${one.isTaken}`).join() || 'never told'}`;
  };
  return [
    holdsOf(
      'every final status reaches its subscriber, always under one id',
      messages.filter(({ account }) => told.has(account)),
      ({ id, status }) => fault(`${id} ${status}`),
    ),
    holdsOf(
      'and of every code that counted',
      verifies.filter(({ send, answers }) => send.account.isTold && answers.includes('OTP verified')),
      ({ send }) => fault(`${[...send.messageIds].join()} verified`),
    ),
  ];
}

/** Money: every paid session is credited once, and every balance is what its owner expects. */
export function moneyInvariants(accounts: readonly Account[], records: Records, evidence: Evidence): Invariant[] {
  const credited = groupedBy(
    evidence.entries.filter(({ kind }) => kind === 'purchase'),
    ({ sourceId }) => sourceId,
  );
  return [
    holdsOf('every paid session is credited once', records.purchases, ({ sessionId, account, credits }) => {
      const found = credited.get(sessionId) ?? [];
      const isSo = found.length === 1 && found[0]?.amount === credits && found[0].account === account.email;
      return isSo ? undefined : `${sessionId}: ${found.map(({ amount }) => amount).join() || 'not credited'}`;
    }),
    holdsOf('nothing is credited that was not paid', [credited.size], (count) =>
      count === records.purchases.length ? undefined : `${count} sessions credited, ${records.purchases.length} paid`,
    ),
    holdsOf('every balance is what its owner expects', accounts, (account) => {
      const { purchased, used } = expectedOf(account, records, evidence);
      const row = evidence.balances.find((one) => one.account === account.email);
      const isSo = row?.purchased === purchased && row.used === used && row.balance === purchased - used;
      return isSo ? undefined : `${account.email}: expected ${purchased} - ${used}, has ${JSON.stringify(row)}`;
    }),
  ];
}

/**
 * The expected balance, from the price list and the messages on the phones, not from the database.
 */
function expectedOf(account: Account, { sends, replies, purchases }: Records, { messages, carried }: Evidence) {
  const mine = <T extends { account: Account }>(list: readonly T[]) => list.filter((one) => one.account === account);
  const idOf = new Map(messages.map(({ reference, id }) => [reference, id]));
  const bought = mine(purchases).reduce((sum, { credits }) => sum + credits, 0);
  // For a request without an answer, the reference shows whether it was accepted.
  const arrived = mine(sends).filter(({ reference }) =>
    carried.get(idOf.get(reference) ?? '')?.some(({ status }) => status === 'delivered'),
  );
  const sent = arrived.reduce((sum, { credits }) => sum + credits, 0);
  return { purchased: account.given + bought, used: sent + mine(replies).length * creditsPerReply };
}
