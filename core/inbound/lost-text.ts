import type { ReceivedStatus } from '#contract/histories.js';

const DAY_MS = 86_400_000;

interface ReplyText {
  readonly body: string;
  readonly sender: string;
  readonly status: ReceivedStatus;
  readonly createdAt: Date;
}

/**
 * Returns whether a reply's text was erased: with the person's number, or after `textDays`. A
 * person can also send an empty text.
 */
export function hasLostText(reply: ReplyText, textDays: number | undefined, now = new Date()): boolean {
  const { body, sender, status, createdAt } = reply;
  if (body !== '') return false;
  if (sender === '' || sender.includes('•')) return true;
  // A held reply keeps its text until it is released.
  if (status === 'held' || textDays === undefined) return false;
  return now.getTime() - createdAt.getTime() >= textDays * DAY_MS;
}
