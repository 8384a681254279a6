import {
  batchAnswer,
  batchCanceledAnswer,
  batchesAnswer,
  batchMessagesAnswer,
  batchView,
  bulkQuoteAnswer,
  bulkRejectedAnswer,
  sendBulkAnswer,
  sendBulkBody,
} from '../bulk.js';
import {
  acceptedBulk,
  batch,
  batchCanceled,
  batchPage,
  messagePage,
  quoted,
  quotedBulk,
  quotedOtp,
} from '../examples.js';
import { limits } from '../limits.js';
import { accepts, cursor, getCall, idempotencyKey, keyInQuery, ref, security, shows } from './operations.js';
import { rateLimitHeaders, refusalResponses, requestIdHeader } from './refusals.js';
import type { Parameter, PathItem, Schema } from './document.js';
import { answer, exampleNote, mediaNotes, request, schemas, success } from './schemas.js';

const messagesMax = limits.bulkMessagesMax.toLocaleString('en-US');
const batchId = {
  description: 'Id of the batch: `BA` and 32 hex digits.',
  keywords: { pattern: '^BA[0-9a-f]{32}$' },
};
const ofAll = { description: 'For all messages, as in `sendsms`.' };
const rejected = {
  description:
    'Items that were not accepted: `index` counts from 0, `code` and `detail` say why. `duplicate`: ' +
    'an earlier item has the same number and text, which is sent once.',
};

const batchFields = {
  batch_id: batchId,
  created_at: { description: 'When the batch was accepted, in UTC.' },
  messages: { description: 'Number of messages.' },
  statuses: { description: 'Number of messages by status.' },
  credits: { description: 'Price of all messages in credits.' },
  refunded: { description: 'Credits that were refunded so far.' },
};

/** Schemas of bulk sends, by their names in the document. */
export const bulkSchemas: Readonly<Record<string, Schema>> = {
  SendBulkRequest: request(sendBulkBody, {
    apikey: { description: 'Your API key, unless it is sent as `Authorization: Bearer`.' },
    messages: {
      description: `Up to ${messagesMax} messages, each with \`to\`, \`message\` and perhaps \`reference\`.`,
    },
    message: {
      description: 'A template, in place of `messages`: `{{name}}` is replaced by the field `name` of each recipient.',
    },
    recipients: {
      description:
        `Up to ${messagesMax} recipients of the template, each with \`to\`, perhaps \`reference\`, and ` +
        'its variables: texts or numbers.',
    },
    from: ofAll,
    encoding: ofAll,
    quote: { description: 'The `quote` of `POST /api/quote`: the same content then costs at most what was quoted.' },
    max_credits: { description: 'Refuse the bulk if all of its messages together cost more credits.' },
    send_at: { ...ofAll, keywords: { format: 'date-time' } },
    validity: ofAll,
    delivery: ofAll,
    hedge_seconds: ofAll,
    dedupe: {
      description:
        'Seconds, as in `sendsms`: a message that was sent before is listed as `duplicate`, and the others are sent.',
    },
    media: { ...mediaNotes.media, description: `${mediaNotes.media.description} Every message gets them.` },
    media_fallback: mediaNotes.media_fallback,
    transcode: mediaNotes.transcode,
    partial: {
      description: 'Accept what can be accepted. Without it any rejected item rejects all, and nothing is charged.',
    },
  }),
  AcceptedBulk: answer(sendBulkAnswer, {
    success,
    batch_id: batchId,
    accepted: { description: 'Number of messages that were accepted.' },
    rejected,
    credits: { description: 'Price of all accepted messages in credits. A test key is not charged.' },
    balance: { description: 'Credits left.' },
    test: { description: 'Present if the key was a test key: nothing was sent or charged.' },
  }),
  Batch: answer(batchView, batchFields),
  BatchAnswer: answer(batchAnswer, { success, ...batchFields, test: exampleNote }),
  Batches: answer(batchesAnswer, {
    success,
    batches: {
      description: 'Your batches, newest first.',
      keywords: { maxItems: limits.batchesPageSize, items: ref('Batch') },
    },
    next_cursor: { description: 'Send it as `cursor` to get the next page; `null` on the last page.' },
    test: exampleNote,
  }),
  BatchCanceled: answer(batchCanceledAnswer, {
    success,
    ...batchFields,
    canceled: { description: 'Number of messages that this call canceled.' },
    test: exampleNote,
  }),
  BulkQuote: answer(bulkQuoteAnswer, {
    success,
    quote: { description: 'Send it as `quote` with the same content: it then costs at most `credits`.' },
    expires_at: { description: `When the quote expires: after ${limits.quoteMinutes} minutes, in UTC.` },
    segments: { description: 'Segments of all messages.' },
    credits: { description: 'Price of all messages in credits.' },
    balance: { description: 'Credits left. An example for a test key.' },
    balance_after: { description: 'Credits left after sending; `null` if the balance does not cover the price.' },
    messages: { description: 'Number of messages that would be accepted.' },
    rejected,
    kind: { description: 'Present if the messages have files.' },
    test: { description: 'Present if the key was a test key.' },
  }),
  BatchMessages: answer(batchMessagesAnswer, {
    success,
    messages: {
      description: 'Messages of the batch, the last one first.',
      keywords: { maxItems: limits.messagesPageSize, items: ref('Message') },
    },
    next_cursor: { description: 'Send it as `cursor` to get the next page; `null` on the last page.' },
    test: exampleNote,
  }),
  BulkFailure: {
    ...schemas['Failure'],
    properties: {
      ...schemas['Failure']?.properties,
      rejected: answer(bulkRejectedAnswer.pick({ rejected: true }), { rejected }).properties?.['rejected'] ?? {},
    },
  },
};

const batchInPath: Parameter = {
  name: 'batch_id',
  in: 'path',
  required: true,
  description: 'The id that `sendbulk` returned.',
  schema: { type: 'string' },
};

const bulkExamples = {
  messages: {
    value: {
      messages: [
        { to: '+12025550142', message: 'Your order is ready.', reference: 'order-1' },
        { to: '+12025550143', message: 'Your order is late.' },
      ],
    },
  },
  template: {
    value: {
      message: 'Hi {{name}}, your order is ready.',
      recipients: [
        { to: '+12025550142', name: 'Ada' },
        { to: '+12025550143', name: 'Grace' },
      ],
    },
  },
};
const apikey = 'YOUR_API_KEY';
const messageExample = { value: { to: '+12025550142', message: 'Hello from Pennytext', apikey } };
const quoteForm = {
  schema: { anyOf: [ref('SendSmsRequest'), ref('SendOtpRequest')] },
  examples: {
    message: messageExample,
    otp: { value: { to: '+12025550142', channels: 'sms,voice', apikey } },
  },
};
const otpExample = {
  value: { to: '+12025550142', channels: [{ channel: 'sms', wait_seconds: 30 }, { channel: 'voice' }], apikey },
};

/** Calls about many messages at once, by path. */
export const bulkPaths: Readonly<Record<string, PathItem>> = {
  '/api/sendbulk': {
    post: {
      operationId: 'sendBulk',
      tags: ['Messages'],
      summary: 'Send many messages',
      description:
        `Accepts up to ${messagesMax} messages at once, JSON only, at most ` +
        `${limits.bulkBodyBytesMax / 1_048_576} MiB: all of them or none, or with \`partial\` those ` +
        'that can be accepted. It counts as one request.',
      security,
      parameters: [idempotencyKey],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: ref('SendBulkRequest'),
            examples: bulkExamples,
          },
        },
      },
      responses: {
        ...accepts('The messages are stored and charged, and on their way.', 'AcceptedBulk', acceptedBulk),
        ...refusalResponses('sendBulk', [415]),
      },
    },
  },
  '/api/batches': getCall(
    {
      operationId: 'listBatches',
      tags: ['Messages'],
      summary: 'List your batches',
      description: 'Your bulks and how far they are, newest first, in pages.',
      responses: {
        ...shows('Batches', 'A page of your batches.', batchPage),
        ...refusalResponses('listBatches'),
      },
    },
    [
      {
        ...cursor,
        description: `\`next_cursor\` of the previous page; a page has ${limits.batchesPageSize} batches.`,
      },
      keyInQuery,
    ],
  ),
  '/api/quote': {
    post: {
      operationId: 'quote',
      tags: ['Messages'],
      summary: 'Price a message, a bulk or a code',
      description:
        'Returns the price without sending, for the body of `sendsms` or `sendbulk`, or of `sendotp` with ' +
        `\`channels\`. For ${limits.quoteMinutes} minutes sending the same message or bulk with \`quote\` costs at ` +
        'most this price; a one-time password has no `quote`, and its `max_credits` bounds the price. It costs ' +
        'nothing, and it is refused if a test would be.',
      security,
      parameters: [],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: { anyOf: [ref('SendSmsRequest'), ref('SendBulkRequest'), ref('SendOtpRequest')] },
            examples: { message: messageExample, ...bulkExamples, otp: otpExample },
          },
          'application/x-www-form-urlencoded': quoteForm,
        },
      },
      responses: {
        200: {
          description: 'The price.',
          headers: { ...requestIdHeader, ...rateLimitHeaders },
          content: {
            'application/json': {
              schema: { anyOf: [ref('Quote'), ref('BulkQuote'), ref('OtpQuote')] },
              examples: { message: { value: quoted }, bulk: { value: quotedBulk }, otp: { value: quotedOtp } },
            },
          },
        },
        ...refusalResponses('quote', [415]),
      },
    },
  },
  '/api/batches/{batch_id}': getCall(
    {
      operationId: 'findBatch',
      tags: ['Messages'],
      summary: 'Show a batch',
      description: 'How many messages of a bulk have each status, and what they cost.',
      responses: {
        ...shows('BatchAnswer', 'The current state of the batch.', batch),
        ...refusalResponses('findBatch', [400]),
      },
    },
    [batchInPath, keyInQuery],
  ),
  '/api/batches/{batch_id}/cancel': {
    post: {
      operationId: 'cancelBatch',
      tags: ['Messages'],
      summary: 'Cancel a batch',
      description:
        'Cancels the messages of a bulk that are scheduled or queued, and refunds them. Those that ' +
        'dispatch already has are sent.',
      security,
      parameters: [batchInPath],
      responses: {
        ...shows('BatchCanceled', 'The batch afterwards.', batchCanceled),
        ...refusalResponses('cancelBatch', [400, 413, 415]),
      },
    },
  },
  '/api/batches/{batch_id}/messages': getCall(
    {
      operationId: 'listBatchMessages',
      tags: ['Messages'],
      summary: 'List the messages of a batch',
      description: 'The messages of a bulk and their states, the last one first, in pages.',
      responses: {
        ...shows('BatchMessages', 'A page of the messages.', messagePage),
        ...refusalResponses('listBatchMessages'),
      },
    },
    [batchInPath, cursor, keyInQuery],
  ),
};
