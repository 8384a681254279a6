import type { FastifyReply, FastifyRequest } from 'fastify';

/** Routes that any web page may call, because the key in the request is the only credential they take. */
const keyRoutes = /^\/api\/(sendsms|sendotp|verifyotp|messages|balance)(\/|\?|$)/;

const PREFLIGHT_SECONDS = 86_400;

/**
 * CORS (Fetch standard, section 3.2) for calls that carry an API key: open to every origin, without credentials. Written
 * out because the two headers are on the hot path, where a general plug-in cost one request in twenty.
 */
export function openToKeyCalls(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  if (!keyRoutes.test(request.url)) return done();
  reply.header('Access-Control-Allow-Origin', '*');
  if (request.method !== 'OPTIONS') {
    reply.header(
      'Access-Control-Expose-Headers',
      'RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, Idempotent-Replayed, X-Request-Id',
    );
    return done();
  }
  reply
    .headers({
      'Access-Control-Allow-Methods': 'GET, POST',
      'Access-Control-Allow-Headers': 'Authorization, Content-Type, Idempotency-Key, X-Request-Id',
      'Access-Control-Max-Age': String(PREFLIGHT_SECONDS),
    })
    .status(204)
    .send();
}
