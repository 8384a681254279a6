import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RequestContext } from '#core/platform/telemetry/request-context.js';
import type { Span, Tracer } from '#core/platform/telemetry/tracer.js';

/** What a caller may name his request by, so that it stands in our logs too. */
const CALLERS_ID = /^[A-Za-z0-9._:-]{1,64}$/;

/** Machines ask these every few seconds: their traces would bury the others. */
const untraced: readonly string[] = ['/healthz', '/readyz', '/metrics'];

const spans = new WeakMap<FastifyRequest, Span>();

/** The id of a request: the caller's `X-Request-Id` where it is one, else a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && CALLERS_ID.test(given) ? given : randomUUID();
}

/** Every answer names its request. */
export function nameRequest(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  reply.header('X-Request-Id', request.id);
  done();
}

/** What everything that a request leads to came of. */
export function requestContextOf(request: FastifyRequest): RequestContext {
  const traceparent = spans.get(request)?.traceparent;
  return traceparent === undefined ? { requestId: request.id } : { requestId: request.id, traceparent };
}

/** One span per request, where the operator wants traces. Callers are strangers: their own trace is not continued. */
export function traceRequests(fastify: FastifyInstance, tracer: Tracer): void {
  if (!tracer.isOn) return;
  fastify.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url ?? 'unmatched';
    if (untraced.includes(route)) return done();
    const attributes = {
      'http.request.method': request.method,
      'http.route': route,
      'pennytext.request_id': request.id,
    };
    spans.set(request, tracer.start(`${request.method} ${route}`, { kind: 'server', attributes }));
    done();
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request);
    span?.set('http.response.status_code', reply.statusCode);
    span?.end(reply.statusCode >= 500 ? new Error('answered 5xx') : undefined);
    done();
  });
}
