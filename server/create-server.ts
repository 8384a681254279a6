import fastifyCookie from '@fastify/cookie';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { ApiKeys } from '#core/keys/api-keys.js';
import { RequestLog } from '#core/accounts/request-log.js';
import type { Config } from '#core/platform/config/config.js';
import { RouteReports } from '#core/routes/route-report.js';
import { Shards } from '#core/platform/database/shards.js';
import { Draining } from '#core/platform/process/lifecycle.js';
import { type Logger, NestLogger } from '#core/platform/telemetry/logger.js';
import { Metrics } from '#core/platform/telemetry/metrics.js';
import { QueueControl } from '#core/platform/queue/queue-control.js';
import { SharedCounters } from '#core/platform/queue/shared-counters.js';
import { Tracer } from '#core/platform/telemetry/tracer.js';
import { isWithin } from '#core/rules/network-addresses.js';
import { Uploads } from './api/uploads.js';
import { TelnyxCallbacks } from './callbacks/telnyx-callbacks.js';
import { TwilioCallbacks } from './callbacks/twilio-callbacks.js';
import { normalizedUrl, queryFields } from './http/boundary-text.js';
import { leavePlaceBeforeAnswer } from './http/account-places.js';
import { boundBody, checkHead, ConnectionLimit, edgeBounds, proxiesOf } from './http/edge.js';
import { failureHandler, frameworkErrors } from './http/failure.filter.js';
import { separateMedia } from './http/media-host.js';
import { ApiRateLimits } from './http/rate-limits.js';
import {
  allowCrossOriginApiCalls,
  measureRequests,
  nameRequest,
  requestIdOf,
  secureAnswers,
  traceRequests,
} from './http/request-hooks.js';
import { logApiCalls } from './http/request-log.js';
import { checkMediaType, leaveBodiesUnread } from './http/unread-body.js';
import { OperatorPassword } from './operator/operator-scope.js';
import { serveRoutesPage } from './operator/routes-page.js';
import { BuiltPages, servePages } from './pages/built-pages.js';
import { ServerModule } from './server.module.js';

/** Creates the HTTP server, ready to listen. `pagesDirectory` contains the built pages. */
export async function createServer(
  config: Config,
  logger: Logger,
  pagesDirectory: string | undefined,
): Promise<NestFastifyApplication> {
  const pages = BuiltPages.load(pagesDirectory, config);
  const adapter = new FastifyAdapter({
    ...edgeBounds(config),
    trustProxy: trustOf(config.http.trustProxy),
    routerOptions: { querystringParser: queryFields },
    frameworkErrors: frameworkErrors(config.http.publicUrl, pages, async (address) =>
      rateLimits().takeAddress(address),
    ),
    genReqId: requestIdOf,
    rewriteUrl: ({ url = '/' }) => normalizedUrl(url),
  });
  const app = await NestFactory.create<NestFastifyApplication>(ServerModule.forRoot(config, logger, pages), adapter, {
    logger: new NestLogger(logger),
    abortOnError: false,
    bodyParser: false,
  });
  const rateLimits = (): ApiRateLimits => app.get(ApiRateLimits, { strict: false });
  const fastify = adapter.getInstance();
  leaveBodiesUnread(fastify);
  const connections = new ConnectionLimit(config.http.connectionsMax, proxiesOf(config.http.trustProxy), logger);
  connections.watch(app.getHttpServer());
  const draining = app.get(Draining, { strict: false });
  const inContext = app.get(Shards, { strict: false }).requestContexts();
  fastify
    .addHook('onRoute', boundBody)
    .addHook('onRequest', nameRequest)
    .addHook('onRequest', secureAnswers(config.http.publicUrl))
    .addHook('onRequest', connections.refuse)
    .addHook('onRequest', rateLimits().countRequest)
    .addHook('onRequest', (_request, reply, done) => {
      // A client with a kept-alive connection opens its next connection to another server.
      if (draining.isOn) reply.header('Connection', 'close');
      done();
    })
    .addHook('preParsing', checkMediaType)
    .addHook('onResponse', connections.release)
    .addHook('onResponse', rateLimits().countRefused);
  // Uploads are admitted before their body is read. Reading leaves the context, which the guards
  // need again.
  if (inContext)
    fastify
      .addHook('onRequest', (request, _reply, done) => inContext(request, done))
      .addHook('preHandler', (request, _reply, done) => inContext(request, done));
  traceRequests(fastify, app.get(Tracer));
  measureRequests(fastify, app.get(Metrics));
  // Most requests are receipts, so their routes skip all later hooks and Nest.
  await fastify.register(async (scope) => {
    scope.setErrorHandler(failureHandler(logger, pages)).addHook('onRequest', checkHead);
    for (const callbacks of [TwilioCallbacks, TelnyxCallbacks]) app.get(callbacks, { strict: false }).serve(scope);
  });
  fastify
    .addHook('onRequest', allowCrossOriginApiCalls)
    .addHook('onRequest', checkHead)
    .addHook('onRequest', separateMedia(config))
    .addHook('preParsing', app.get(Uploads, { strict: false }).admit)
    .addHook('onSend', leavePlaceBeforeAnswer);
  logApiCalls(fastify, app.get(RequestLog, { strict: false }), app.get(ApiKeys, { strict: false }));
  await app.register(fastifyCookie, { secret: config.signIn.cookieSecret });
  if (pagesDirectory)
    await fastify.register(async (scope) => {
      // Nest sets its handler later, which does not reach earlier routes.
      scope.setErrorHandler(failureHandler(logger, pages));
      await servePages(scope, pages, pagesDirectory);
    });
  const { boardPassword } = config.operator;
  if (boardPassword !== undefined) {
    // Loaded only when used, because it takes two megabytes.
    const { serveQueueBoard } = await import('./operator/queue-board.js');
    const password = new OperatorPassword(boardPassword, app.get(SharedCounters));
    await serveQueueBoard(fastify, app.get(QueueControl), password);
    await serveRoutesPage(fastify, app.get(RouteReports), password);
  }
  return app;
}

/** Fastify's option. The last untrusted address in `X-Forwarded-For` is the client's. */
function trustOf(trustProxy: Config['http']['trustProxy']) {
  if (typeof trustProxy === 'number') return (_address: string, hop: number) => hop < trustProxy;
  return trustProxy && isWithin(trustProxy);
}
