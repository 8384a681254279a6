import type { ErrorCode } from '#contract/errors.js';
import type { MessageView } from '#contract/messages.js';

const API_VERSION = '2010-04-01';

export function messagesUri(accountSid: string): string {
  return `/${API_VERSION}/Accounts/${accountSid}/Messages`;
}

/** Our refusals as Twilio's codes (https://www.twilio.com/docs/api/errors). A code that is not listed is 20001. */
const twilioCodes: Partial<Record<ErrorCode, number>> = {
  unknown_api_key: 20_003,
  key_expired: 20_003,
  key_scope: 20_006,
  key_address: 20_006,
  address_blocked: 20_006,
  account_blocked: 20_005,
  delivery_suspended: 30_002,
  rate_limited: 20_429,
  no_credits: 30_002,
  insufficient_credits: 30_002,
  key_budget: 30_002,
  daily_limit: 63_038,
  invalid_number: 21_211,
  number_type_unsupported: 21_614,
  region_unsupported: 21_408,
  region_inactive: 21_408,
  key_country: 21_408,
  country_disabled: 21_408,
  number_not_verified: 21_608,
  recipient_opted_out: 21_610,
  message_too_long: 21_617,
  url_shortener: 30_007,
  url_not_activated: 30_007,
  invalid_send_at: 35_114,
  message_not_found: 20_404,
  not_found: 20_404,
  not_cancelable: 30_409,
  internal: 20_500,
  unavailable: 20_503,
};
const INVALID_PARAMETER = 20_001;

export function twilioCodeOf(code: ErrorCode): number {
  return twilioCodes[code] ?? INVALID_PARAMETER;
}

/** An error that has no code among ours. */
export class TwilioError extends Error {
  constructor(
    readonly code: number,
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export function unsupported(detail: string): TwilioError {
  return new TwilioError(INVALID_PARAMETER, 400, detail);
}

/** Twilio's code of a message that was not delivered, where the carrier gave none. */
const UNKNOWN_ERROR = 30_008;
const VALIDITY_EXPIRED = 30_036;

/** A message as Twilio's API shows it (https://www.twilio.com/docs/messaging/api/message-resource). */
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
    error_code: errorCodeOf(message),
    error_message: message.error_code,
    from: message.from,
    messaging_service_sid: null,
    num_media: '0',
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

function errorCodeOf({ status, error_code: errorCode, carrier_error: carrierError }: MessageView): number | null {
  if (status !== 'failed' && status !== 'undelivered') return null;
  return carrierError ?? (errorCode === 'expired' ? VALIDITY_EXPIRED : UNKNOWN_ERROR);
}

/** Such as `Fri, 24 May 2019 17:44:46 +0000`. */
function rfc2822(instant: string): string {
  return new Date(instant).toUTCString().replace('GMT', '+0000');
}
