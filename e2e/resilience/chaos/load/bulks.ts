import type { Run } from '../run.js';
import type { Answer } from './client.js';
import { note, recipientOf, recordOf } from './sends.js';

/** Messages of a bulk, which fit into one page of its batch. */
const size = 40;
const twicePercent = 30;
const canceledPercent = 30;

/**
 * Sends a bulk with an Idempotency-Key, sometimes twice at the same moment: all of its messages are
 * accepted, or none. Some batches are canceled at once, while dispatch takes their messages.
 */
export async function bulkOne(run: Run, n: number): Promise<void> {
  const { dice, records, client } = run;
  const account = dice.pick(run.accounts);
  const sends = Array.from({ length: size }, (_none, index) => {
    const reference = `bulk-${n}-${index}`;
    const wanted = { account, to: recipientOf(account, index), text: `chaos ${reference}`, credits: 1 };
    return { text: wanted.text, record: recordOf(wanted, 'sms', reference, true) };
  });
  records.sends.push(...sends.map(({ record }) => record));
  const request = {
    what: 'bulk',
    method: 'POST',
    path: '/api/sendbulk',
    headers: { 'idempotency-key': `bulk-${n}` },
    body: {
      apikey: account.apiKey,
      messages: sends.map(({ text, record: { to, reference } }) => ({ to, message: text, reference })),
    },
  } as const;
  const servers = dice.percent(twicePercent) ? [0, 1] : [n];
  const isCanceled = dice.percent(canceledPercent);
  const answers = await Promise.all(servers.map((server) => client.untilAnswered(request, run.patienceEndsMs, server)));
  for (const answer of answers) {
    const ids = answer.status === 200 ? await messagesOf(run, answer, account.apiKey) : undefined;
    for (const { record } of sends) {
      record.unsure += answer.unsure;
      if (!ids) note(record, answer);
      const id = ids?.get(record.reference);
      if (id === undefined) continue;
      record.outcome = 'accepted';
      record.messageIds.add(id);
    }
  }
  const accepted = answers.find(({ status }) => status === 200);
  if (!accepted || !isCanceled) return;
  // Each of these messages is either canceled or dispatched first.
  records.cancels.push(
    ...sends.flatMap(({ record }) => [...record.messageIds].map((messageId) => ({ messageId, status: 0 }))),
  );
  const path = `/api/batches/${batchIn(accepted)}/cancel`;
  await client.untilAnswered(
    { what: 'cancel', method: 'POST', path, body: { apikey: account.apiKey } },
    run.patienceEndsMs,
  );
}

/** Ids of the batch's messages by reference. */
async function messagesOf(
  { client, patienceEndsMs }: Run,
  answer: Answer,
  apiKey: string,
): Promise<Map<string, string>> {
  const path = `/api/batches/${batchIn(answer)}/messages?apikey=${apiKey}`;
  const { status, text } = await client.untilAnswered({ what: 'read', method: 'GET', path }, patienceEndsMs);
  if (status !== 200) throw new Error(`The messages of a batch cannot be read: ${status} ${text}`);
  const { messages } = JSON.parse(text) as { messages: { message_id: string; reference: string }[] };
  return new Map(messages.map(({ message_id: id, reference }) => [reference, id]));
}

function batchIn({ text }: Answer): string {
  return (JSON.parse(text) as { batch_id: string }).batch_id;
}
