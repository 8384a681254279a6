import type { MessageView } from '#contract/messages.js';
import { twilioErrorCode } from '#core/webhooks/callbacks/callback-formats.js';

const API_VERSION = '2010-04-01';

export function messagesUri(accountSid: string): string {
  return `/${API_VERSION}/Accounts/${accountSid}/Messages`;
}

/**
 * A message as Twilio's API shows it (https://www.twilio.com/docs/messaging/api/message-resource).
 */
export function messageResource(accountSid: string, message: MessageView): Record<string, unknown> {
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
    messaging_service_sid: null,
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

/** Such as `Fri, 24 May 2019 17:44:46 +0000`. */
function rfc2822(instant: string): string {
  return new Date(instant).toUTCString().replace('GMT', '+0000');
}
