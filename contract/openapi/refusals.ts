import { errorCatalogue, type ErrorCode, type ErrorPlace, errorText, publicCode } from '../errors.js';
import { refusal } from '../examples.js';
import { limits } from '../limits.js';
import type { MediaType, Reference, Response } from './document.js';

const { messageSegmentsMax: segmentsMax } = limits;
const NOT_CHARGED = 'You were not charged.';

/** Example `detail` of every error of the public API, in the order of the error table. */
const details = {
  invalid_request: 'The body is not valid JSON.',
  body_too_large: 'The body is too large.',
  body_too_slow:
    'The file arrives too slowly: it has to bring ' +
    `${limits.uploadBytesPerSecondMin.toLocaleString('en-US')} bytes a second on average. ${NOT_CHARGED}`,
  unsupported_encoding: 'Compressed bodies are not read (Content-Encoding: gzip). Send plain JSON.',
  invalid_limit: `"limit" is a whole number from ${limits.otpMinutesMin} to ${limits.otpMinutesMax}.`,
  invalid_send_at:
    `"send_at" is a time from ${limits.sendAtSecondsMin} seconds to ${limits.sendAtDaysMax} days from ` +
    `now. ${NOT_CHARGED}`,
  invalid_validity:
    `"validity" is a whole number of seconds from ${limits.validitySecondsMin} to ` +
    `${limits.validitySecondsMax.toLocaleString('en-US')}.`,
  missing_fields: '"message" is missing or empty.',
  rate_limited: `Too many requests in this second. ${NOT_CHARGED}`,
  address_blocked: 'This network address may not use the API. Contact support.',
  unknown_api_key: 'No account has this API key. The dashboard shows yours.',
  account_blocked: 'This account is blocked. Contact support.',
  key_expired: 'This API key has expired. Give it another date in the dashboard, or use another key.',
  key_address: 'This API key may not be used from this network address. The dashboard lists its addresses.',
  key_scope:
    'This call needs the scope "read"; this API key has "send" and "otp". Add the scope in the dashboard ' +
    'under API Keys, or use another key.',
  idempotency_in_progress: 'The first request with this Idempotency-Key is still running.',
  idempotency_conflict: 'This Idempotency-Key was used with another body within 24 hours. Use a new one.',
  delivery_suspended:
    'Too many messages of this account were not delivered. ' + NOT_CHARGED + ' The dashboard shows what you can do.',
  no_credits: `The balance is 0. ${NOT_CHARGED}`,
  invalid_number: 'This is not a valid phone number. Write it with + and country code.',
  number_type_unsupported: 'This is a premium-rate number. Messages are sent to mobile numbers only.',
  region_unsupported: 'This is a number in Guernsey; messages there are not offered.',
  region_inactive: 'Messages to France are not offered yet.',
  encoding_unsupported: 'GSM-7 does not contain "“", "”".',
  message_too_long: `The message has ${segmentsMax + 1} segments; the limit is ${segmentsMax}.`,
  media_unsupported: `MMS is sent to the USA and Canada only. "media_fallback": "link" sends links. ${NOT_CHARGED}`,
  media_too_large:
    `The files have 5,242,880 bytes together; at most ` +
    `${limits.messageMediaBytesMax.toLocaleString('en-US')} are sent. ${NOT_CHARGED}`,
  media_type: `media.0: This is not a file that phones take: image/svg+xml. ${NOT_CHARGED}`,
  media_unreachable: `media.0: The server answered 404. ${NOT_CHARGED}`,
  media_unknown: `media.0: Your account has never had a file with this id. ${NOT_CHARGED}`,
  media_limit: `Your account has stored its files of the last 24 hours. ${NOT_CHARGED}`,
  url_shortener: '"bit.ly/x" is a shortened URL. Use the full URL.',
  from_unknown: `"+12125550199" is neither a number nor a pool of your account. ${NOT_CHARGED}`,
  from_inactive: `+12125550143 cannot send: it is reserving. ${NOT_CHARGED}`,
  bulk_rejected:
    `2 items were rejected, so nothing was sent. ${NOT_CHARGED} Correct the request, or send it with ` +
    '"partial": true.',
  quote_invalid:
    'This quote belongs to another account or message. Request another with POST /api/quote. You were not charged.',
  quote_expired:
    `A quote is valid for ${limits.quoteMinutes} minutes. Request another with POST /api/quote. ` + NOT_CHARGED,
  price_above_max: `The price is 4 credits, more than "max_credits", 3. ${NOT_CHARGED}`,
  key_country: `This API key may not send to this country. ${NOT_CHARGED}`,
  country_disabled:
    `Messages to this country are switched off in your account. ${NOT_CHARGED} The dashboard lists your ` +
    'countries.',
  number_not_verified:
    'Free credits can only be used for numbers that you have verified with a one-time password. ' + NOT_CHARGED,
  url_not_activated: '"example.com" is a URL. Messages with URLs need activation of the account. Contact support.',
  recipient_opted_out: 'The recipient has opted out by replying STOP.',
  daily_limit: `This account has reached its daily limit. ${NOT_CHARGED}`,
  key_budget: `This message would exceed the daily budget of this API key. ${NOT_CHARGED}`,
  insufficient_credits: `The balance does not cover the price of this message. ${NOT_CHARGED}`,
  otp_suspicious:
    'Of your 41 codes in 60 minutes to numbers that begin like this one, 3 were verified: 7%, and at ' +
    'least 20% are expected. This looks like fraud. You can reset the guard in the dashboard once an ' +
    `hour. ${NOT_CHARGED}`,
  code_invalid:
    `"code" must be ${limits.otpOwnCodeCharactersMin} to ${limits.otpOwnCodeCharactersMax} digits and capital ` +
    `letters without I, L and O. ${NOT_CHARGED}`,
  channel_unsupported: `Voice call is not offered here; "sms" is. ${NOT_CHARGED}`,
  channel_disabled: `Codes by voice calls to France are not offered. ${NOT_CHARGED}`,
  otp_not_found: 'This account has no one-time password with this id.',
  otp_not_resendable: `A code is sent again at most ${limits.otpResendWaitsSeconds.length} times. ${NOT_CHARGED}`,
  otp_resend_too_early: `This code can be sent again in ${limits.otpResendWaitsSeconds[0]} seconds. ${NOT_CHARGED}`,
  totp_not_found: 'This account has no authenticator with this id.',
  totp_limit: `An account has at most ${limits.totpsMax.toLocaleString('en-US')} authenticators. Delete one first.`,
  message_not_found: 'This account has no message with this id.',
  media_not_found: 'This account has no file with this id.',
  media_pending: 'The file is being copied from the carrier. Try again in a moment.',
  media_failed: 'The carrier did not have it any more.',
  media_expired: 'The file has been deleted: files are kept for a limited time.',
  not_cancelable: 'Only a scheduled or queued message can be canceled; this one is sent.',
  batch_not_found: 'This account has no batch with this id.',
  number_unsupported: `Local and toll-free numbers of US, CA are sold, with + and country code. ${NOT_CHARGED}`,
  number_needs_purchase: `Numbers can be bought after the first paid purchase of credits. ${NOT_CHARGED}`,
  number_limit: 'Your account has 10 numbers; it may have 10. Release one first, or contact support.',
  number_day_limit: `An account buys at most ${limits.numberPurchasesPerDayMax} numbers a day. ${NOT_CHARGED}`,
  number_taken: `+12125550143 is not available. ${NOT_CHARGED} Similar ones are: +12125550157, +12125550171.`,
  number_not_found: 'This account has no number with this id.',
  number_not_changeable: 'Only a number that works can be changed.',
  number_release_blocked: 'Credits of your account are frozen by a dispute; nothing is released until it is decided.',
  pool_not_found: 'This account has no pool with this id.',
  pool_invalid: '+12125550199 is not a number of your account.',
  pool_limit: `An account has at most ${limits.poolsMax} pools. Delete one first.`,
  too_many_streams: `An account has at most ${limits.eventStreamsPerAccountMax} streams. Close one first.`,
  webhook_off: 'Set a webhook URL or listen to the events of the account first.',
  webhook_actions: 'You sent too many webhooks by hand. Wait a moment.',
  internal: `Something went wrong on our side. ${NOT_CHARGED}`,
  unavailable: `The service is temporarily unavailable. ${NOT_CHARGED} Try again.`,
} as const satisfies Partial<Record<ErrorCode, string>>;

/** An error that a call of the public API can return. */
export type Refusal = keyof typeof details;

const readingRefusals = [
  'invalid_request',
  'rate_limited',
  'address_blocked',
  'unknown_api_key',
  'account_blocked',
  'key_expired',
  'key_address',
  'key_scope',
  'internal',
  'unavailable',
] as const satisfies Refusal[];
const postingRefusals = [
  ...readingRefusals,
  'body_too_large',
  'unsupported_encoding',
  'missing_fields',
] as const satisfies Refusal[];
const acceptingRefusals = [
  ...postingRefusals,
  'idempotency_in_progress',
  'idempotency_conflict',
  'delivery_suspended',
  'no_credits',
  'url_not_activated',
  'key_country',
  'country_disabled',
  'recipient_opted_out',
  'daily_limit',
  'key_budget',
] as const satisfies Refusal[];
const contentRefusals = [
  'invalid_number',
  'number_type_unsupported',
  'region_unsupported',
  'message_too_long',
  'url_shortener',
  'from_unknown',
  'from_inactive',
] as const satisfies Refusal[];
const mediaRefusals = [
  'media_unsupported',
  'media_too_large',
  'media_type',
  'media_unreachable',
  'media_unknown',
  'media_expired',
  'media_limit',
] as const satisfies Refusal[];
const sendingRefusals = [...acceptingRefusals, ...contentRefusals] as const satisfies Refusal[];

/** Also of a DELETE, whose body is not read. */
const bodyRefusals = [...readingRefusals, 'body_too_large', 'unsupported_encoding'] as const satisfies Refusal[];

/** Possible errors of every call. */
export const refusalsOf = {
  sendSms: [
    ...sendingRefusals,
    'region_inactive',
    'encoding_unsupported',
    'quote_invalid',
    'quote_expired',
    'price_above_max',
    'number_not_verified',
    'insufficient_credits',
    'invalid_send_at',
    'invalid_validity',
    ...mediaRefusals,
  ],
  uploadMedia: [
    ...postingRefusals,
    'idempotency_in_progress',
    'idempotency_conflict',
    'body_too_slow',
    'media_too_large',
    'media_type',
    'media_unreachable',
    'media_limit',
  ],
  quote: [
    ...postingRefusals,
    ...contentRefusals,
    'invalid_limit',
    'code_invalid',
    'channel_unsupported',
    'channel_disabled',
    'region_inactive',
    'encoding_unsupported',
    'key_country',
    'country_disabled',
    'number_not_verified',
    'url_not_activated',
    'recipient_opted_out',
    'invalid_send_at',
    'invalid_validity',
    'bulk_rejected',
    'media_unsupported',
    'media_too_large',
    'media_type',
    'media_unknown',
    'media_expired',
  ],
  sendBulk: [
    ...postingRefusals,
    'idempotency_in_progress',
    'idempotency_conflict',
    'delivery_suspended',
    'no_credits',
    'daily_limit',
    'bulk_rejected',
    'from_unknown',
    'from_inactive',
    'quote_invalid',
    'quote_expired',
    'price_above_max',
    'invalid_send_at',
    'invalid_validity',
    ...mediaRefusals.filter((code) => code !== 'media_unsupported'),
  ],
  listBatches: readingRefusals,
  findBatch: [...readingRefusals, 'batch_not_found'],
  cancelBatch: [...readingRefusals, 'body_too_large', 'unsupported_encoding', 'batch_not_found', 'not_cancelable'],
  listBatchMessages: [...readingRefusals, 'batch_not_found'],
  sendOtp: [
    ...sendingRefusals,
    'price_above_max',
    'invalid_limit',
    'code_invalid',
    'channel_unsupported',
    'channel_disabled',
    'otp_suspicious',
  ],
  resendOtp: [...acceptingRefusals, 'otp_suspicious', 'otp_not_found', 'otp_not_resendable', 'otp_resend_too_early'],
  verifyOtp: [...postingRefusals, 'invalid_number'],
  findOtp: [...readingRefusals, 'otp_not_found'],
  listOtps: readingRefusals,
  otpConversion: readingRefusals,
  otpGuard: readingRefusals,
  createTotp: [...postingRefusals, 'totp_limit'],
  listTotps: readingRefusals,
  findTotp: [...readingRefusals, 'totp_not_found'],
  verifyTotp: [...postingRefusals, 'totp_not_found'],
  replaceRecoveryCodes: [...bodyRefusals, 'totp_not_found'],
  deleteTotp: [...bodyRefusals, 'totp_not_found'],
  listMessages: [...readingRefusals, 'batch_not_found'],
  findMessage: [...readingRefusals, 'message_not_found'],
  messageRecord: [...readingRefusals, 'message_not_found'],
  findMedia: [...readingRefusals, 'media_not_found', 'media_pending', 'media_failed', 'media_expired'],
  cancelMessage: [...readingRefusals, 'body_too_large', 'unsupported_encoding', 'message_not_found', 'not_cancelable'],
  availableNumbers: [...readingRefusals, 'number_unsupported'],
  buyNumber: [
    ...postingRefusals,
    'idempotency_in_progress',
    'idempotency_conflict',
    'number_unsupported',
    'number_needs_purchase',
    'number_limit',
    'number_day_limit',
    'number_taken',
    'key_budget',
    'insufficient_credits',
  ],
  listNumbers: readingRefusals,
  findNumber: [...readingRefusals, 'number_not_found'],
  changeNumber: [...bodyRefusals, 'number_not_found', 'number_not_changeable'],
  releaseNumber: [...bodyRefusals, 'number_not_found', 'number_not_changeable', 'number_release_blocked'],
  putPool: [...bodyRefusals, 'pool_invalid', 'pool_limit'],
  listPools: readingRefusals,
  findPool: [...readingRefusals, 'pool_not_found'],
  deletePool: [...bodyRefusals, 'pool_not_found'],
  listOptOuts: readingRefusals,
  deliverability: readingRefusals,
  spend: readingRefusals,
  exposure: readingRefusals,
  balance: readingRefusals,
  notifications: readingRefusals,
  deliveryQuality: ['invalid_request', 'internal', 'unavailable'],
  // A ready server answers with the regions that it read last.
  regions: ['invalid_request'],
  serviceStatus: ['invalid_request', 'internal', 'unavailable'],
  streamEvents: [...readingRefusals, 'too_many_streams'],
  triggerEvent: [...readingRefusals, 'body_too_large', 'unsupported_encoding', 'webhook_off', 'webhook_actions'],
} as const satisfies Record<string, readonly Refusal[]>;

/** Calls whose errors have the texts of sending. */
const sendingCalls: ReadonlySet<string> = new Set<keyof typeof refusalsOf>([
  'sendSms',
  'sendBulk',
  'sendOtp',
  'resendOtp',
  'verifyOtp',
  'quote',
]);

/** Descriptions by HTTP status. */
const meanings: Readonly<Record<number, string>> = {
  400: 'The request is invalid.',
  401: 'No account has this key, or it has expired.',
  402: 'Not enough credits, or none was ever purchased.',
  403: 'Not allowed.',
  404: 'There is no such message, batch, one-time password, authenticator, file, number or pool.',
  408: 'The body arrives too slowly.',
  409:
    'The first request with this Idempotency-Key is still running, the quote has expired, the price is ' +
    'too high, `from` cannot send, the code cannot be sent again, the message cannot be canceled, the file is ' +
    'not stored yet, the number is taken or cannot be changed, a limit of numbers, pools or authenticators is ' +
    'reached, or nothing receives the test event.',
  410: 'The file has been deleted, or could not be stored.',
  413: 'The body or a file is too large.',
  415: 'The body is compressed, or in a charset that is not read.',
  422: 'This Idempotency-Key was used with another body.',
  429: 'Too many requests or streams, or a daily limit or budget is reached. Wait for the seconds in Retry-After.',
  500: 'Internal error. Nothing was sent and nothing was charged.',
  503: 'Temporarily unavailable. Try again.',
};

const waits = new Set([429, 503]);
/** Errors that name a time to wait, although others of their status do not. */
const waitingCodes: readonly Refusal[] = ['media_pending'];

/**
 * Returns one response of a call per HTTP status, with an example of every code. `uncounted`: statuses that
 * are returned before the request counts against the rate limit of its key.
 */
export function refusalResponses(
  call: keyof typeof refusalsOf,
  uncounted: readonly number[] = [413, 415],
): Record<string, Response> {
  const codes: readonly Refusal[] = refusalsOf[call];
  const place = sendingCalls.has(call) ? 'sending' : 'other';
  const ordered = (Object.keys(details) as Refusal[]).filter((code) => codes.includes(code));
  const statuses = [...new Set(ordered.map((code) => errorCatalogue[code].status))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => [
      String(status),
      responseOf(
        status,
        ordered.filter((code) => errorCatalogue[code].status === status),
        { place, isCounted: !uncounted.includes(status) },
      ),
    ]),
  );
}

function responseOf(
  status: number,
  codes: readonly Refusal[],
  { place, isCounted }: { readonly place: ErrorPlace; readonly isCounted: boolean },
): Response {
  const description = meanings[status];
  if (description === undefined) throw new Error(`Status ${status} has no description`);
  const headers = {
    ...requestIdHeader,
    ...(isCounted && rateLimitHeaders),
    ...((waits.has(status) || codes.some((code) => waitingCodes.includes(code))) && retryAfterHeader),
  };
  return {
    description,
    headers,
    content: { 'application/json': mediaTypeOf(codes, place) },
  };
}

function mediaTypeOf(codes: readonly Refusal[], place: ErrorPlace): MediaType {
  return {
    schema: {
      $ref: `#/components/schemas/${failureOf(codes)}`,
      properties: {
        error: { enum: [...new Set(codes.map((code) => errorText(code, '', place)))] },
        code: { enum: [...new Set(codes.map(publicCode))] },
      },
    },
    examples: Object.fromEntries(
      codes.map((code) => [code, { value: { ...refusal(code, details[code]), error: errorText(code, '', place) } }]),
    ),
  };
}

/** Most errors have only their texts. */
function failureOf(codes: readonly Refusal[]): string {
  if (codes.includes('bulk_rejected')) return 'BulkFailure';
  return codes.includes('number_taken') ? 'NumberFailure' : 'Failure';
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
export const digestHeader = header('Repr-Digest');
