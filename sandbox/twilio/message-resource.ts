import { randomUUID } from 'node:crypto';
import type { MessageMedia } from '../carriers/media.js';
import type { Message } from '../carriers/message.js';
import { errorTextOf } from './twilio-error.js';

/** Creates a message sid: SM, or MM with files, and 32 hexadecimal digits. */
export function newMessageSid(hasMedia = false): string {
  return `${hasMedia ? 'MM' : 'SM'}${randomUUID().replaceAll('-', '')}`;
}

/** Formats an instant as Twilio's 2010 API does: `Thu, 24 Aug 2023 05:01:45 +0000`. */
export function rfc2822(atMs: number): string {
  return new Date(atMs).toUTCString().replace('GMT', '+0000');
}

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
    error_message: message.errorCode === null ? null : errorTextOf(message.errorCode),
    from: isUndecided ? null : message.from,
    messaging_service_sid: message.messagingServiceSid,
    // Twilio counts files once it has fetched them.
    num_media: String((message.media ?? message.files ?? []).length),
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

/** Twilio's Media resource, of a file of a message. */
export function mediaResource(message: Message, { sid, type }: MessageMedia, accountSid: string) {
  const date = rfc2822(message.createdAtMs);
  return {
    account_sid: accountSid,
    content_type: type,
    date_created: date,
    date_updated: date,
    parent_sid: message.sid,
    sid,
    uri: `${mediaPath(message, sid, accountSid)}.json`,
  };
}

/** Path of a file's bytes, without an extension. */
export function mediaPath({ sid: messageSid }: Message, sid: string, accountSid: string): string {
  return `/2010-04-01/Accounts/${accountSid}/Messages/${messageSid}/Media/${sid}`;
}
