import {
  accepted,
  acceptedMms,
  balance,
  canceled,
  deliverability,
  delivered,
  exposure,
  guardState,
  messagePage,
  optOutPage,
  otpConversion,
  otpPage,
  notifications,
  pendingOtp,
  quality,
  servedRegions,
  serviceStatus,
  recorded,
  resentOtp,
  scheduled,
  sentOtp,
  spend,
  streamedEvent,
  triggeredEvent,
  uploadedMedia,
  verifiedOtp,
} from '../examples.js';
import { limits } from '../limits.js';
import { messageStatuses } from '../messages.js';
import { optOutStates } from '../opt-outs.js';
import { ACCOUNT_KEY_NAME } from '../otp.js';
import { otpChannels } from '../otp-channels.js';
import { otpStates, otpStatuses, otpTexts } from '../otp-statuses.js';
import {
  digestHeader,
  rateLimitHeaders,
  refusalResponses,
  replayedHeader,
  requestIdHeader,
  varyHeader,
} from './refusals.js';
import type { MediaType, Operation, Parameter, PathItem, Schema } from './document.js';

export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
export const json = (name: string, ...values: object[]): MediaType => ({
  schema: ref(name),
  examples: Object.fromEntries(values.map((value, index) => [`example${index + 1}`, { value }])),
});

export const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    `Makes retries safe: within ${limits.idempotencyHours} hours the same key and body return the first ` +
    'answer again, and nothing is sent or charged twice.',
  schema: { type: 'string', minLength: 1, maxLength: limits.idempotencyKeyCharactersMax },
};
export const keyInQuery: Parameter = {
  name: 'apikey',
  in: 'query',
  required: false,
  description: 'Your API key, instead of `Authorization: Bearer`. Prefer the header: URLs end up in logs.',
  schema: { type: 'string' },
};
export const cursor: Parameter = {
  name: 'cursor',
  in: 'query',
  required: false,
  description: `\`next_cursor\` of the previous page; a page has ${limits.messagesPageSize} messages.`,
  schema: { type: 'string' },
};
const date = { type: 'string', format: 'date' } as const;
const dateTime = { type: 'string', format: 'date-time' } as const;
const filters: readonly Parameter[] = [
  filter('status', 'Only messages in this state.', { type: 'string', enum: [...messageStatuses] }),
  filter(
    'reason',
    'Only messages that were not delivered for this reason: a code of the carrier, such as `30003`, or of ours, ' +
      'for messages without one of the carrier.',
  ),
  filter('to', 'Only messages to this number.'),
  filter('reference', 'Only messages with exactly this reference.'),
  filter('batch_id', 'Only messages of this batch.'),
  filter('since', 'Only messages accepted at this time or later (RFC 3339 with an offset).', dateTime),
  filter('until', 'Only messages accepted before this time.', dateTime),
];
const messageId: Parameter = {
  name: 'message_id',
  in: 'path',
  required: true,
  description: 'The id that `sendsms` or `sendotp` returned.',
  schema: { type: 'string' },
};

const mediaId: Parameter = {
  name: 'media_id',
  in: 'path',
  required: true,
  description: 'The `Id` of a file in `message.received`.',
  schema: { type: 'string' },
};

const otpId: Parameter = {
  name: 'otp_id',
  in: 'path',
  required: true,
  description: 'The id that `sendotp` returned.',
  schema: { type: 'string' },
};

const lastEventId: Parameter = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'The last `id` that you have. Without it the stream begins with the next event.',
  schema: { type: 'string' },
};

/** The header is not required, because the body may contain the key. */
export const security = [{ bearer: [] }, {}];

function filter(name: string, description: string, schema: Schema = { type: 'string' }): Parameter {
  return { name, in: 'query', required: false, description, schema };
}

type Call = Pick<Operation, 'operationId' | 'tags' | 'summary' | 'description' | 'responses'>;

export function postCall(call: Call, bodyName: string, example: object, parameters: Parameter[] = []): PathItem {
  const content = { schema: ref(bodyName), examples: { example: { value: example } } };
  const requestBody = {
    required: true,
    content: { 'application/json': content, 'application/x-www-form-urlencoded': content },
  };
  return { post: { ...call, security, parameters, requestBody } };
}

export function getCall(call: Call, parameters: Parameter[]): PathItem {
  return { get: { ...call, security: [{ bearer: [] }, { apikeyInQuery: [] }], parameters } };
}

export function accepts(description: string, name: string, ...values: object[]): Operation['responses'] {
  const headers = { ...requestIdHeader, ...rateLimitHeaders, ...replayedHeader };
  return { 200: { description, headers, content: { 'application/json': json(name, ...values) } } };
}

export const shows = (name: string, description: string, value: object): Operation['responses'] => ({
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
        'Accepts one message: it is checked, charged and stored before the answer, and handed to the ' +
        'carrier a moment later, or at `send_at`. The first error that applies is returned; a refused ' +
        'request sends and costs nothing.',
      responses: {
        ...accepts(
          'The message is stored and charged, and is on its way to the carrier, or waits for its time.',
          'AcceptedMessage',
          accepted,
          scheduled,
          acceptedMms,
        ),
        ...refusalResponses('sendSms', [415]),
      },
    },
    'SendSmsRequest',
    { to: '+12025550142', message: 'Hello from Pennytext', apikey: 'YOUR_API_KEY' },
    [idempotencyKey],
  ),
  '/api/media': {
    post: {
      operationId: 'uploadMedia',
      tags: ['Messages'],
      summary: 'Upload a file',
      description:
        `Stores a picture or another file for messages, for ${limits.mediaKeptDays} days: ` +
        '`multipart/form-data` with ' +
        'a part `file` and the key as `Authorization: Bearer`, or its `url`, which is fetched.',
      responses: {
        200: {
          description: 'The file is stored.',
          headers: { ...requestIdHeader, ...rateLimitHeaders, ...replayedHeader },
          content: { 'application/json': json('UploadedMedia', uploadedMedia) },
        },
        ...refusalResponses('uploadMedia', [415]),
      },
      security,
      parameters: [idempotencyKey],
      requestBody: {
        required: true,
        content: {
          'multipart/form-data': {
            schema: {
              type: 'object',
              required: ['file'],
              properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
            },
            examples: { example: { value: { file: 'the bytes of the file' } } },
          },
          'application/json': {
            schema: ref('UploadMediaRequest'),
            examples: { example: { value: { url: 'https://example.com/menu.jpg', apikey: 'YOUR_API_KEY' } } },
          },
          'application/x-www-form-urlencoded': {
            schema: ref('UploadMediaRequest'),
            examples: { example: { value: { url: 'https://example.com/menu.jpg', apikey: 'YOUR_API_KEY' } } },
          },
        },
      },
    },
  },
  '/api/messages': getCall(
    {
      operationId: 'listMessages',
      tags: ['Messages'],
      summary: 'List your messages',
      description:
        'Your messages and their states, newest first, in pages. With a filter a page may have fewer ' +
        'messages than there are, or none: ask on until `next_cursor` is `null`.',
      responses: {
        ...shows('MessagesAnswer', 'A page of your messages.', messagePage),
        ...refusalResponses('listMessages'),
      },
    },
    [cursor, ...filters, keyInQuery],
  ),
  '/api/messages/{message_id}': getCall(
    {
      operationId: 'findMessage',
      tags: ['Messages'],
      summary: 'Show a message',
      description: 'One message and its state. Messages of other accounts are not found.',
      responses: {
        ...shows('MessageAnswer', 'The current state of the message.', delivered),
        ...refusalResponses('findMessage', [400]),
      },
    },
    [messageId, keyInQuery],
  ),
  '/api/messages/{message_id}/record': getCall(
    {
      operationId: 'messageRecord',
      tags: ['Messages'],
      summary: 'Show the record of a message',
      description:
        'Everything known of one message: every state with its time and cause, the carrier’s id and ' +
        'codes, ledger entries with their seals, refund, and webhooks with their attempts. `removed` ' +
        'names what is no longer kept.',
      responses: {
        ...shows('MessageRecord', 'The record of the message.', recorded),
        ...refusalResponses('messageRecord', [400]),
      },
    },
    [messageId, keyInQuery],
  ),
  '/api/media/{media_id}': getCall(
    {
      operationId: 'findMedia',
      tags: ['Messages'],
      summary: 'Download a file',
      description:
        'A picture or another file of your messages, byte by byte: one that came with a reply, that you uploaded, or ' +
        'that was sent. Replies name theirs in `Media` of `message.received`, messages in `media`. A file is kept ' +
        `for ${limits.mediaKeptDays} days, or as long as texts if that is shorter. \`Content-Type\` is found in the ` +
        'bytes; what is none of the known types is `application/octet-stream`.',
      responses: {
        200: {
          description: 'The file, to be saved under the name in `Content-Disposition`.',
          headers: { ...requestIdHeader, ...rateLimitHeaders, ...digestHeader },
          content: { '*/*': { schema: { type: 'string', format: 'binary' } } },
        },
        ...refusalResponses('findMedia', [400]),
      },
    },
    [mediaId, keyInQuery],
  ),
  '/api/messages/{message_id}/cancel': {
    post: {
      operationId: 'cancelMessage',
      tags: ['Messages'],
      summary: 'Cancel a message',
      description:
        'Cancels a message that is `scheduled` or `queued`, and refunds its credits. Canceling it ' +
        'again answers 200 with it, and refunds nothing more. A one-time password cannot be canceled.',
      responses: {
        ...shows('MessageAnswer', 'The canceled message.', canceled),
        ...refusalResponses('cancelMessage', [400, 413, 415]),
      },
      security,
      parameters: [messageId],
    },
  },
  '/api/sendotp': postCall(
    {
      operationId: 'sendOtp',
      tags: ['One-time passwords'],
      summary: 'Send a one-time password',
      description:
        'Generates a code and sends it, to the USA and Canada only, unless the operator has changed that: see ' +
        `\`otp\` in GET /api/regions. It costs ${limits.otpCredits} credit by SMS and has one segment; with ` +
        '`channels` each message costs what its channel costs.',
      responses: {
        ...accepts('The code is on its way.', 'SentOtp', sentOtp),
        ...refusalResponses('sendOtp'),
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
      description:
        `Sends the same code as a new message, which costs ${limits.otpCredits} credit by SMS. Each resend by the ` +
        `same channel has to wait longer: ${limits.otpResendWaitsSeconds.join(', ')} seconds after the message ` +
        `before. ` +
        `The code still expires at \`expires_at\`.`,
      responses: {
        ...accepts('The code is on its way again.', 'SentOtp', resentOtp),
        ...refusalResponses('resendOtp', [400, 413, 415]),
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
      description:
        `The state of a code, until ${limits.otpRememberedHours} hours after it has ended. The digits ` +
        'are never shown.',
      responses: {
        ...shows('Otp', 'The current state of the code.', pendingOtp),
        ...refusalResponses('findOtp', [400]),
      },
    },
    [otpId, keyInQuery],
  ),
  '/api/otps': getCall(
    {
      operationId: 'listOtps',
      tags: ['One-time passwords'],
      summary: 'List one-time passwords',
      description:
        `Your codes, newest first, ${limits.otpsPageSize} per page, with what became of their messages, until ` +
        `${limits.otpRememberedHours} hours after they have ended, and what the fraud guard refused. The digits ` +
        'are never shown. A page of a search may have fewer codes, or none: `next_cursor` tells whether there is more.',
      responses: {
        ...shows('OtpsAnswer', 'A page of codes.', otpPage),
        ...refusalResponses('listOtps', [400]),
      },
    },
    [
      filter('status', 'Only codes in this state.', { type: 'string', enum: [...otpStates] }),
      filter('channel', 'Only codes that went by this channel.', { type: 'string', enum: [...otpChannels] }),
      filter('to', 'Only codes to this number, in any form.'),
      filter('country', 'Only codes to this country, as ISO 3166-1 alpha-2 code.'),
      filter('otp_id', 'Only this code.'),
      filter('reference', 'Only codes with this reference.'),
      filter('key_id', `Only codes sent with this named key; \`${ACCOUNT_KEY_NAME}\` for the account's own key.`),
      filter('since', 'Only codes sent at this time or later.', dateTime),
      filter('until', 'Only codes sent before this time.', dateTime),
      cursor,
      keyInQuery,
    ],
  ),
  '/api/otp/conversion': getCall(
    {
      operationId: 'otpConversion',
      tags: ['One-time passwords'],
      summary: 'Show the conversion',
      description:
        'How many of the codes that you sent on some New York days were verified, in all, by country and by day. A ' +
        'code counts on the day on which it was first sent, and once, however often it was sent again; one that is ' +
        'still pending counts as sent. The figures are exact at any time. Codes of test keys do not count.',
      responses: {
        ...shows('OtpConversion', 'The figures.', otpConversion),
        ...refusalResponses('otpConversion', [400]),
      },
    },
    [
      filter(
        'from',
        `First day, in New York; at most ${limits.deliverabilityDaysMax} days with the last one. Without it the ` +
          `last ${limits.deliverabilityDaysDefault} days.`,
        date,
      ),
      filter('to', 'Last day, inclusive. Without it today.', date),
      keyInQuery,
    ],
  ),
  '/api/otp/guard': getCall(
    {
      operationId: 'otpGuard',
      tags: ['One-time passwords'],
      summary: 'Show the fraud guard',
      description: 'The rules of the fraud guard, and what they refused within the last hour.',
      responses: {
        ...shows('OtpGuard', 'The state of the fraud guard.', guardState),
        ...refusalResponses('otpGuard', [400]),
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
        'Verifies a code. The answer is plain text, or JSON with `Accept: application/json`. It costs ' +
        'nothing. Errors are always JSON.',
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
        ...refusalResponses('verifyOtp'),
      },
    },
    'VerifyOtpRequest',
    { otp: '042117', apikey: 'YOUR_API_KEY', to: '+12025550142' },
  ),
  '/api/events': {
    ...getCall(
      {
        operationId: 'streamEvents',
        tags: ['Events'],
        summary: 'Stream events',
        description:
          `The account's events as they happen, as server-sent events. \`event\` is the type, \`data\` ` +
          `exactly the body of the webhook, and the fields \`webhook-id\`, \`webhook-timestamp\` and ` +
          `\`webhook-signature\` are its headers. \`id\` is the cursor: with it as \`Last-Event-ID\` a ` +
          `stream continues after this event. Events are kept for ${limits.eventsKeptDays} days.`,
        responses: {
          200: {
            description: 'A stream that does not end by itself.',
            headers: { ...requestIdHeader, ...rateLimitHeaders },
            content: {
              'text/event-stream': { schema: { type: 'string' }, examples: { event: { value: streamedEvent } } },
            },
          },
          ...refusalResponses('streamEvents'),
        },
      },
      [lastEventId, keyInQuery],
    ),
    ...postCall(
      {
        operationId: 'triggerEvent',
        tags: ['Events'],
        summary: 'Create a test event',
        description:
          'Creates an event with example data, for the open streams of the account and, if it has a ' +
          'webhook URL, for the webhook.',
        responses: {
          ...shows('TriggeredEvent', 'The event is created.', triggeredEvent),
          ...refusalResponses('triggerEvent', [400, 413, 415]),
        },
      },
      'TriggerEventRequest',
      { type: 'message.delivered', apikey: 'YOUR_API_KEY' },
    ),
  },
  '/api/balance': getCall(
    {
      operationId: 'balance',
      tags: ['Account'],
      summary: 'Show the balance',
      description: 'Your credits.',
      responses: {
        ...shows('Balance', 'Your credits.', balance),
        ...refusalResponses('balance', [400]),
      },
    },
    [keyInQuery],
  ),
  '/api/optouts': getCall(
    {
      operationId: 'listOptOuts',
      tags: ['Messages'],
      summary: 'List opt-outs',
      description:
        'The people whom you have texted and who have opted out of a sender, or who have opted out of a number of ' +
        'yours, newest first. An opt-out from a number of yours holds for all that you send, from every number and ' +
        'pool that you have or get; one from a shared number for all of these, and for what you send without ' +
        '`from`: messages to that person are refused as `recipient_opted_out` until the person replies START.',
      responses: {
        ...shows('OptOuts', 'A page of opt-outs.', optOutPage),
        ...refusalResponses('listOptOuts', [400]),
      },
    },
    [
      filter('number', 'Only this person.'),
      filter('sender', 'Only those who opted out of this sender.'),
      filter('since', 'Only those who opted out at this time or later (RFC 3339 with an offset).', dateTime),
      filter('until', 'Only those who opted out before this time.', dateTime),
      filter('status', '`opted_out` (default): opt-outs in force. `all`: those that were lifted, too.', {
        type: 'string',
        enum: [...optOutStates],
      }),
      {
        ...cursor,
        description:
          `\`next_cursor\` of the previous page; a page has ${limits.optOutsPageSize} opt-outs. With a filter it may ` +
          'have fewer, or none.',
      },
      keyInQuery,
    ],
  ),
  '/api/notifications': getCall(
    {
      operationId: 'notifications',
      tags: ['Account'],
      summary: 'Show what needs your attention',
      description:
        'What does not work now, or soon will not: a failing webhook, a low balance, a declined card, paused ' +
        'one-time passwords, suspended sending and the like. Each is there as long as its cause. The dashboard shows ' +
        'the same.',
      responses: {
        ...shows('Notifications', 'What needs your attention now, the critical ones first.', notifications),
        ...refusalResponses('notifications', [400]),
      },
    },
    [keyInQuery],
  ),
  '/api/deliverability': getCall(
    {
      operationId: 'deliverability',
      tags: ['Messages'],
      summary: 'Show the deliverability',
      description:
        'What became of the messages that you sent on some New York days: how many were delivered, why others ' +
        'were not, and both by country, day and key. Messages on their way and canceled ones do not count. The ' +
        'figures are exact at any time: a message counts in the moment in which it ends.',
      responses: {
        ...shows('Deliverability', 'The figures.', deliverability),
        ...refusalResponses('deliverability', [400]),
      },
    },
    [
      filter(
        'from',
        `First day of acceptance, in New York; at most ${limits.deliverabilityDaysMax} days with the last one. ` +
          `Without it the last ${limits.deliverabilityDaysDefault} days.`,
        date,
      ),
      filter('to', 'Last day of acceptance, inclusive. Without it today.', date),
      keyInQuery,
    ],
  ),
  '/api/spend': getCall(
    {
      operationId: 'spend',
      tags: ['Account'],
      summary: 'Show the spend',
      description:
        'The credits that you spent on some New York days: charged for messages, one-time passwords and replies, ' +
        'less refunds, by month and key, by day, key, country and kind. The figures are those of the ledger, exact ' +
        'at any time. A refund counts on the day on which the credits came back.',
      responses: {
        ...shows('Spend', 'The figures.', spend),
        ...refusalResponses('spend', [400]),
      },
    },
    [
      filter(
        'from',
        `First day, in New York; at most ${limits.spendDaysMax} days with the last one. ` +
          `Without it from the first day of the month ${limits.spendMonthsDefault - 1} months earlier.`,
        date,
      ),
      filter('to', 'Last day, inclusive. Without it today.', date),
      keyInQuery,
    ],
  ),
  '/api/exposure': getCall(
    {
      operationId: 'exposure',
      tags: ['Account'],
      summary: 'Show what leaked keys could spend',
      description:
        'The most credits that could be spent before you notice if all your keys leaked now, from your balance, ' +
        'automatic top-up, daily limit, and the keys’ budgets and countries, assuming that you notice within 24 ' +
        'hours. It includes the replies that the recipients could write. Also what lowers it, the most effective ' +
        'change first.',
      responses: {
        ...shows('Exposure', 'The figures.', exposure),
        ...refusalResponses('exposure', [400]),
      },
    },
    [keyInQuery],
  ),
  '/api/quality': {
    get: {
      operationId: 'deliveryQuality',
      tags: ['Delivery quality'],
      summary: 'Show the delivery quality',
      description:
        `Delivery by country and UTC day of the last ${limits.qualityDays} days, from the messages of ` +
        `all accounts. A day and country is shown with at least ${limits.qualityAccountsMin} accounts ` +
        `or ${limits.qualityMessagesMin.toLocaleString('en-US')} messages. No API key is needed; ` +
        'figures change every 15 minutes.',
      security: [{}],
      parameters: [],
      responses: {
        200: {
          description: 'The delivery quality.',
          headers: requestIdHeader,
          content: { 'application/json': json('DeliveryQuality', quality) },
        },
        ...refusalResponses('deliveryQuality', [400, 500, 503]),
      },
    },
  },
  '/api/regions': {
    get: {
      operationId: 'regions',
      tags: ['Regions'],
      summary: 'List the countries and their prices',
      description:
        'The countries that messages can be sent to now, with the credits of a segment, and those that are planned. ' +
        'No API key is needed. A change shows here, and counts for messages, within two seconds.',
      security: [{}],
      parameters: [],
      responses: {
        200: {
          description: 'The countries.',
          headers: requestIdHeader,
          content: { 'application/json': json('Regions', servedRegions) },
        },
        ...refusalResponses('regions', [400]),
      },
    },
  },
  '/api/status': {
    get: {
      operationId: 'serviceStatus',
      tags: ['Service status'],
      summary: 'Show the status of the service',
      description:
        'The components that customers depend on, and their history and incidents of the last ' +
        `${limits.statusDays} days. The feed \`/status.xml\` (Atom) has every incident when it begins ` +
        'and when it ends. No API key is needed. While the API itself is down there is no answer, or 503.',
      security: [{}],
      parameters: [],
      responses: {
        200: {
          description: 'The status of the service.',
          headers: requestIdHeader,
          content: { 'application/json': json('ServiceStatus', serviceStatus) },
        },
        ...refusalResponses('serviceStatus', [400, 500, 503]),
      },
    },
  },
};
