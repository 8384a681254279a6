import type { ErrorCode } from '#contract/errors.js';
import type { DomainError } from '#core/platform/errors/domain-error.js';

/** An error in the shape of another API. */
export interface ShapedError {
  readonly status: number;
  readonly body: object;
}

const OUT_OF_QUOTA = 'Out of quota';
export const INCOMPLETE = 'Incomplete request';

/** Textbelt's words for our refusals; other refusals keep our detail. */
const sentences: Partial<Record<ErrorCode, string>> = {
  no_credits: OUT_OF_QUOTA,
  insufficient_credits: OUT_OF_QUOTA,
  unknown_api_key: OUT_OF_QUOTA,
  key_expired: OUT_OF_QUOTA,
  missing_fields: INCOMPLETE,
  invalid_number:
    'Invalid phone number or bad request. If your phone number contains a + sign, be sure to URL encode it.',
};

/**
 * An error as Textbelt answers it: with status 200 and `success: false`; 429 and 5xx keep their
 * status.
 */
export function textbeltError({ code, detail, status }: DomainError): ShapedError {
  const sentence = sentences[code] ?? detail;
  const isShown = code === 'rate_limited' || status >= 500;
  return {
    status: isShown ? status : 200,
    body: { success: false, ...(sentence === OUT_OF_QUOTA && { quotaRemaining: 0 }), error: sentence },
  };
}

/**
 * Our refusals as Twilio's codes (https://www.twilio.com/docs/api/errors). A code that is not
 * listed is 20001.
 */
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
  media_unsupported: 21_612,
  media_too_large: 11_751,
  media_type: 12_300,
  media_unreachable: 11_200,
  media_unknown: 11_200,
  media_limit: 20_429,
  url_shortener: 30_007,
  from_unknown: 21_606,
  from_inactive: 21_606,
  url_not_activated: 30_007,
  invalid_send_at: 35_114,
  message_not_found: 20_404,
  not_found: 20_404,
  not_cancelable: 30_409,
  internal: 20_500,
  unavailable: 20_503,
};
const INVALID_PARAMETER = 20_001;

/** Refusals whose detail names parameters that Twilio's API does not have. */
const twilioTexts: Partial<Record<ErrorCode, string>> = {
  media_unsupported: "The recipient, or what 'From' names, takes no files. You were not charged.",
  invalid_send_at: "'SendAt' is not within the time that messages can be scheduled for. You were not charged.",
};

/** An error of Twilio's API that none of our codes matches. */
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

/** An error as Twilio answers it. */
export function twilioError(error: DomainError | TwilioError): ShapedError {
  const isOurs = !(error instanceof TwilioError);
  const code = isOurs ? (twilioCodes[error.code] ?? INVALID_PARAMETER) : error.code;
  const message = isOurs ? (twilioTexts[error.code] ?? error.detail) : error.message;
  const status = isOurs && error.code === 'from_inactive' ? 400 : error.status;
  return { status, body: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status } };
}

const twilioRoutes = /^\/2010-04-01(\/|\?|$)/;
const textbeltRoutes = /^\/(text|otp\/(generate|verify)|status\/[^/?]+|quota\/[^/?]+)(\?|$)/;

/**
 * An error before any route, such as an unreadable body, in the shape of the API that has the path;
 * undefined for our API.
 */
export function shapedError(url: string, error: DomainError): ShapedError | undefined {
  if (twilioRoutes.test(url)) return twilioError(error);
  return textbeltRoutes.test(url) && error.code !== 'not_found' ? textbeltError(error) : undefined;
}
