import { randomFillSync } from 'node:crypto';
import { UNDELIVERED_CODE, UNDELIVERED_TEXT } from './twilio-error.js';

/** What a message goes through here: outgoing ones from `queued` (or `accepted`, by messaging service) on, replies are `received`. */
export type MessageStatus = 'accepted' | 'queued' | 'sent' | 'delivered' | 'undelivered' | 'received';

/** How the status callbacks of a message are posted: each once, each twice, or never. */
export type CallbackPlan = 'once' | 'twice' | 'never';

/** What a message is when it is made; the rest follows from what happens to it. */
export interface NewMessage {
  readonly sid: string;
  /** `outbound-reply`: Twilio's own answer to a keyword, or one that the product gave in TwiML. */
  readonly direction: 'outbound-api' | 'outbound-reply' | 'inbound';
  readonly from: string;
  readonly to: string;
  readonly body: string;
  readonly segments: number;
  readonly messagingServiceSid: string | null;
  readonly statusCallback: string | null;
  readonly callbackPlan: CallbackPlan;
  /** The status in which the carrier leaves it. */
  readonly fate: 'delivered' | 'undelivered' | 'received';
  readonly createdAtMs: number;
  readonly status: MessageStatus;
}

/** One text message as the carrier keeps it. Changed by `MessageStore.change` alone, so that everyone who watches learns of it. */
export interface Message extends NewMessage {
  /** Grows by one with every message; the order of arrival. */
  readonly sequence: number;
  readonly status: MessageStatus;
  readonly updatedAtMs: number;
  readonly sentAtMs: number | null;
  readonly errorCode: number | null;
  /** Of a reply: the HTTP status with which the product took it, 0 if it could not be reached, null while under way. */
  readonly productStatus: number | null;
  /** Grows by one with every change. */
  readonly version: number;
}

/** The parts of a message that change. */
export type MessageChange = Partial<
  Pick<Message, 'status' | 'updatedAtMs' | 'sentAtMs' | 'errorCode' | 'productStatus'>
>;

/** The number of the person: the recipient of what the product sends, the sender of a reply. */
export function phoneOf(message: Message): string {
  return message.direction === 'inbound' ? message.from : message.to;
}

/** The product's number: the other end of `phoneOf`. */
export function senderOf(message: Message): string {
  return message.direction === 'inbound' ? message.to : message.from;
}

const SID_BYTES = 16;
const pool = Buffer.alloc(SID_BYTES * 256);
let used = pool.length;

/** A new message sid: SM and 32 hexadecimal digits. */
export function newMessageSid(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  return 'SM' + pool.toString('hex', used, (used += SID_BYTES));
}

let cachedSecond = -1;
let cachedText = '';

/** An instant as Twilio's 2010 API writes it: `Thu, 24 Aug 2023 05:01:45 +0000`. Whole seconds. */
function rfc2822(atMs: number): string {
  const second = Math.floor(atMs / 1000);
  if (second !== cachedSecond) {
    cachedText = new Date(second * 1000).toUTCString().replace('GMT', '+0000');
    cachedSecond = second;
  }
  return cachedText;
}

/** A message as Twilio's Message resource, already as JSON text: creates are many, and this costs a quarter of JSON.stringify. */
export function messageJson(message: Message, accountSid: string): string {
  const uri = `/2010-04-01/Accounts/${accountSid}/Messages/${message.sid}`;
  // A messaging service has not chosen the sender yet when it answers `accepted`, nor counted segments.
  const undecided = message.status === 'accepted';
  const errorText = message.errorCode === UNDELIVERED_CODE ? `"${UNDELIVERED_TEXT}"` : 'null';
  return (
    `{"account_sid":"${accountSid}","api_version":"2010-04-01","body":${JSON.stringify(message.body)},` +
    `"date_created":"${rfc2822(message.createdAtMs)}",` +
    `"date_sent":${message.sentAtMs === null ? 'null' : `"${rfc2822(message.sentAtMs)}"`},` +
    `"date_updated":"${rfc2822(message.updatedAtMs)}","direction":"${message.direction}",` +
    `"error_code":${message.errorCode},"error_message":${errorText},` +
    `"from":${undecided ? 'null' : JSON.stringify(message.from)},` +
    `"messaging_service_sid":${message.messagingServiceSid === null ? 'null' : `"${message.messagingServiceSid}"`},` +
    `"num_media":"0","num_segments":"${undecided ? 0 : message.segments}","price":null,"price_unit":"USD",` +
    `"sid":"${message.sid}","status":"${message.status}","subresource_uris":{"media":"${uri}/Media.json"},` +
    `"to":${JSON.stringify(message.to)},"uri":"${uri}.json"}`
  );
}
