import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { failAfter, failBefore, type Fault, type FaultErrors, type FaultMode, type Faults } from '../control/faults.js';
import { readForms } from '../http.js';
import { type CreateRequest, parseCreateRequest } from './create-request.js';
import { listMessages } from './list-messages.js';
import { JSON_TYPE, notFound, TwilioError, unauthenticated } from './twilio-error.js';
import type { CallBook } from './calls/call-book.js';
import type { CallFlow } from './calls/call-flow.js';
import { callRoutes } from './calls/calls.routes.js';
import { ERRORS_AFTER, ERRORS_BEFORE } from './create-faults.js';
import {
  isForWhatsApp,
  parseWhatsAppRequest,
  unknownTemplate,
  type WhatsAppRequest,
} from './whatsapp/whatsapp-request.js';
import { numberRoutes } from './numbers/numbers.routes.js';
import type { NumberStore } from '../carriers/numbers/number-store.js';
import { callbackPlanOf, type Delivery, fateOf, mediaFaultOf } from '../carriers/delivery.js';
import type { MediaBook } from '../carriers/media.js';
import { serveMedia } from '../carriers/serve-media.js';
import { type Message, numberOf } from '../carriers/message.js';
import type { MessageStore } from '../carriers/message-store.js';
import type { OptOuts } from '../carriers/opt-outs.js';
import { segmentCount } from '../carriers/segments.js';
import { mediaResource, messageResource, newMessageSid } from './message-resource.js';

interface TwilioParts {
  readonly accountSid: string;
  readonly authToken: string;
  readonly store: MessageStore;
  readonly optOuts: OptOuts;
  readonly delivery: Delivery;
  readonly faults: Faults;
  readonly media: MediaBook;
  /** Called with the host that the product calls. */
  readonly onHost: (host: string) => void;
  readonly numbers: NumberStore;
  readonly calls: CallBook;
  readonly callFlow: CallFlow;
  readonly whatsAppSenders: readonly string[];
}

const WHATSAPP_ERRORS: FaultErrors = { ...ERRORS_BEFORE, 'unknown-template': unknownTemplate };

/** Ends of WhatsApp messages whose creation met a fault. */
const WHATSAPP_FAILURES: Partial<Record<FaultMode, Pick<WhatsAppRequest, 'fate' | 'failureCode'>>> = {
  'outside-session': { fate: 'undelivered', failureCode: 63016 },
  'no-whatsapp': { fate: 'undelivered', failureCode: 63024 },
  'template-paused': { fate: 'undelivered', failureCode: 63041 },
  'unknown-to': { fate: 'failed', failureCode: 63003 },
};

/** Twilio's REST API for messages and numbers, under /2010-04-01. */
export function twilioRoutes(parts: TwilioParts) {
  const { accountSid, store, faults, media } = parts;
  const messagesPath = `/2010-04-01/Accounts/${accountSid}/Messages.json`;

  return async (app: FastifyInstance): Promise<void> => {
    // Twilio reports a body that is not a form as a missing parameter.
    readForms(app);
    app.addHook('onRequest', requireCredentials(parts));
    app.setErrorHandler((error, _request, reply) => sendError(reply, asTwilioError(error)));
    app.setNotFoundHandler((request, reply) => sendError(reply, notFound(request.url)));

    // Not async, because benchmarks call it by the thousand.
    app.post('/Accounts/:accountSid/Messages.json', (request, reply) => {
      const form = request.body as URLSearchParams;
      const isWhatsApp = isForWhatsApp(form);
      const [from, to] = ['From', 'To'].map((name) => numberOf(form.get(name) ?? ''));
      const fault = faults.take(isWhatsApp ? 'whatsapp' : 'twilio', undefined, { from, to });
      if (!failBefore(fault, faults, reply, isWhatsApp ? WHATSAPP_ERRORS : ERRORS_BEFORE)) return;
      const message = isWhatsApp
        ? acceptWhatsApp(parts, parseWhatsAppRequest(form, parts), fault)
        : accept(parts, parseCreateRequest(form, parts), fault);
      const resource = JSON.stringify(messageResource(message, accountSid));
      const send = () => void reply.code(201).header('content-type', JSON_TYPE).send(resource);
      failAfter(fault, reply, send, ERRORS_AFTER);
    });

    await app.register(numberRoutes(parts));
    await app.register(callRoutes(parts));

    app.get('/Accounts/:accountSid/Messages.json', async (request) => {
      const { items, links } = listMessages(store, new URL(request.url, 'http://sandbox').searchParams, messagesPath);
      return { messages: items.map((message) => messageResource(message, accountSid)), ...links };
    });

    app.get<{ Params: { file: string } }>('/Accounts/:accountSid/Messages/:file', async (request) => {
      const message = store.get(request.params.file.replace(/\.json$/, ''));
      if (message?.carrier !== 'twilio') throw notFound(request.url);
      return messageResource(message, accountSid);
    });

    app.get<{ Params: { sid: string } }>('/Accounts/:accountSid/Messages/:sid/Media.json', async (request) => {
      const message = store.get(request.params.sid);
      if (message?.carrier !== 'twilio') throw notFound(request.url);
      const left = (message.media ?? []).filter(({ sid }) => media.get(sid) !== undefined);
      return listOf(
        left.map((one) => mediaResource(message, one, accountSid)),
        request.url,
      );
    });

    // Twilio redirects to its storage; here the bytes are the answer. Not async, because a fault
    // may leave a request without an answer.
    app.get<MediaRequest>('/Accounts/:accountSid/Messages/:sid/Media/:file', (request, reply) => {
      const file = fileOf(media, request.params);
      if (file === undefined) throw notFound(request.url);
      serveMedia(reply, file, faults, faults.take('media'), {
        '404': () => notFound(request.url),
        '500': () => new TwilioError(20500, 'An internal server error has occurred', 500),
      });
    });

    app.delete<MediaRequest>('/Accounts/:accountSid/Messages/:sid/Media/:file', async (request, reply) => {
      const { file } = request.params;
      if (fileOf(media, request.params) === undefined) throw notFound(request.url);
      media.delete(file.replace(/\.json$/, ''));
      return reply.code(204).send();
    });
  };
}

interface MediaRequest {
  readonly Params: { readonly sid: string; readonly file: string };
}

function fileOf(media: MediaBook, { sid, file }: MediaRequest['Params']) {
  const found = media.get(file.replace(/\.json$/, ''));
  return found?.messageSid === sid ? found : undefined;
}

/** A list that fits on one page. */
function listOf(list: readonly object[], url: string) {
  const uri = url.replace(/\?.*$/s, '');
  const page = { end: Math.max(0, list.length - 1), start: 0, page: 0, page_size: 50 };
  return {
    media_list: list,
    ...page,
    uri,
    first_page_uri: `${uri}?PageSize=50&Page=0`,
    next_page_uri: null,
    previous_page_uri: null,
  };
}

function accept({ store, delivery }: TwilioParts, request: CreateRequest, fault: Fault): Message {
  const message = store.add({
    carrier: 'twilio',
    sid: newMessageSid(request.mediaUrls.length > 0),
    direction: 'outbound-api',
    from: request.from,
    to: request.to,
    body: request.body,
    messagingServiceSid: request.messagingServiceSid,
    statusCallback: request.statusCallback,
    validityPeriod: request.validityPeriod,
    segments: request.mediaUrls.length > 0 ? 1 : segmentCount(request.body),
    ...callbackPlanOf(fault),
    ...(request.mediaUrls.length > 0 && { mediaUrls: request.mediaUrls, ...mediaFaultOf(fault) }),
    ...fateOf(fault),
    createdAtMs: Date.now(),
    status: request.messagingServiceSid === null ? 'queued' : 'accepted',
  });
  delivery.accept(message);
  return message;
}

function acceptWhatsApp({ store, delivery }: TwilioParts, request: WhatsAppRequest, fault: Fault): Message {
  const message = store.add({
    carrier: 'twilio',
    sid: newMessageSid(),
    direction: 'outbound-api',
    segments: 1,
    ...request,
    ...callbackPlanOf(fault),
    ...WHATSAPP_FAILURES[fault.mode],
    createdAtMs: Date.now(),
    status: request.messagingServiceSid === null ? 'queued' : 'accepted',
  });
  delivery.accept(message);
  return message;
}

function requireCredentials({ accountSid, authToken, onHost }: TwilioParts) {
  const expected = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    const isOwnPath = request.url.startsWith(`/2010-04-01/Accounts/${accountSid}`);
    if (request.headers.authorization === expected && isOwnPath) {
      onHost(request.host);
      return done();
    }
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
