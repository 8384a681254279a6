import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Metrics } from '#core/platform/telemetry/metrics.js';
import type { RequestContext } from '#core/platform/telemetry/request-context.js';
import type { Span, Tracer } from '#core/platform/telemetry/tracer.js';

/** An `X-Request-Id` of a caller that is safe to log. */
const CALLER_REQUEST_ID = /^[A-Za-z0-9._:-]{1,64}$/;

const knownMethods: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Health checks of balancers and of the operator. */
export const probeRoutes = /^\/(healthz|readyz|metrics)(\?|$)/;

/** Health checks are polled every few seconds: their traces would crowd out the others. */
const untracedRoutes: readonly string[] = ['/healthz', '/readyz', '/metrics'];

/** First words of the paths below /api that take an API key. */
const apiKeyPaths =
  'sendsms sendbulk quote media sendotp resendotp verifyotp otp otps totp messages batches optouts deliverability ' +
  'spend exposure balance notifications events numbers pools';
/** Routes that any web page may call, because the API key is the only credential they accept. */
export const apiKeyRoutes = new RegExp(`^/api/(${apiKeyPaths.replaceAll(' ', '|')})(/|\\?|$)`);
/** API routes without a key, which web pages may read too. */
const keylessRoutes = /^\/api\/(quality|regions|status)(\?|$)/;
/** Routes of other providers' APIs, and of the plugs of other products. */
export const compatibleRoutes = /^\/(2010-04-01\/|text(\?|$)|(status|quota|hooks)\/|otp\/(generate|verify)(\?|$))/;
const PREFLIGHT_SECONDS = 86_400;
/** Routes that answer JSON or the like. */
const dataRoutes = /^\/(api|auth|m|webhooks|operator|healthz|readyz|metrics)(\/|\?|$)/;
const YEAR_SECONDS = 31_536_000;

/** Returns whether a URL is for programs and scripts, not a page. */
export function isDataRequest(url: string): boolean {
  return dataRoutes.test(url) || compatibleRoutes.test(url);
}

const spans = new WeakMap<FastifyRequest, Span>();

/** Returns the caller's `X-Request-Id` if it is valid, otherwise a new id. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && CALLER_REQUEST_ID.test(given) ? given : randomUUID();
}

/** Sets `X-Request-Id` on every answer. */
export function nameRequest(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  reply.header('X-Request-Id', request.id);
  done();
}

/**
 * Returns a hook that sets the headers of every answer: no type sniffing, HSTS (RFC 6797) if the
 * site uses https, and no caching of what programs and pages read. Files and the OpenAPI document
 * set a `Cache-Control` of their own.
 */
export function secureAnswers(publicUrl: string): typeof nameRequest {
  const headers = answerHeaders(publicUrl);
  return (request, reply, done) => {
    reply.headers(headers);
    if (isDataRequest(request.url)) reply.header('Cache-Control', 'no-store');
    done();
  };
}

/** Headers of every answer. */
export function answerHeaders(publicUrl: string): Record<string, string> {
  return {
    'X-Content-Type-Options': 'nosniff',
    ...(publicUrl.startsWith('https:') && {
      'Strict-Transport-Security': `max-age=${YEAR_SECONDS}; includeSubDomains`,
    }),
  };
}

/** Returns the request id and trace that jobs and logs of this request carry. */
export function requestContextOf(request: FastifyRequest): RequestContext {
  const traceparent = spans.get(request)?.traceparent;
  return traceparent === undefined ? { requestId: request.id } : { requestId: request.id, traceparent };
}

/**
 * CORS (Fetch standard, section 3.2) for calls of the API: open to every origin, without
 * credentials. Our own code because the two headers are on the hot path, where @fastify/cors cost 5
 * % of the throughput.
 */
export function allowCrossOriginApiCalls(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  if (!apiKeyRoutes.test(request.url) && !keylessRoutes.test(request.url)) return done();
  reply.header('Access-Control-Allow-Origin', '*');
  if (request.method !== 'OPTIONS') {
    reply.header(
      'Access-Control-Expose-Headers',
      'RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, Idempotent-Replayed, X-Request-Id, ' +
        'Content-Disposition, Repr-Digest',
    );
    return done();
  }
  reply
    .headers({
      'Access-Control-Allow-Methods': 'GET, POST, PATCH, DELETE',
      'Access-Control-Allow-Headers': 'Authorization, Content-Type, Idempotency-Key, Last-Event-ID, X-Request-Id',
      'Access-Control-Max-Age': String(PREFLIGHT_SECONDS),
    })
    .status(204)
    .send();
}

/** Records one span per request when tracing is on. Never continues a caller's own trace. */
export function traceRequests(fastify: FastifyInstance, tracer: Tracer): void {
  if (!tracer.isOn) return;
  fastify.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url ?? 'unmatched';
    if (untracedRoutes.includes(route)) return done();
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

/**
 * Counts and times every request by its route template, so that unknown paths add no time series.
 */
export function measureRequests(fastify: FastifyInstance, metrics: Metrics): void {
  fastify.addHook('onResponse', ({ method, routeOptions }, reply, done) => {
    metrics.httpRequests.observe(
      {
        method: knownMethods.includes(method) ? method : 'other',
        route: routeOptions.url ?? 'unmatched',
        status_class: `${Math.floor(reply.statusCode / 100)}xx`,
      },
      reply.elapsedTime / 1_000,
    );
    done();
  });
}
