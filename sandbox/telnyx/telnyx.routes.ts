import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callbackPlanOf, type Delivery, fateOf, mediaFaultOf } from '../carriers/delivery.js';
import type { Message } from '../carriers/message.js';
import type { MessageStore } from '../carriers/message-store.js';
import type { OptOuts } from '../carriers/opt-outs.js';
import { segmentCount } from '../carriers/segments.js';
import { failAfter, failBefore, type Fault, type FaultErrors, type Faults } from '../control/faults.js';
import type { NumberStore } from '../carriers/numbers/number-store.js';
import { listRecords } from './list-records.js';
import { detailRecord, messageResource, PROFILE } from './message-resource.js';
import type { NumberOrders } from './number-orders.js';
import { numberRoutes } from './numbers.routes.js';
import { parseSendRequest, type SendRequest } from './send-request.js';
import { badRequest, forbiddenRegion, notFound, TelnyxError, unauthenticated } from './telnyx-error.js';

interface TelnyxParts {
  readonly telnyxApiKey: string;
  readonly store: MessageStore;
  readonly optOuts: OptOuts;
  readonly delivery: Delivery;
  readonly faults: Faults;
  readonly numbers: NumberStore;
  readonly orders: NumberOrders;
}

const RETRY_AFTER_SECONDS = 1;

/** Faults of a send before and after the message is accepted. */
const ERRORS_BEFORE: FaultErrors = {
  '429': () => new TelnyxError('10011', 'Too many requests', 'You have exceeded the maximum of requests.', 429),
  '500': () => new TelnyxError('10007', 'Unexpected error', 'An unexpected error occurred.', 500),
  refuse: forbiddenRegion,
  suspended: unauthenticated,
};
const ERRORS_AFTER: FaultErrors = {
  'accepted-then-5xx': () => new TelnyxError('10007', 'Unexpected error', 'Gateway timeout.', 504),
};

/** Telnyx's API for messages and numbers, under /v2. */
export function telnyxRoutes(parts: TelnyxParts) {
  const { store, faults } = parts;

  return async (app: FastifyInstance): Promise<void> => {
    app.addHook('onRequest', requireKey(parts));
    app.setErrorHandler((error, _request, reply) => sendError(reply, asTelnyxError(error)));
    app.setNotFoundHandler((_request, reply) => sendError(reply, notFound()));

    // Not async, because a fault may leave a request without an answer.
    app.post('/messages', (request, reply) => {
      const fault = faults.take('telnyx', undefined, { from: fromOf(request.body) });
      if (!failBefore(fault, faults, reply, ERRORS_BEFORE)) return;
      const message = accept(parts, parseSendRequest(request.body, parts), fault);
      const data = messageResource(message);
      failAfter(fault, reply, () => void reply.send({ data }), ERRORS_AFTER);
    });

    await app.register(numberRoutes(parts));

    app.get<{ Params: { id: string } }>('/messages/:id', async (request) => {
      const message = store.get(request.params.id);
      if (message?.carrier !== 'telnyx') throw notFound();
      return { data: messageResource(message) };
    });

    app.get('/detail_records', async (request) => {
      const { messages, meta } = listRecords(store, new URL(request.url, 'http://sandbox').searchParams);
      return { data: messages.map(detailRecord), meta };
    });

    app.get('/messaging_profiles', async () => ({
      data: [{ record_type: 'messaging_profile', id: PROFILE.id, name: PROFILE.name, enabled: true }],
      meta: { total_pages: 1, total_results: 1, page_number: 1, page_size: 20 },
    }));
  };
}

function accept({ store, delivery }: TelnyxParts, request: SendRequest, fault: Fault): Message {
  const { mediaUrls, ...sent } = request;
  const isMms = mediaUrls.length > 0;
  const message = store.add({
    carrier: 'telnyx',
    sid: randomUUID(),
    direction: 'outbound-api',
    ...sent,
    ...(isMms && { mediaUrls, ...mediaFaultOf(fault) }),
    messagingServiceSid: null,
    segments: isMms ? 1 : segmentCount(request.body),
    ...callbackPlanOf(fault),
    ...fateOf(fault),
    createdAtMs: Date.now(),
    status: 'queued',
  });
  delivery.accept(message);
  return message;
}

function fromOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'from' in body ? body.from : undefined;
}

function requireKey({ telnyxApiKey }: TelnyxParts) {
  return (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void =>
    done(request.headers.authorization === `Bearer ${telnyxApiKey}` ? undefined : unauthenticated());
}

function asTelnyxError(error: unknown): TelnyxError {
  if (error instanceof TelnyxError) return error;
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status >= 400 && status < 500) return badRequest((error as Error).message);
  throw error;
}

function sendError(reply: FastifyReply, error: TelnyxError): FastifyReply {
  if (error.status === 429) reply.header('retry-after', String(RETRY_AFTER_SECONDS));
  return reply.code(error.status).send(error.body);
}
