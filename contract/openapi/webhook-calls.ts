import { z } from 'zod';
import { deliveredEvent, lowCreditsEvent, received, verifiedOtpEvent } from '../examples.js';
import { messageView } from '../messages.js';
import { optionalWebhookEvents, receivedMessagePayload, type OptionalWebhookEvent } from '../webhooks.js';
import type { OpenApiDocument, Operation, Parameter, Schema } from './document.js';
import { jsonSchemaOf } from './schemas.js';

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

const verifiedFields = z.object({
  message_id: z.string().length(34),
  to: z.string(),
  reference: z.string().nullish(),
  verified_at: z.iso.datetime(),
});

const lowCreditsFields = z.object({ balance: z.int().nonnegative(), threshold: z.int().positive() });

const messageEvent = (type: string) => ({
  ...deliveredEvent,
  type,
  data: { ...deliveredEvent.data, status: type.replace('message.', '') },
});

interface Event {
  readonly summary: string;
  readonly data: z.ZodObject;
  readonly example: object;
}

const events: Readonly<Record<OptionalWebhookEvent, Event>> = {
  'message.sent': {
    summary: 'The carrier has taken a message',
    data: messageFields,
    example: messageEvent('message.sent'),
  },
  'message.delivered': { summary: 'A message has reached the phone', data: messageFields, example: deliveredEvent },
  'message.undelivered': {
    summary: 'The carrier could not deliver a message',
    data: messageFields,
    example: undelivered('message.undelivered', 'not_delivered', 30_003),
  },
  'message.failed': {
    summary: 'A message was not sent',
    data: messageFields,
    example: undelivered('message.failed', 'carrier_refused', 21_211),
  },
  'otp.verified': { summary: 'A one-time password was verified', data: verifiedFields, example: verifiedOtpEvent },
  'credits.low': { summary: 'The balance is low', data: lowCreditsFields, example: lowCreditsEvent },
};

/** The headers of Standard Webhooks (https://www.standardwebhooks.com). */
const headers: readonly Parameter[] = [
  { name: 'webhook-id', description: 'The same on every attempt: remember it, and nothing is done twice.' },
  {
    name: 'webhook-timestamp',
    description: 'Seconds since 1970. Refuse one that is five minutes away from your clock.',
  },
  {
    name: 'webhook-signature',
    description: 'HMAC-SHA-256 over id, timestamp and body, as Standard Webhooks has it. One of several must agree.',
  },
].map(({ name, description }) => ({ name, in: 'header', required: true, description, schema: { type: 'string' } }));

/** What we call: the webhook URL of an account. */
export const webhookCalls: OpenApiDocument['webhooks'] = {
  'message.received': {
    post: callOf('message.received', {
      summary: 'A reply has arrived',
      description: 'Sent to whoever has a webhook URL. It costs 1 credit.',
      schema: jsonSchemaOf(receivedMessagePayload, 'input'),
      example: received,
    }),
  },
  ...Object.fromEntries(
    optionalWebhookEvents.map((type) => [
      type,
      {
        post: callOf(type, {
          summary: events[type].summary,
          description: 'Off until it is turned on in the dashboard.',
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
  { summary, description, schema, example }: { summary: string; description: string; schema: Schema; example: object },
): Operation {
  return {
    operationId: type.replace(/\.(\w)/, (_dot, letter: string) => letter.toUpperCase()),
    tags: ['Webhooks'],
    summary,
    description,
    security: [{}],
    parameters: headers,
    requestBody: {
      required: true,
      content: { 'application/json': { schema, examples: { example: { value: example } } } },
    },
    responses: {
      '2XX': {
        description: 'Delivered, when it comes within 10 seconds. Everything else is tried again for three days.',
      },
      '410': { description: 'Turns the webhook off.' },
    },
  };
}

function undelivered(type: string, errorCode: string, carrierError: number): object {
  const event = messageEvent(type);
  return { ...event, data: { ...event.data, refunded: 1, error_code: errorCode, carrier_error: carrierError } };
}
