import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { failAfter, failBefore, type Fault, type FaultErrors, type Faults } from '../control/faults.js';
import { readForms } from '../http.js';
import { type CreateRequest, parseCreateRequest } from './create-request.js';
import { listMessages } from './list-messages.js';
import { JSON_TYPE, notFound, TwilioError, unauthenticated, unroutable } from './twilio-error.js';
import { numberRoutes } from './numbers/numbers.routes.js';
import type { NumberStore } from './numbers/number-store.js';
import { callbackPlanOf, type Delivery } from '../carriers/delivery.js';
import type { Message } from '../carriers/message.js';
import type { MessageStore } from '../carriers/message-store.js';
import type { OptOuts } from '../carriers/opt-outs.js';
import { segmentCount } from '../carriers/segments.js';
import { messageResource, newMessageSid } from './message-resource.js';

interface TwilioParts {
  readonly accountSid: string;
  readonly authToken: string;
  readonly store: MessageStore;
  readonly optOuts: OptOuts;
  readonly delivery: Delivery;
  readonly faults: Faults;
  readonly numbers: NumberStore;
}

/** Faults of a create before and after the message is accepted. */
const ERRORS_BEFORE: FaultErrors = {
  '429': () => new TwilioError(20429, 'Too Many Requests', 429),
  '500': () => new TwilioError(20500, 'An internal server error has occurred', 500),
  refuse: unroutable,
  suspended: unauthenticated,
};
const ERRORS_AFTER: FaultErrors = {
  'accepted-then-5xx': () => new TwilioError(20504, 'Gateway Timeout', 504),
};

/** Twilio's REST API for messages and numbers, under /2010-04-01. */
export function twilioRoutes(parts: TwilioParts) {
  const { accountSid, store, faults } = parts;
  const messagesPath = `/2010-04-01/Accounts/${accountSid}/Messages.json`;

  return async (app: FastifyInstance): Promise<void> => {
    // Twilio reports a body that is not a form as a missing parameter.
    readForms(app);
    app.addHook('onRequest', requireCredentials(parts));
    app.setErrorHandler((error, _request, reply) => sendError(reply, asTwilioError(error)));
    app.setNotFoundHandler((request, reply) => sendError(reply, notFound(request.url)));

    // Not async, because benchmarks call it by the thousand.
    app.post('/Accounts/:accountSid/Messages.json', (request, reply) => {
      const fault = faults.take('twilio');
      if (!failBefore(fault, reply, ERRORS_BEFORE)) return;
      const message = accept(parts, parseCreateRequest(request.body as URLSearchParams, parts), fault);
      const resource = JSON.stringify(messageResource(message, accountSid));
      const send = () => void reply.code(201).header('content-type', JSON_TYPE).send(resource);
      failAfter(fault, reply, send, ERRORS_AFTER);
    });

    await app.register(numberRoutes(parts));

    app.get('/Accounts/:accountSid/Messages.json', async (request) => {
      const { messages, links } = listMessages(
        store,
        new URL(request.url, 'http://sandbox').searchParams,
        messagesPath,
      );
      return { messages: messages.map((message) => messageResource(message, accountSid)), ...links };
    });

    app.get<{ Params: { file: string } }>('/Accounts/:accountSid/Messages/:file', async (request) => {
      const message = store.get(request.params.file.replace(/\.json$/, ''));
      if (message?.carrier !== 'twilio') throw notFound(request.url);
      return messageResource(message, accountSid);
    });
  };
}

function accept({ store, delivery }: TwilioParts, request: CreateRequest, fault: Fault): Message {
  const message = store.add({
    carrier: 'twilio',
    sid: newMessageSid(),
    direction: 'outbound-api',
    from: request.from,
    to: request.to,
    body: request.body,
    messagingServiceSid: request.messagingServiceSid,
    statusCallback: request.statusCallback,
    validityPeriod: request.validityPeriod,
    segments: segmentCount(request.body),
    ...callbackPlanOf(fault),
    fate: fault.mode === 'undelivered' ? 'undelivered' : 'delivered',
    createdAtMs: Date.now(),
    status: request.messagingServiceSid === null ? 'queued' : 'accepted',
  });
  delivery.accept(message);
  return message;
}

function requireCredentials({ accountSid, authToken }: TwilioParts) {
  const expected = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    const isOwnPath = request.url.startsWith(`/2010-04-01/Accounts/${accountSid}`);
    if (request.headers.authorization === expected && isOwnPath) return done();
    reply.header('www-authenticate', 'Basic realm="Twilio API"');
    done(unauthenticated());
  };
}

function asTwilioError(error: unknown): TwilioError {
  if (error instanceof TwilioError) return error;
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status >= 400 && status < 500) return new TwilioError(20001, (error as Error).message, status);
  throw error;
}

function sendError(reply: FastifyReply, error: TwilioError): FastifyReply {
  return reply.code(error.status).send(error.body);
}
