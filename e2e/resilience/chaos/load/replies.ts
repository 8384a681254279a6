import { limits } from '../../../../contract/limits.js';
import type { Run } from '../run.js';

const ourNumber = '+15005550006';
/** After this time all servers know that a message was sent. */
const oldEnoughMs = 1_000;
const triesMax = 10;

export async function replyOne(run: Run, n: number): Promise<void> {
  const { dice, records, feed, carrier, tally } = run;
  for (let tries = 0; tries < triesMax && records.sends.length > 0; tries += 1) {
    const { account, kind, to } = dice.pick(records.sends);
    const [message] = feed.messagesTo(to);
    const hasOneSender = kind === 'sms' && to.startsWith('+1');
    if (!hasOneSender || !message || Date.now() - Date.parse(message.at) < oldEnoughMs) continue;
    // Further replies of a person within an hour are kept, but neither charged nor delivered.
    const earlier = records.replies.filter(({ from }) => from === to).length;
    if (earlier >= limits.chargedRepliesPerHourMax) continue;
    const text = `reply ${n}`;
    const { sid, status } = await carrier.reply(to, ourNumber, text);
    records.replies.push({ account, text, sid, from: to });
    tally.posted('reply', status);
    return;
  }
}
