import type { FastifyInstance } from 'fastify';
import type { Metrics } from '#core/platform/telemetry/metrics.js';

const knownMethods: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Counts and times every request by its route's template, so that a stranger's paths make no new series. */
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
