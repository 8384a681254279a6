import { type Message, phoneOf, senderOf } from '../twilio/message.js';
import { type MessageStore, walk } from '../twilio/message-store.js';
import { UNDELIVERED_CODE, UNDELIVERED_TEXT } from '../twilio/twilio-error.js';

/** A message on the phone page. `version` grows with every change, so that a stale view never replaces a newer one. */
export interface MessageView {
  readonly sid: string;
  readonly sequence: number;
  readonly version: number;
  readonly phone: string;
  readonly sender: string;
  readonly mine: boolean;
  readonly text: string;
  readonly at: string;
  readonly segments: number;
  readonly status: string;
  readonly problem: string | null;
  readonly productStatus: number | null;
}

/** The last message of each thread, newest first. `next` is the cursor of the following page, or null. */
export interface ThreadsView {
  readonly threads: readonly MessageView[];
  readonly next: number | null;
}

/** A page of one thread, oldest message first. `earlier` is the cursor of the preceding page, or null. */
export interface ThreadView {
  readonly messages: readonly MessageView[];
  readonly earlier: number | null;
}

export function viewOf(message: Message): MessageView {
  return {
    sid: message.sid,
    sequence: message.sequence,
    version: message.version,
    phone: phoneOf(message),
    sender: senderOf(message),
    mine: message.direction === 'inbound',
    text: message.body,
    at: new Date(message.createdAtMs).toISOString(),
    segments: message.segments,
    status: message.status,
    problem: message.errorCode === UNDELIVERED_CODE ? `${UNDELIVERED_CODE}: ${UNDELIVERED_TEXT}` : null,
    productStatus: message.productStatus,
  };
}

/** Lists threads whose last message precedes the cursor and whose number contains the digits. */
export function threadsView(store: MessageStore, cursor: number, digits: string, limit: number): ThreadsView {
  const threads: Message[] = [];
  for (const message of walk(store.all, cursor, 'older')) {
    const phone = phoneOf(message);
    // Lists each thread once: at its last message.
    if (store.ofPhone(phone)?.last !== message || !phone.includes(digits)) continue;
    if (threads.push(message) > limit) break;
  }
  const shown = threads.slice(0, limit);
  return {
    threads: shown.map(viewOf),
    next: threads.length > limit ? (shown[shown.length - 1]?.sequence ?? null) : null,
  };
}

/** Lists messages of one thread before the cursor. */
export function threadView(store: MessageStore, phone: string, cursor: number, limit: number): ThreadView {
  const found: Message[] = [];
  for (const message of walk(store.ofPhone(phone), cursor, 'older')) {
    if (found.push(message) > limit) break;
  }
  const shown = found.slice(0, limit).reverse();
  return {
    messages: shown.map(viewOf),
    earlier: found.length > limit ? (shown[0]?.sequence ?? null) : null,
  };
}
