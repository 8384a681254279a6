import { randomUUID } from 'node:crypto';
import type { Message } from '../carriers/message.js';
import { UNDELIVERED_CODE, UNDELIVERED_TEXT } from './twilio-error.js';

/** Creates a message sid: SM and 32 hexadecimal digits. */
export function newMessageSid(): string {
  return `SM${randomUUID().replaceAll('-', '')}`;
}

/** Formats an instant as Twilio's 2010 API does: `Thu, 24 Aug 2023 05:01:45 +0000`. */
export function rfc2822(atMs: number): string {
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
