import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { createHmac } from 'node:crypto';
import { explainFaults } from '../http.js';
import type { EventStream } from '../pages/event-stream.js';
import { hookAnswer, type HookBook, hookName, type HookRequest, lineOf, viewOf } from './hook-book.js';

const BODY_BYTES_MAX = 1_048_576;

type HookParams = { Params: { name: string } };

/** Receives webhooks: any method at /hooks/in/{name} and any path below it. */
export function hookInRoutes(book: HookBook) {
  const answer = async (request: FastifyRequest<HookParams>, reply: FastifyReply): Promise<FastifyReply> => {
    const startedAtMs = performance.now();
    const { request: taken, answer: set } = book.take({
      name: hookName.parse(request.params.name),
      method: request.method,
      path: request.url,
      headers: headersOf(request),
      body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    });
    if (set.hang) {
      book.hang(taken.name, request.raw.socket);
      return reply.hijack();
    }
    if (set.delayMs > 0) await pause(set.delayMs);
    book.settle(taken.id, { status: set.status, tookMs: Math.round(performance.now() - startedAtMs) });
    if (set.redirectTo !== null) return reply.code(set.status).header('location', set.redirectTo).send();
    return reply.code(set.status).send();
  };

  return async (app: FastifyInstance): Promise<void> => {
    explainFaults(app);
    app.removeAllContentTypeParsers();
    app.addContentTypeParser<Buffer>('*', { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX }, (_request, body, done) =>
      done(null, body),
    );
    app.all<HookParams>('/hooks/in/:name', answer);
    app.all<HookParams>('/hooks/in/:name/*', answer);
  };
}

function headersOf({ headers }: FastifyRequest): Record<string, string> {
  const given = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    given.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : String(value)]),
  );
}

const namePath = z.object({ name: hookName });
const listQuery = z.object({ name: hookName.optional(), limit: z.coerce.number().int().min(1).max(500).default(500) });
const secretBody = z.object({ secret: z.string().min(1, 'must not be empty').max(500) });

/** Control API of the hooks, under /_control. */
export function hookControlRoutes(book: HookBook) {
  return async (app: FastifyInstance): Promise<void> => {
    explainFaults(app);
    app.get('/hooks', async (request) => {
      const { name, limit } = listQuery.parse(request.query);
      return book.list(name).slice(-limit).map(viewOf);
    });
    app.get('/hooks/:name', async (request) => book.answerOf(namePath.parse(request.params).name));
    app.post('/hooks/:name', async (request) => {
      const { name } = namePath.parse(request.params);
      return book.setAnswer(name, hookAnswer.parse(request.body ?? {}));
    });
  };
}

/** Routes of the inspector's page, under /_hooks. The page sets answers through /_control/hooks. */
export function hookRoutes(book: HookBook, stream: EventStream) {
  return async (app: FastifyInstance): Promise<void> => {
    explainFaults(app);
    app.get('/requests', async () => book.list().reverse().map(lineOf));

    app.get<{ Params: { id: string } }>('/requests/:id', async (request, reply) => {
      const found = book.find(request.params.id);
      return found === undefined ? reply.code(404).send({ error: GONE }) : viewOf(found);
    });

    app.post<{ Params: { id: string } }>('/requests/:id/verdict', async (request, reply) => {
      const { secret } = secretBody.parse(request.body ?? {});
      const found = book.find(request.params.id);
      return found === undefined ? reply.code(404).send({ error: GONE }) : verdictOn(found, secret);
    });

    stream.register(app);
  };
}

const GONE = 'This request is no longer kept.';

/** Tolerated distance between timestamp and arrival, as most receivers allow. */
const TOLERANCE_SECONDS = 300;
const SECRET = /^(?:whsec_)?([A-Za-z0-9+/]+={0,2})$/;

/** Whether a signature is valid, with the reason. */
export interface HookVerdict {
  readonly holds: boolean;
  readonly reason: string;
}

/** Verifies a Standard Webhooks signature: HMAC-SHA256 in base64 over `{id}.{timestamp}.{body}`. */
function verdictOn({ headers, body, bytes, at }: HookRequest, secret: string): HookVerdict {
  const no = (reason: string): HookVerdict => ({ holds: false, reason });
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((part) => headers[`webhook-${part}`] ?? '');
  const missing = [!id && 'webhook-id', !timestamp && 'webhook-timestamp', !signatures && 'webhook-signature'];
  if (missing.some(Boolean)) return no(`The request has no ${missing.filter(Boolean).join(' and no ')}.`);
  if (!/^\d{1,12}$/.test(timestamp ?? '')) return no('The webhook-timestamp is not a number of seconds since 1970.');
  const [, key = ''] = SECRET.exec(secret.trim()) ?? [];
  if (key === '') return no('This is not a signing secret: expected whsec_ and base64.');
  if (bytes > body.length)
    return no('The body was too long to be stored completely, so the signature cannot be checked.');
  const expected = createHmac('sha256', Buffer.from(key, 'base64'))
    .update(`${id}.${timestamp}.`)
    .update(body)
    .digest('base64');
  const given = (signatures ?? '').split(' ').map((signature) => /^v1,(.+)$/.exec(signature)?.[1] ?? '');
  if (!given.includes(expected)) {
    return no('The signature was not made with this secret, or the request was changed in transit.');
  }
  const apartSeconds = Math.abs(Date.parse(at) / 1000 - Number(timestamp));
  return apartSeconds <= TOLERANCE_SECONDS
    ? { holds: true, reason: 'The signature is valid.' }
    : no(`The signature is correct, but its timestamp is ${Math.round(apartSeconds)} s off the time of arrival.`);
}
