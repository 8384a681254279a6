import { setTimeout as pause } from 'node:timers/promises';
import type { Run } from '../run.js';
import type { Account } from './accounts.js';
import { codeIn, type Answer, type ClientRequest } from './client.js';
import type { SendRecord } from './records.js';

interface Wanted {
  readonly account: Account;
  readonly to: string;
  readonly text: string;
  readonly credits: number;
}

const burst = 200;
const recipientsPerAccount = 1_000;
const longText = 'Your parcel arrives today between 2 and 4 pm, and this is said at length. '.repeat(3);
const plansPercent = { unkeyed: 10, twiceAtOnce: 10, abroad: 5, long: 10 };
/** Price of British numbers, by the table of regions. */
const british = { to: '+447400123456', credits: 3 };
/** Segments of the long text with its beginning. */
const longSegments = 2;

/** Seconds until a scheduled message leaves. */
const aheadSeconds = { min: 6, max: 15 };
const canceledPercent = 60;

/**
 * Schedules a message; all messages of a few seconds leave at the same moment, and most are
 * canceled at about that moment.
 */
export async function scheduleOne(run: Run, n: number): Promise<void> {
  const { dice, records, client } = run;
  const name = `later-${n}`;
  const wanted = wantedOf(run, n, name);
  const sendAtMs = Math.ceil(Date.now() / 5_000) * 5_000 + dice.between(aheadSeconds.min, aheadSeconds.max) * 1_000;
  const record = { ...recordOf(wanted, 'sms', name, true), sendAtMs };
  records.sends.push(record);
  const request = requestOf(wanted, record, { send_at: new Date(sendAtMs).toISOString() });
  const isCanceled = dice.percent(canceledPercent);
  const lateMs = dice.between(-500, 1_000);
  await sendKeyed(run, record, request, n);
  const [messageId] = record.messageIds;
  if (!isCanceled || messageId === undefined) return;
  await pause(Math.max(0, sendAtMs + lateMs - Date.now()));
  const cancel = {
    what: 'cancel',
    method: 'POST',
    path: `/api/messages/${messageId}/cancel`,
    body: { apikey: wanted.account.apiKey },
  } as const;
  const answers = await Promise.all([0, 1].map((server) => client.untilAnswered(cancel, run.patienceEndsMs, server)));
  records.cancels.push(...answers.map(({ status }) => ({ messageId, status })));
}

/**
 * Sends many messages at the same moment, so that a process that ends has much work in progress.
 */
export async function sendMany(run: Run, n: number): Promise<void> {
  await Promise.all(Array.from({ length: burst }, (_none, index) => send(run, index, `burst-${n}-${index}`)));
}

export async function sendOne(run: Run, n: number): Promise<void> {
  await send(run, n, `sms-${n}`);
}

/**
 * Sends one message, mostly with an Idempotency-Key and then sometimes twice at the same moment.
 */
async function send(run: Run, n: number, name: string): Promise<void> {
  const { dice } = run;
  const wanted = wantedOf(run, n, name);
  const isKeyed = !dice.percent(plansPercent.unkeyed);
  const isTwice = isKeyed && dice.percent(plansPercent.twiceAtOnce);
  const record = recordOf(wanted, 'sms', name, isKeyed);
  run.records.sends.push(record);
  const request = requestOf(wanted, record);
  if (isKeyed) await Promise.all((isTwice ? [0, 1] : [n]).map((server) => sendKeyed(run, record, request, server)));
  else note(record, await run.client.once(request));
}

function requestOf({ to, text, account }: Wanted, { reference, isKeyed }: SendRecord, options = {}): ClientRequest {
  return {
    what: 'send',
    method: 'POST',
    path: '/api/sendsms',
    headers: isKeyed ? { 'idempotency-key': reference } : {},
    body: { to, message: text, reference, apikey: account.apiKey, ...options },
  };
}

/** Repeats a request with its key until it is answered, as the documentation tells callers to. */
export async function sendKeyed(run: Run, record: SendRecord, request: ClientRequest, server: number): Promise<void> {
  const answer = await run.client.untilAnswered(request, run.patienceEndsMs, server);
  record.unsure += answer.unsure;
  note(record, answer);
}

export function recordOf({ account, to, credits }: Wanted, kind: 'sms' | 'otp', reference: string, isKeyed: boolean) {
  const nothing = { messageIds: new Set<string>(), refusals: [], unsure: 0 };
  return { account, kind, to, reference, credits, isKeyed, outcome: 'unknown', ...nothing } as SendRecord;
}

/** Records the outcome of one message by an answer. */
export function note(record: SendRecord, { status, text, isNeverSent }: Answer): void {
  if (status === 200) {
    record.outcome = 'accepted';
    record.messageIds.add((JSON.parse(text) as { message_id: string }).message_id);
  } else if (status >= 400 && status < 500) {
    if (record.outcome !== 'accepted') record.outcome = 'refused';
    record.refusals.push(codeIn(text));
  } else if (!isNeverSent) {
    record.unsure += 1;
  }
}

function wantedOf({ dice, accounts }: Run, n: number, name: string): Wanted {
  const account = dice.pick(accounts);
  const isLong = dice.percent(plansPercent.long);
  const segments = isLong ? longSegments : 1;
  const text = `chaos ${name}${isLong ? ` ${longText}` : ''}`;
  if (dice.percent(plansPercent.abroad)) return { account, text, to: british.to, credits: british.credits * segments };
  return { account, text, to: recipientOf(account, n % recipientsPerAccount), credits: segments };
}

/** Each account writes to different people, so that a reply has one owner. */
export function recipientOf({ number }: Account, person: number): string {
  return `+1415${220 + number}${String(person).padStart(4, '0')}`;
}
