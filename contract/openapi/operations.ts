import { errorCatalogue, type ErrorCode, errorText, publicCode } from '../errors.js';
import {
  accepted,
  balance,
  delivered,
  guardState,
  pendingOtp,
  refusal,
  resentOtp,
  sentOtp,
  verifiedOtp,
} from '../examples.js';
import { limits } from '../limits.js';
import { otpStatuses, otpTexts } from '../otp-statuses.js';
import type { MediaType, Operation, Parameter, PathItem, Reference, Response } from './schemas.js';

const NOT_CHARGED = 'You were not charged.';

/** Example `detail` of every error of the public API, in the order of the error table. */
const details = {
  invalid_request: 'The body is neither valid JSON nor a form.',
  body_too_large: 'The body is too large.',
  invalid_limit: `"limit" is a whole number from ${limits.otpMinutesMin} to ${limits.otpMinutesMax}.`,
  missing_fields: 'Send "to", "message" and "apikey"; none may be empty.',
  rate_limited: `Too many requests in this second. ${NOT_CHARGED}`,
  address_blocked: 'This network address may not use the API. Contact support.',
  unknown_api_key: 'No account has this API key. The dashboard shows yours.',
  account_blocked: 'This account is blocked. Contact support.',
  idempotency_in_progress: 'The first request with this Idempotency-Key is still running.',
  idempotency_conflict: 'This Idempotency-Key was used with another body within 24 hours. Use a new one.',
  delivery_suspended: `Too many recipients of this account were not reached. ${NOT_CHARGED} The dashboard explains it and what you can do.`,
  no_credits: `The balance is 0. ${NOT_CHARGED}`,
  invalid_number: 'This is not a valid phone number. Write it with + and country code.',
  number_type_unsupported: 'This is a premium-rate number. Messages are sent to mobile numbers only.',
  region_unsupported: 'Messages to this country are not offered.',
  region_inactive: 'Messages to France are not offered yet.',
  message_too_long: `The message has ${limits.messageSegmentsMax + 1} segments; the longest that is sent has ${limits.messageSegmentsMax}.`,
  url_shortener: '"bit.ly/x" is a shortened URL. Use the full URL.',
  number_not_verified: `Free credits send only to numbers that you have verified by a one-time password. ${NOT_CHARGED}`,
  url_not_activated: '"example.com" is a URL. Messages with URLs need activation of the account. Contact support.',
  recipient_opted_out: 'The recipient has opted out by replying STOP.',
  daily_limit: `The daily limit of this account is reached. ${NOT_CHARGED}`,
  insufficient_credits: `The balance does not cover the price of this message. ${NOT_CHARGED}`,
  otp_suspicious: `Of your 41 codes in 60 minutes to numbers that begin like this one, 3 were verified: 7%, and at least 20% are expected. This looks like fraud. You can reset the guard in the dashboard once an hour. ${NOT_CHARGED}`,
  otp_not_found: 'This account has no one-time password with this id.',
  otp_not_resendable: `A code is sent again at most ${limits.otpResendWaitsSeconds.length} times. ${NOT_CHARGED}`,
  otp_resend_too_early: `This code can be sent again in ${limits.otpResendWaitsSeconds[0]} seconds. ${NOT_CHARGED}`,
  message_not_found: 'This account has no message with this id.',
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
  'internal',
  'unavailable',
] as const satisfies Refusal[];
const postingRefusals = [...readingRefusals, 'body_too_large', 'missing_fields'] as const satisfies Refusal[];
const acceptingRefusals = [
  ...postingRefusals,
  'idempotency_in_progress',
  'idempotency_conflict',
  'delivery_suspended',
  'no_credits',
  'url_not_activated',
  'recipient_opted_out',
  'daily_limit',
] as const satisfies Refusal[];
const sendingRefusals = [
  ...acceptingRefusals,
  'invalid_number',
  'number_type_unsupported',
  'region_unsupported',
  'message_too_long',
  'url_shortener',
] as const satisfies Refusal[];

/** Possible errors of every call. */
export const refusalsOf = {
  sendSms: [...sendingRefusals, 'region_inactive', 'number_not_verified', 'insufficient_credits'],
  sendOtp: [...sendingRefusals, 'invalid_limit', 'otp_suspicious'],
  resendOtp: [...acceptingRefusals, 'otp_suspicious', 'otp_not_found', 'otp_not_resendable', 'otp_resend_too_early'],
  verifyOtp: [...postingRefusals, 'invalid_number'],
  findOtp: [...readingRefusals, 'otp_not_found'],
  otpGuard: readingRefusals,
  listMessages: readingRefusals,
  findMessage: [...readingRefusals, 'message_not_found'],
  balance: readingRefusals,
} as const satisfies Record<string, readonly Refusal[]>;

/** Descriptions by HTTP status. */
const meanings: Readonly<Record<number, string>> = {
  400: 'The request is invalid.',
  401: 'No account has this key.',
  402: 'Not enough credits.',
  403: 'Not allowed.',
  404: 'There is no such message or one-time password.',
  409: 'The first request with this Idempotency-Key is still running, or the code cannot be sent again.',
  413: 'The body is too large.',
  422: 'This Idempotency-Key was used with another body.',
  429: 'Too many requests, or the daily limit is reached. Wait for the seconds in Retry-After.',
  500: 'Internal error. Nothing was sent and nothing was charged.',
  503: 'Temporarily unavailable. Try again.',
};

const waits = new Set([429, 503]);

/**
 * Returns one response per HTTP status with an example of every code. `uncounted`: statuses that are returned before the request
 * counts against the rate limit of its key.
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
  if (description === undefined) throw new Error(`Status ${status} has no description`);
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

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (name: string, ...values: object[]): MediaType => ({
  schema: ref(name),
  examples: Object.fromEntries(values.map((value, index) => [`example${index + 1}`, { value }])),
});

const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: `Makes retries safe: within ${limits.idempotencyHours} hours the same key and body return the first answer again, and nothing is sent or charged twice.`,
  schema: { type: 'string', minLength: 1, maxLength: limits.idempotencyKeyCharactersMax },
};
const keyInQuery: Parameter = {
  name: 'apikey',
  in: 'query',
  required: false,
  description: 'Your API key, instead of `Authorization: Bearer`. Prefer the header: URLs end up in logs.',
  schema: { type: 'string' },
};
const cursor: Parameter = {
  name: 'cursor',
  in: 'query',
  required: false,
  description: `\`next_cursor\` of the previous page; a page has ${limits.messagesPageSize} messages.`,
  schema: { type: 'string' },
};
const messageId: Parameter = {
  name: 'message_id',
  in: 'path',
  required: true,
  description: 'The id that `sendsms` or `sendotp` returned.',
  schema: { type: 'string' },
};

const otpId: Parameter = {
  name: 'otp_id',
  in: 'path',
  required: true,
  description: 'The id that `sendotp` returned.',
  schema: { type: 'string' },
};

/** The header is not required, because the body may contain the key. */
const security = [{ bearer: [] }, {}];

type Call = Pick<Operation, 'operationId' | 'tags' | 'summary' | 'description' | 'responses'>;

function postCall(call: Call, bodyName: string, example: object, parameters: Parameter[] = []): PathItem {
  const content = { schema: ref(bodyName), examples: { example: { value: example } } };
  const requestBody = {
    required: true,
    content: { 'application/json': content, 'application/x-www-form-urlencoded': content },
  };
  return { post: { ...call, security, parameters, requestBody } };
}

function getCall(call: Call, parameters: Parameter[]): PathItem {
  return { get: { ...call, security: [{ bearer: [] }, { apikeyInQuery: [] }], parameters } };
}

function accepts(description: string, name: string, value: object): Operation['responses'] {
  const headers = { ...requestIdHeader, ...rateLimitHeaders, ...replayedHeader };
  return { 200: { description, headers, content: { 'application/json': json(name, value) } } };
}

const shows = (name: string, description: string, value: object): Operation['responses'] => ({
  200: {
    description,
    headers: { ...requestIdHeader, ...rateLimitHeaders },
    content: { 'application/json': json(name, value) },
  },
});

/** Every call with an API key, by path. */
export const publicPaths: Readonly<Record<string, PathItem>> = {
  '/api/sendsms': postCall(
    {
      operationId: 'sendSms',
      tags: ['Messages'],
      summary: 'Send an SMS',
      description:
        'Accepts one message: it is checked, charged and stored before the answer, and handed to the carrier a moment later. The first error that applies is returned; a refused request sends and costs nothing.',
      responses: {
        ...accepts('The message is stored and charged, and is on its way to the carrier.', 'AcceptedMessage', accepted),
        ...refusalResponses(refusalsOf.sendSms),
      },
    },
    'SendSmsRequest',
    { to: '+12025550142', message: 'Hello from Pennytext', apikey: 'YOUR_API_KEY' },
    [idempotencyKey],
  ),
  '/api/messages': getCall(
    {
      operationId: 'listMessages',
      tags: ['Messages'],
      summary: 'List your messages',
      description: 'Your messages and their states, newest first, in pages.',
      responses: {
        ...shows('MessagesAnswer', 'A page of your messages.', {
          success: 'true',
          messages: [withoutSuccess(delivered)],
          next_cursor: null,
        }),
        ...refusalResponses(refusalsOf.listMessages),
      },
    },
    [cursor, keyInQuery],
  ),
  '/api/messages/{message_id}': getCall(
    {
      operationId: 'findMessage',
      tags: ['Messages'],
      summary: 'Show a message',
      description: 'One message and its state. Messages of other accounts are not found.',
      responses: {
        ...shows('MessageAnswer', 'The current state of the message.', delivered),
        ...refusalResponses(refusalsOf.findMessage, [400]),
      },
    },
    [messageId, keyInQuery],
  ),
  '/api/sendotp': postCall(
    {
      operationId: 'sendOtp',
      tags: ['One-time passwords'],
      summary: 'Send a one-time password',
      description: `Generates a code and sends it, to the USA and Canada only. It costs ${limits.otpCredits} credit and has one segment.`,
      responses: {
        ...accepts('The code is on its way.', 'SentOtp', sentOtp),
        ...refusalResponses(refusalsOf.sendOtp),
      },
    },
    'SendOtpRequest',
    { to: '+12025550142', apikey: 'YOUR_API_KEY', org: 'Example Shop', limit: 5 },
    [idempotencyKey],
  ),
  '/api/resendotp': postCall(
    {
      operationId: 'resendOtp',
      tags: ['One-time passwords'],
      summary: 'Send a one-time password again',
      description: `Sends the same code as a new message, which costs ${limits.otpCredits} credit. Each resend has to wait longer: ${limits.otpResendWaitsSeconds.join(', ')} seconds after the message before. The code still expires at \`expires_at\`.`,
      responses: {
        ...accepts('The code is on its way again.', 'SentOtp', resentOtp),
        ...refusalResponses(refusalsOf.resendOtp, [400, 413]),
      },
    },
    'ResendOtpRequest',
    { otp_id: sentOtp.otp_id, apikey: 'YOUR_API_KEY' },
    [idempotencyKey],
  ),
  '/api/otps/{otp_id}': getCall(
    {
      operationId: 'findOtp',
      tags: ['One-time passwords'],
      summary: 'Show a one-time password',
      description: `The state of a code, until ${limits.otpRememberedHours} hours after it has ended. The digits are never shown.`,
      responses: {
        ...shows('Otp', 'The current state of the code.', pendingOtp),
        ...refusalResponses(refusalsOf.findOtp, [400]),
      },
    },
    [otpId, keyInQuery],
  ),
  '/api/otp/guard': getCall(
    {
      operationId: 'otpGuard',
      tags: ['One-time passwords'],
      summary: 'Show the fraud guard',
      description: 'The rules of the fraud guard, and what they refused within the last hour.',
      responses: {
        ...shows('OtpGuard', 'The state of the fraud guard.', guardState),
        ...refusalResponses(refusalsOf.otpGuard, [400]),
      },
    },
    [keyInQuery],
  ),
  '/api/verifyotp': postCall(
    {
      operationId: 'verifyOtp',
      tags: ['One-time passwords'],
      summary: 'Verify a one-time password',
      description:
        'Verifies a code. The answer is plain text, or JSON with `Accept: application/json`. It costs nothing. Errors are always JSON.',
      responses: {
        200: {
          description: 'Result of the verification.',
          headers: { ...requestIdHeader, ...rateLimitHeaders, ...varyHeader },
          content: {
            'text/plain': {
              schema: { type: 'string', enum: otpStatuses.map((status) => otpTexts[status]) },
              examples: Object.fromEntries(otpStatuses.map((status) => [status, { value: otpTexts[status] }])),
            },
            'application/json': json('OtpVerdict', verifiedOtp),
          },
        },
        ...refusalResponses(refusalsOf.verifyOtp),
      },
    },
    'VerifyOtpRequest',
    { otp: '042117', apikey: 'YOUR_API_KEY', to: '+12025550142' },
  ),
  '/api/balance': getCall(
    {
      operationId: 'balance',
      tags: ['Account'],
      summary: 'Show the balance',
      description: 'Your credits.',
      responses: {
        ...shows('Balance', 'Your credits.', balance),
        ...refusalResponses(refusalsOf.balance, [400]),
      },
    },
    [keyInQuery],
  ),
};

function withoutSuccess({ success: _success, ...message }: typeof delivered): object {
  return message;
}
