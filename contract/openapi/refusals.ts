import { errorCatalogue, errorText, publicCode, type ErrorCode } from '../errors.js';
import { refusal } from '../examples.js';
import { limits } from '../limits.js';
import type { MediaType, Reference, Response } from './document.js';

const NOT_CHARGED = 'You were not charged.';

/** An example of the sentence for people of every "no" of the public API, in the order of the error table. */
const details = {
  invalid_request: 'The body is neither valid JSON nor a form.',
  body_too_large: 'The body is too large.',
  invalid_limit: `"limit" is a whole number from ${limits.otpMinutesMin} to ${limits.otpMinutesMax}.`,
  missing_fields: 'Send "to", "message" and "apikey", none of them empty.',
  rate_limited: `Too many requests in this second. ${NOT_CHARGED}`,
  address_blocked: 'This network address may not use the API. Contact support.',
  unknown_api_key: 'No account has this API key. The dashboard shows yours.',
  account_blocked: 'This account is blocked. Contact support.',
  idempotency_in_progress: 'The first request with this Idempotency-Key is still running.',
  idempotency_conflict: 'This Idempotency-Key was used with another body within 24 hours. Use a new one.',
  no_credits: `The balance is 0. ${NOT_CHARGED}`,
  invalid_number: 'This is not a valid phone number. Write it with + and country code.',
  region_unsupported: 'Messages to this country are not offered.',
  region_inactive: 'Messages to France are not offered yet.',
  message_too_long: `The message has ${limits.messageSegmentsMax + 1} segments; the longest that is sent has ${limits.messageSegmentsMax}.`,
  url_shortener: 'Shortened URLs are not sent. Use the full URL.',
  url_not_activated: 'Messages with URLs need activation of the account. Contact support.',
  recipient_opted_out: 'The recipient has opted out by replying STOP.',
  daily_limit: `The daily limit of this account is reached. ${NOT_CHARGED}`,
  insufficient_credits: `The balance does not cover the price of this message. ${NOT_CHARGED}`,
  message_not_found: 'This account has no message with this id.',
  internal: `Something went wrong on our side. ${NOT_CHARGED}`,
  unavailable: `The service is temporarily unavailable. ${NOT_CHARGED} Try again.`,
} as const satisfies Partial<Record<ErrorCode, string>>;

/** What a call of the public API can be refused with. */
export type Refusal = keyof typeof details;

const reading = [
  'invalid_request',
  'rate_limited',
  'address_blocked',
  'unknown_api_key',
  'account_blocked',
  'internal',
  'unavailable',
] as const satisfies Refusal[];
const posting = [...reading, 'body_too_large', 'missing_fields', 'invalid_number'] as const satisfies Refusal[];
const sending = [
  ...posting,
  'idempotency_in_progress',
  'idempotency_conflict',
  'no_credits',
  'region_unsupported',
  'message_too_long',
  'url_shortener',
  'url_not_activated',
  'recipient_opted_out',
  'daily_limit',
] as const satisfies Refusal[];

/** The "no"s of every call. */
export const refusalsOf = {
  sendSms: [...sending, 'region_inactive', 'insufficient_credits'],
  sendOtp: [...sending, 'invalid_limit'],
  verifyOtp: posting,
  listMessages: reading,
  findMessage: [...reading, 'message_not_found'],
  balance: reading,
} as const satisfies Record<string, readonly Refusal[]>;

/** In words, by HTTP status. */
const meanings: Readonly<Record<number, string>> = {
  400: 'The request is not right: mend it.',
  401: 'No account has this key.',
  402: 'The credits do not suffice.',
  403: 'This may not be done.',
  404: 'There is no such message.',
  409: 'The first request with this Idempotency-Key is still running.',
  413: 'The body is too large.',
  422: 'This Idempotency-Key was used with another body.',
  429: 'Too much at once, or for today: wait for the seconds in Retry-After.',
  500: 'A fault of ours. Nothing was sent and nothing was charged.',
  503: 'Not available for a moment: try again.',
};

const waits = new Set([429, 503]);

/**
 * One answer for each HTTP status, with an example of every code it may bear. `uncounted`: statuses that come before the
 * request is counted against its key.
 */
export function refusalResponses(
  codes: readonly Refusal[],
  uncounted: readonly number[] = [413],
): Record<string, Response> {
  const ordered = (Object.keys(details) as Refusal[]).filter((code) => codes.includes(code));
  const statuses = [...new Set(ordered.map((code) => errorCatalogue[code].status))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => [
      String(status),
      responseOf(
        status,
        ordered.filter((code) => errorCatalogue[code].status === status),
        !uncounted.includes(status),
      ),
    ]),
  );
}

function responseOf(status: number, codes: readonly Refusal[], isCounted: boolean): Response {
  const description = meanings[status];
  if (description === undefined) throw new Error(`Nothing is said of status ${status}`);
  const headers = {
    ...requestIdHeader,
    ...(isCounted && rateLimitHeaders),
    ...(waits.has(status) && retryAfterHeader),
  };
  return {
    description,
    headers,
    content: { 'application/json': mediaTypeOf(codes) },
  };
}

function mediaTypeOf(codes: readonly Refusal[]): MediaType {
  return {
    schema: {
      $ref: '#/components/schemas/Failure',
      properties: {
        error: { enum: [...new Set(codes.map((code) => errorText(code, '')))] },
        code: { enum: [...new Set(codes.map(publicCode))] },
      },
    },
    examples: Object.fromEntries(codes.map((code) => [code, { value: refusal(code, details[code]) }])),
  };
}

const header = (name: string): Record<string, Reference> => ({ [name]: { $ref: `#/components/headers/${name}` } });

export const requestIdHeader = header('X-Request-Id');
export const rateLimitHeaders: Readonly<Record<string, Reference>> = {
  ...header('RateLimit-Limit'),
  ...header('RateLimit-Remaining'),
  ...header('RateLimit-Reset'),
};
const retryAfterHeader = header('Retry-After');
export const replayedHeader = header('Idempotent-Replayed');
export const varyHeader = header('Vary');
