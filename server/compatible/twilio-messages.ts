import type { MessageView } from '#contract/messages.js';
import { twilioErrorCode } from '#core/webhooks/callbacks/callback-formats.js';

const API_VERSION = '2010-04-01';
const SID_DIGITS = 32;

export function messagesUri(accountSid: string): string {
  return `/${API_VERSION}/Accounts/${accountSid}/Messages`;
}

/**
 * A message as Twilio's API shows it (https://www.twilio.com/docs/messaging/api/message-resource).
 * `service`: the messaging service that the caller has just named; it is not stored.
 */
export function messageResource(
  accountSid: string,
  message: MessageView,
  service: string | null = null,
): Record<string, unknown> {
  const uri = `${messagesUri(accountSid)}/${message.message_id}`;
  const { finished_at: finishedAt, sent_at: sentAt, created_at: createdAt } = message;
  return {
    account_sid: accountSid,
    api_version: API_VERSION,
    body: message.message,
    date_created: rfc2822(createdAt),
    date_sent: sentAt && rfc2822(sentAt),
    date_updated: rfc2822(finishedAt ?? sentAt ?? createdAt),
    direction: 'outbound-api',
    error_code: twilioErrorCode(message),
    error_message: message.error_code,
    from: message.from,
    messaging_service_sid: service,
    num_media: String(message.media?.length ?? 0),
    num_segments: String(message.segments),
    price: null,
    price_unit: 'USD',
    sid: message.message_id,
    status: message.status,
    subresource_uris: { media: `${uri}/Media.json` },
    to: message.to,
    uri: `${uri}.json`,
  };
}

/**
 * The files of a message as Twilio's API lists them
 * (https://www.twilio.com/docs/messaging/api/media-resource), on one page.
 */
export function mediaList(accountSid: string, message: MessageView) {
  const uri = `${messagesUri(accountSid)}/${message.message_id}/Media`;
  const date = rfc2822(message.created_at);
  const files = (message.media ?? []).map((file) => {
    const sid = `ME${file.media_id.slice(-SID_DIGITS)}`;
    return {
      account_sid: accountSid,
      content_type: file.type,
      date_created: date,
      date_updated: date,
      parent_sid: message.message_id,
      sid,
      uri: `${uri}/${sid}.json`,
    };
  });
  const page = `${uri}.json?PageSize=50&Page=0`;
  return {
    media_list: files,
    page: 0,
    page_size: 50,
    start: 0,
    end: Math.max(0, files.length - 1),
    first_page_uri: page,
    next_page_uri: null,
    previous_page_uri: null,
    uri: page,
  };
}

/** Such as `Fri, 24 May 2019 17:44:46 +0000`. */
function rfc2822(instant: string): string {
  return new Date(instant).toUTCString().replace('GMT', '+0000');
}
