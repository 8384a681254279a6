import { z } from 'zod';
import {
  dailySpendEvent,
  deliveredEvent,
  lowCreditsEvent,
  numberEvents,
  otpEvents,
  received,
  receivedWithMedia,
} from '../examples.js';
import { attemptReasons } from '../message-record.js';
import { deliveries, messageView } from '../messages.js';
import { type OptionalWebhookEvent, optionalWebhookEvents, receivedMessagePayload } from '../webhooks.js';
import { filteredEventFields, numberEventFields, pastDueEventFields, releasedEventFields } from '../numbers.js';
import { otpBlock } from '../otp.js';
import { otpChannels, otpStep } from '../otp-channels.js';
import { limits } from '../limits.js';
import { readyMedia } from '../media.js';
import type { Header, OpenApiDocument, Operation, Parameter, Schema } from './document.js';
import { jsonSchemaOf, schemas } from './schemas.js';
import { bulkPaths, bulkSchemas } from './bulk.js';
import { numberPaths, numberSchemas } from './numbers.js';
import { publicPaths } from './operations.js';
import { totpPaths, totpSchemas } from './totp.js';

const messageFields = messageView.pick({
  message_id: true,
  to: true,
  segments: true,
  credits: true,
  refunded: true,
  reference: true,
  error_code: true,
  carrier_error: true,
  status: true,
});

const otpFields = z.object({
  otp_id: z.string().length(34),
  message_id: z.string().length(34),
  to: z.string(),
  reference: z.string().nullish(),
});
const instant = z.iso.datetime();

/** Fields of a code with `channels`. */
const stepFields = z
  .object({ channel: z.enum(otpChannels), entered_step: z.int().positive().nullable(), steps: z.array(otpStep) })
  .partial();
const STEPS = 'For a code with `channels` it has its `steps`';

const blockedFields = otpBlock
  .pick({ otp_id: true, to: true, rule: true, country: true, block: true, sent: true, verified: true })
  .extend({ reference: z.string().nullish(), blocked_at: instant });

const dailySpendFields = z.object({ day: z.iso.date(), spent: z.int().positive(), threshold: z.int().positive() });
const lowCreditsFields = z.object({ balance: z.int().nonnegative(), threshold: z.int().positive() });

const messageEvent = (type: string) => ({
  ...deliveredEvent,
  type,
  data: { ...deliveredEvent.data, status: type.replace('message.', '') },
});

const canceledEvent = {
  ...messageEvent('message.canceled'),
  data: { ...deliveredEvent.data, status: 'canceled', refunded: 1 },
};

const scheduledEvent = {
  ...messageEvent('message.scheduled'),
  data: { ...messageEvent('message.scheduled').data, send_at: '2026-11-20T18:30:00.000Z' },
};

const reroutedEvent = {
  ...messageEvent('message.rerouted'),
  data: { ...deliveredEvent.data, status: 'queued', delivery: 'fast', attempt: 2, reason: 'slow' },
};

const mediaReadyEvent = {
  type: 'message.media_ready',
  timestamp: '2026-03-05T17:25:31.418Z',
  data: {
    message_id: receivedWithMedia.MessageId,
    sender: receivedWithMedia.Sender,
    media: receivedWithMedia.Media?.map(({ Id, Url, Type, Bytes, Sha256, Status }) => ({
      media_id: Id,
      url: Url,
      type: Type,
      bytes: Bytes,
      sha256: Sha256,
      status: Status,
    })),
  },
};

interface Event {
  readonly summary: string;
  /** Facts that the fields do not show. */
  readonly details?: string;
  readonly data: z.ZodObject;
  readonly example: object;
}

const REFUNDED = 'Its credits were refunded.';
const ENDED = 'Every code that was sent ends with exactly one of `otp.verified`, `otp.failed` and `otp.expired`.';

const events: Readonly<Record<OptionalWebhookEvent, Event>> = {
  'message.scheduled': {
    summary: 'A message that leaves later was accepted',
    details: 'The message came alone or in a bulk.',
    data: messageFields.extend({ send_at: instant }),
    example: scheduledEvent,
  },
  'message.sent': {
    summary: 'The carrier accepted a message',
    data: messageFields,
    example: messageEvent('message.sent'),
  },
  'message.rerouted': {
    summary: 'A message was handed to another route',
    data: messageFields.extend({
      delivery: z.enum(deliveries),
      attempt: z.int().min(2),
      reason: z.enum(attemptReasons),
    }),
    example: reroutedEvent,
  },
  'message.delivered': {
    summary: 'A message was delivered',
    details: 'The events of a message never have its text.',
    data: messageFields,
    example: deliveredEvent,
  },
  'message.undelivered': {
    summary: 'The carrier could not deliver a message',
    details: REFUNDED,
    data: messageFields,
    example: undelivered('message.undelivered', 'not_delivered', 30_003),
  },
  'message.failed': {
    summary: 'A message was not sent',
    details: REFUNDED,
    data: messageFields,
    example: undelivered('message.failed', 'carrier_refused', 21_211),
  },
  'message.canceled': {
    summary: 'You canceled a message',
    details: REFUNDED,
    data: messageFields,
    example: canceledEvent,
  },
  'message.media_ready': {
    summary: 'The files of a reply are settled that was forwarded before they were there',
    details: 'Each file is `stored` or `failed`.',
    data: z.object({ message_id: z.string().length(34), sender: z.string(), media: z.array(readyMedia).min(1) }),
    example: mediaReadyEvent,
  },
  'otp.sent': {
    summary: 'The carrier accepted a one-time password',
    details:
      'Sent once for a code, for the first of its messages that the carrier accepts. The events of a code have its ' +
      `\`reference\`, if it was sent with one. ${STEPS} until then.`,
    data: otpFields.extend({ expires_at: instant, ...stepFields.shape }),
    example: otpEvents['otp.sent'],
  },
  'otp.blocked': {
    summary: 'The fraud guard refused a one-time password',
    details: 'Sent once an hour for each rule and number, address, device or block.',
    data: blockedFields,
    example: otpEvents['otp.blocked'],
  },
  'otp.verified': {
    summary: 'A one-time password was verified',
    details: `${ENDED} ${STEPS}, and \`entered_step\` is the \`n\` of the one after which it was entered.`,
    data: otpFields.extend({ verified_at: instant, ...stepFields.shape }),
    example: otpEvents['otp.verified'],
  },
  'otp.failed': {
    summary: 'A one-time password ended after too many wrong attempts',
    details: ENDED,
    data: otpFields.extend({ failed_at: instant }),
    example: otpEvents['otp.failed'],
  },
  'otp.expired': {
    summary: 'A one-time password expired',
    details: `Sent within about 5 seconds. ${ENDED}`,
    data: otpFields.extend({ expired_at: instant }),
    example: otpEvents['otp.expired'],
  },
  'credits.low': {
    summary: 'The balance fell below your threshold',
    details:
      `The threshold is ${limits.lowCreditsDefault} unless you choose another. Sent again only after the balance ` +
      'has reached it.',
    data: lowCreditsFields,
    example: lowCreditsEvent,
  },
  'credits.daily_spend': {
    summary: 'The credits used on a New York day reached your threshold',
    details: 'Sent once a day. Credits that were refunded on that day do not count.',
    data: dailySpendFields,
    example: dailySpendEvent,
  },
  'number.active': {
    summary: 'A number was bought, or its rent was paid after it was due',
    data: numberEventFields,
    example: numberEvents['number.active'],
  },
  'number.past_due': {
    summary: 'The balance does not cover the rent of a number',
    details:
      `Sent on days ${limits.numberNoticeDays.join(', ')}, which \`day\` names. At \`releases_at\` the number is ` +
      'released.',
    data: pastDueEventFields,
    example: numberEvents['number.past_due'],
  },
  'number.released': {
    summary: 'A number is not yours any more',
    details: '`reason` is `owner`, `not_renewed` or `unpaid`.',
    data: releasedEventFields,
    example: numberEvents['number.released'],
  },
  'number.filtered': {
    summary: 'Carriers filter the messages of a number, so its pools leave it out',
    details: '`messages` and `failed` are those of the ten minutes that were judged.',
    data: filteredEventFields,
    example: numberEvents['number.filtered'],
  },
};

/** The headers of Standard Webhooks (https://www.standardwebhooks.com). */
const webhookHeaders: readonly Parameter[] = [
  { name: 'webhook-id', description: 'The same on every attempt: store it to process each event once.' },
  {
    name: 'webhook-timestamp',
    description: 'Unix time in seconds. Reject it if it differs from your clock by more than five minutes.',
  },
  {
    name: 'webhook-signature',
    description: 'HMAC-SHA-256 of id, timestamp and body by Standard Webhooks. One of several signatures must match.',
  },
].map(({ name, description }) => ({ name, in: 'header', required: true, description, schema: { type: 'string' } }));

/** Requests to the webhook URL of an account. */
export const webhookCalls: OpenApiDocument['webhooks'] = {
  'message.received': {
    post: callOf('message.received', {
      summary: 'A reply was received',
      description: 'Sent if a webhook URL is set. It costs 1 credit. `Media` is there only if the reply has files.',
      schema: jsonSchemaOf(receivedMessagePayload, 'input'),
      example: received,
      more: { withFiles: receivedWithMedia },
    }),
  },
  ...Object.fromEntries(
    optionalWebhookEvents.map((type) => [
      type,
      {
        post: callOf(type, {
          summary: events[type].summary,
          description: ['Off until you turn it on in the dashboard.', events[type].details].filter(Boolean).join(' '),
          schema: eventSchema(type, events[type].data),
          example: events[type].example,
        }),
      },
    ]),
  ),
};

function eventSchema(type: OptionalWebhookEvent, data: z.ZodObject): Schema {
  return jsonSchemaOf(z.object({ type: z.literal(type), timestamp: z.iso.datetime(), data }), 'input');
}

function callOf(
  type: string,
  call: { summary: string; description: string; schema: Schema; example: object; more?: Record<string, object> },
): Operation {
  const { summary, description, schema, example, more = {} } = call;
  const examples = Object.fromEntries(Object.entries({ example, ...more }).map(([name, value]) => [name, { value }]));
  return {
    operationId: type.replace(/\.(\w)/, (_dot, letter: string) => letter.toUpperCase()),
    tags: ['Webhooks'],
    summary,
    description,
    security: [{}],
    parameters: webhookHeaders,
    requestBody: {
      required: true,
      content: { 'application/json': { schema, examples } },
    },
    responses: {
      '2XX': {
        description: 'Delivered, if it arrives within 10 seconds. Anything else is retried for three days.',
      },
      '410': { description: 'Turns the webhook off.' },
    },
  };
}

function undelivered(type: string, errorCode: string, carrierError: number): object {
  const event = messageEvent(type);
  return { ...event, data: { ...event.data, refunded: 1, error_code: errorCode, carrier_error: carrierError } };
}

const introduction = `One HTTP POST sends a message. Bodies are JSON or form-encoded, up to \
${limits.apiBodyBytesMax / 1_024} KiB; unknown fields are ignored. Web pages of every origin may call it.

Send the API key as \`Authorization: Bearer\`, or as \`apikey\` in the body or the query. With \`_test\` \
appended, every check runs and nothing is sent, stored or charged.

An error has the fields \`success\`, \`error\`, \`code\` and \`detail\`. Programs should use \`code\`.`;

const wholeNumber = (description: string): Header => ({ description, schema: { type: 'string', pattern: '^\\d+$' } });

const headers: Readonly<Record<string, Header>> = {
  'RateLimit-Limit': wholeNumber(
    'Requests per second allowed for the key. Absent without a limit, and before the request was counted.',
  ),
  'RateLimit-Remaining': wholeNumber('Requests left in this second.'),
  'RateLimit-Reset': wholeNumber('Seconds until the count restarts.'),
  'Retry-After': wholeNumber('Seconds to wait before retrying.'),
  'Idempotent-Replayed': {
    description: 'Present if this is the answer of an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', const: 'true' },
  },
  'X-Request-Id': {
    description: 'Id of this request in our logs: yours, if you sent one of 1 to 64 letters, digits and `. _ : -`.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9._:-]{1,64}$' },
  },
  'Repr-Digest': {
    description: 'SHA-256 of the file in base64 (RFC 9530).',
    schema: { type: 'string', pattern: '^sha-256=:[A-Za-z0-9+/]{43}=:$' },
  },
  Vary: { description: 'The answer depends on the Accept header.', schema: { type: 'string', const: 'Accept' } },
};

/**
 * Generates the OpenAPI 3.1 document of the public API from the contract; `url` has no trailing
 * slash.
 */
export function openApiDocument(url: string): OpenApiDocument {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Pennytext',
      version: '1',
      summary: 'Send and receive SMS with one HTTP POST.',
      description: introduction,
    },
    servers: [{ url }],
    externalDocs: { url: `${url}/docs`, description: 'Documentation' },
    tags: [
      { name: 'Messages', description: 'Send messages and track their delivery.' },
      { name: 'Numbers', description: 'Numbers of your own, and pools of them.' },
      { name: 'One-time passwords', description: 'Send codes and verify them.' },
      { name: 'Authenticator apps', description: 'Codes of apps on your users’ phones, without SMS.' },
      { name: 'Account', description: 'Your credits.' },
      { name: 'Regions', description: 'The countries that messages can be sent to, and their prices.' },
      { name: 'Delivery quality', description: 'How well messages are delivered, by country and day.' },
      { name: 'Service status', description: 'Whether the service works, and its latest incidents.' },
      { name: 'Events', description: 'Events as they happen, without a webhook URL.' },
      { name: 'Webhooks', description: 'Events that are sent to your webhook URL.' },
    ],
    paths: { ...publicPaths, ...bulkPaths, ...numberPaths, ...totpPaths },
    webhooks: webhookCalls,
    components: {
      schemas: { ...schemas, ...bulkSchemas, ...numberSchemas, ...totpSchemas },
      headers,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'Your API key.' },
        apikeyInQuery: {
          type: 'apiKey',
          in: 'query',
          name: 'apikey',
          description: 'Your API key, for GET calls.',
        },
      },
    },
  };
}
