import { randomUUID } from 'node:crypto';
import { UNDELIVERED_CODE, UNDELIVERED_TEXT } from './twilio-error.js';

/**
 * Outgoing messages start as `queued`, or as `accepted` with a messaging service; replies are
 * `received`.
 */
export type MessageStatus = 'accepted' | 'queued' | 'sent' | 'delivered' | 'undelivered' | 'received';

/** A message at its creation. */
export interface NewMessage {
  readonly sid: string;
  /** `outbound-reply` is Twilio's answer to a keyword. */
  readonly direction: 'outbound-api' | 'outbound-reply' | 'inbound';
  readonly from: string;
  readonly to: string;
  readonly body: string;
  readonly segments: number;
  readonly messagingServiceSid: string | null;
  readonly statusCallback: string | null;
  /** Seconds within which the message is of use; null or absent without a limit. */
  readonly validityPeriod?: number | null;
  /** How often each status callback is posted. */
  readonly callbackPlan: 'once' | 'twice' | 'never';
  /** The final status. */
  readonly fate: 'delivered' | 'undelivered' | 'received';
  readonly createdAtMs: number;
  readonly status: MessageStatus;
}

/** A stored message. Only `MessageStore.change` changes it, so that watchers are notified. */
export interface Message extends NewMessage {
  /** Order of arrival. */
  readonly sequence: number;
  readonly status: MessageStatus;
  readonly updatedAtMs: number;
  readonly sentAtMs: number | null;
  readonly errorCode: number | null;
  /** HTTP status of the product's answer to a reply, 0 without an answer, null until posted. */
  readonly productStatus: number | null;
}

/** The mutable fields. */
export type MessageChange = Partial<
  Pick<Message, 'status' | 'updatedAtMs' | 'sentAtMs' | 'errorCode' | 'productStatus'>
>;

/** The phone's number: recipient of an outgoing message, sender of a reply. */
export function phoneOf(message: Message): string {
  return message.direction === 'inbound' ? message.from : message.to;
}

/** The product's number. */
export function senderOf(message: Message): string {
  return message.direction === 'inbound' ? message.to : message.from;
}

/** Creates a message sid: SM and 32 hexadecimal digits. */
export function newMessageSid(): string {
  return `SM${randomUUID().replaceAll('-', '')}`;
}

/** Formats an instant as Twilio's 2010 API does: `Thu, 24 Aug 2023 05:01:45 +0000`. */
function rfc2822(atMs: number): string {
  return new Date(atMs).toUTCString().replace('GMT', '+0000');
}

/** Twilio's Message resource. */
export function messageResource(message: Message, accountSid: string) {
  const uri = `/2010-04-01/Accounts/${accountSid}/Messages/${message.sid}`;
  // While `accepted`, a messaging service has not yet chosen the sender nor counted segments.
  const isUndecided = message.status === 'accepted';
  return {
    account_sid: accountSid,
    api_version: '2010-04-01',
    body: message.body,
    date_created: rfc2822(message.createdAtMs),
    date_sent: message.sentAtMs === null ? null : rfc2822(message.sentAtMs),
    date_updated: rfc2822(message.updatedAtMs),
    direction: message.direction,
    error_code: message.errorCode,
    error_message: message.errorCode === UNDELIVERED_CODE ? UNDELIVERED_TEXT : null,
    from: isUndecided ? null : message.from,
    messaging_service_sid: message.messagingServiceSid,
    num_media: '0',
    num_segments: String(isUndecided ? 0 : message.segments),
    price: null,
    price_unit: 'USD',
    sid: message.sid,
    status: message.status,
    subresource_uris: { media: `${uri}/Media.json` },
    to: message.to,
    uri: `${uri}.json`,
  };
}
