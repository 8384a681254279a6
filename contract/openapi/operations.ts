import { accepted, balance, delivered, verifiedOtp } from '../examples.js';
import { limits } from '../limits.js';
import { otpStatuses, otpTexts } from '../otp-statuses.js';
import type { MediaType, Operation, Parameter, PathItem } from './document.js';
import {
  rateLimitHeaders,
  refusalResponses,
  refusalsOf,
  replayedHeader,
  requestIdHeader,
  varyHeader,
} from './refusals.js';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (name: string, ...values: object[]): MediaType => ({
  schema: ref(name),
  examples: Object.fromEntries(values.map((value, index) => [`example${index + 1}`, { value }])),
});

const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: `Makes sending again safe: within ${limits.idempotencyHours} hours the same key and body get the first answer again, and nothing is sent or charged twice.`,
  schema: { type: 'string', minLength: 1, maxLength: limits.idempotencyKeyCharactersMax },
};
const keyInQuery: Parameter = {
  name: 'apikey',
  in: 'query',
  required: false,
  description: 'Your API key, in the place of `Authorization: Bearer`. The header is better: addresses end up in logs.',
  schema: { type: 'string' },
};
const cursor: Parameter = {
  name: 'cursor',
  in: 'query',
  required: false,
  description: `The \`next_cursor\` of the page before; a page has ${limits.messagesPageSize} messages.`,
  schema: { type: 'string' },
};
const messageId: Parameter = {
  name: 'message_id',
  in: 'path',
  required: true,
  description: 'What `sendsms` or `sendotp` answered.',
  schema: { type: 'string' },
};

/** The body may carry the key instead, so the header alone is not required. */
const security = [{ bearer: [] }, {}];

type Call = Pick<Operation, 'operationId' | 'tags' | 'summary' | 'description' | 'responses'>;

function posting(call: Call, bodyName: string, example: object, parameters: Parameter[] = []): PathItem {
  const content = { schema: ref(bodyName), examples: { example: { value: example } } };
  const requestBody = {
    required: true,
    content: { 'application/json': content, 'application/x-www-form-urlencoded': content },
  };
  return { post: { ...call, security, parameters, requestBody } };
}

function reading(call: Call, parameters: Parameter[]): PathItem {
  return { get: { ...call, security: [{ bearer: [] }, { apikeyInQuery: [] }], parameters } };
}

function taken(description: string): Operation['responses'] {
  const headers = { ...requestIdHeader, ...rateLimitHeaders, ...replayedHeader };
  return { 200: { description, headers, content: { 'application/json': json('AcceptedMessage', accepted) } } };
}

const shows = (name: string, description: string, value: object): Operation['responses'] => ({
  200: {
    description,
    headers: { ...requestIdHeader, ...rateLimitHeaders },
    content: { 'application/json': json(name, value) },
  },
});

/** Every call that takes an API key, by its path. */
export const publicPaths: Readonly<Record<string, PathItem>> = {
  '/api/sendsms': posting(
    {
      operationId: 'sendSms',
      tags: ['Messages'],
      summary: 'Send an SMS',
      description:
        'Takes one message in: it is checked, charged and stored before the answer, and brought to the carrier a moment later. The first case of the errors that applies is the answer; a request that is refused sends and costs nothing.',
      responses: {
        ...taken('The message is stored and charged, and is on its way to the carrier.'),
        ...refusalResponses(refusalsOf.sendSms),
      },
    },
    'SendSmsRequest',
    { to: '+12025550142', message: 'Hello from Pennytext', apikey: 'YOUR_API_KEY' },
    [idempotencyKey],
  ),
  '/api/messages': reading(
    {
      operationId: 'listMessages',
      tags: ['Messages'],
      summary: 'List your messages',
      description: 'What became of your messages, newest first, in pages.',
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
  '/api/messages/{message_id}': reading(
    {
      operationId: 'findMessage',
      tags: ['Messages'],
      summary: 'Show a message',
      description: 'What became of one message. Another account’s message is not found.',
      responses: {
        ...shows('MessageAnswer', 'The message as it stands.', delivered),
        ...refusalResponses(refusalsOf.findMessage, [400]),
      },
    },
    [messageId, keyInQuery],
  ),
  '/api/sendotp': posting(
    {
      operationId: 'sendOtp',
      tags: ['One-time passwords'],
      summary: 'Send a one-time password',
      description: `Makes up a code and sends it, to the USA and Canada. It costs ${limits.otpCredits} credit, and has one segment.`,
      responses: {
        ...taken('The code is on its way.'),
        ...refusalResponses(refusalsOf.sendOtp),
      },
    },
    'SendOtpRequest',
    { to: '+12025550142', apikey: 'YOUR_API_KEY', org: 'Example Shop', limit: 5 },
    [idempotencyKey],
  ),
  '/api/verifyotp': posting(
    {
      operationId: 'verifyOtp',
      tags: ['One-time passwords'],
      summary: 'Verify a one-time password',
      description:
        'Says of a code whether it counts: as plain text, or as JSON with `Accept: application/json`. It costs nothing. A refusal is JSON, whatever was asked for.',
      responses: {
        200: {
          description: 'What may be said of the code.',
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
  '/api/balance': reading(
    {
      operationId: 'balance',
      tags: ['Account'],
      summary: 'Show the balance',
      description: 'How many credits you have.',
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
