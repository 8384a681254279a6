import { setTimeout as pause } from 'node:timers/promises';
import type { Run } from '../run.js';
import { recordOf, sendKeyed } from './sends.js';
import type { SendRecord, VerifyRecord } from './records.js';

const minutes = 10;
const lookEveryMs = 500;
const looksPerQuestion = 10;
/** Both servers are asked at the same moment, and one of them twice. */
const verifiersAtOnce = [0, 1, 0];
/**
 * The fraud guard counts codes by the first seven digits of a number, so that neighbors in time are
 * not neighbors there.
 */
const exchanges = 60;

/** Sends a code to a person, reads it from the phone, and presents it several times at once. */
export async function verifyOne(run: Run, n: number): Promise<void> {
  const account = run.dice.pick(run.accounts);
  const to = `+1415${330 + (n % exchanges)}${String(Math.floor(n / exchanges)).padStart(4, '0')}`;
  const send = recordOf({ account, to, text: '', credits: 1 }, 'otp', `otp-${n}`, true);
  run.records.sends.push(send);
  const request = {
    what: 'send code',
    method: 'POST',
    path: '/api/sendotp',
    headers: { 'idempotency-key': send.reference },
    body: { to, limit: String(minutes), reference: send.reference, apikey: account.apiKey },
  } as const;
  await sendKeyed(run, send, request, n);
  const otp = send.outcome === 'accepted' ? await codeOnPhone(run, send) : undefined;
  if (otp !== undefined) await present(run, send, otp);
}

async function present(run: Run, send: SendRecord, otp: string): Promise<void> {
  const record: VerifyRecord = { send, answers: [], unsure: 0 };
  run.records.verifies.push(record);
  const { account, to } = send;
  const request = {
    what: 'verify',
    method: 'POST',
    path: '/api/verifyotp',
    body: { otp, to, apikey: account.apiKey },
  } as const;
  await Promise.all(
    verifiersAtOnce.map(async (server) => {
      const { status, text, unsure } = await run.client.untilAnswered(request, run.patienceEndsMs, server);
      record.unsure += unsure;
      record.answers.push(status === 200 ? text : String(status));
    }),
  );
}

/** Returns undefined when the code never arrives; then the message's status is read. */
async function codeOnPhone(run: Run, { to, account, messageIds }: SendRecord): Promise<string | undefined> {
  const [id = ''] = messageIds;
  const headers = { authorization: `Bearer ${account.apiKey}` };
  for (let looks = 1; Date.now() < run.patienceEndsMs; looks += 1) {
    const [message] = run.feed.messagesTo(to);
    if (message) return /\b\d{6}\b/.exec(message.body)?.[0];
    if (looks % looksPerQuestion === 0) {
      const answer = await run.client.once({ what: 'look up', method: 'GET', path: `/api/messages/${id}`, headers });
      if (answer.status === 200 && (JSON.parse(answer.text) as { status: string }).status === 'failed')
        return undefined;
    }
    await pause(lookEveryMs);
  }
  return undefined;
}
