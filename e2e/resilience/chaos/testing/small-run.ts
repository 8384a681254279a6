import type { CarriedMessage } from '../../../../tools/testkit/carrier.js';
import type { Account } from '../load/accounts.js';
import type { ReceivedCall } from '../load/receivers.js';
import { Records, type SendRecord } from '../load/records.js';
import type { Evidence, MessageRow } from '../invariants/evidence.js';

const account: Account = {
  number: 0,
  email: 'a@example.com',
  apiKey: 'key',
  session: {},
  receiver: 'well',
  given: 3,
  isTold: true,
};
const delivered = 'SM00000000000000000000000000000001';
const refused = 'SM00000000000000000000000000000002';

const canceled = 'SM00000000000000000000000000000003';
const AT = '2026-03-05T12:00:01.000Z';

/**
 * A run without faults: a scheduled message delivered, one refused by the carrier, one canceled, a
 * code, a reply, a purchase.
 */
export function smallRun() {
  const records = new Records();
  records.sends.push(
    { ...sendOf('sms-1', delivered), sendAtMs: Date.parse(AT) },
    sendOf('sms-2', refused),
    sendOf('sms-3', canceled),
  );
  records.cancels.push({ messageId: canceled, status: 200 });
  records.verifies.push({ send: sendOf('otp-1', delivered), answers: ['OTP verified', 'OTP already used'], unsure: 0 });
  records.replies.push({ account, text: 'reply 1', sid: 'SM1', from: '+14155550100' });
  records.purchases.push({ account, sessionId: 'cs_1', credits: 50 });
  const calls = [
    heard('msg_1', 'reply 1'),
    heard('msg_2', `${delivered} delivered`),
    heard('msg_3', `${refused} failed`),
    heard('msg_6', `${canceled} canceled`),
    heard('msg_4', `${delivered} verified`),
  ];
  return { account, records, calls, evidence: evidence() };
}

function heard(webhookId: string, text: string): ReceivedCall {
  return { account: 0, webhookId, text, isTaken: true };
}

function evidence() {
  const messages: MessageRow[] = [
    rowOf('sms-1', delivered, 'delivered', 0),
    { ...rowOf('sms-2', refused, 'failed', 1), errorCode: 'carrier_refused' },
    rowOf('sms-3', canceled, 'canceled', 1),
  ];
  const entry = (kind: string, sourceId: string, amount: number) => ({
    kind,
    sourceId,
    amount,
    account: account.email,
  });
  return {
    messages,
    replies: [{ carrierId: 'SM1', account: account.email, body: 'reply 1', status: 'received' }],
    entries: [
      entry('message', uuidOf(delivered), -1),
      entry('message', uuidOf(refused), -1),
      entry('refund', uuidOf(refused), 1),
      entry('inbound', 'SM1', -1),
      entry('message', uuidOf(canceled), -1),
      entry('refund', uuidOf(canceled), 1),
      entry('purchase', 'cs_1', 50),
    ],
    balances: [{ account: account.email, purchased: 53, used: 2, balance: 51 }],
    verifiedCodes: 1,
    carried: new Map([[delivered, [carriedMessage()]]]),
  } satisfies Evidence;
}

/** A message as the carrier stores it. */
export function carriedMessage(): CarriedMessage {
  return {
    carrier: 'twilio',
    sid: 'SM9',
    to: '+14152000001',
    from: '+15005550006',
    body: 'x',
    statusCallback: null,
    at: AT,
    status: 'delivered',
  };
}

function sendOf(reference: string, id: string): SendRecord {
  const known = { outcome: 'accepted', messageIds: new Set([id]), refusals: [], unsure: 0 } as const;
  return { account, kind: 'sms', to: '+14152000001', reference, credits: 1, isKeyed: true, ...known, refusals: [] };
}

function rowOf(reference: string, id: string, status: string, refunded: number): MessageRow {
  return { id, account: account.email, reference, status, errorCode: null, credits: 1, refunded };
}

function uuidOf(id: string): string {
  return id.slice(2).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
