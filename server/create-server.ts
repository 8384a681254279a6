import fastifyCookie from '@fastify/cookie';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Config } from '#core/platform/config/config.js';
import { Draining } from '#core/platform/health/draining.js';
import { type Logger, NestLogger } from '#core/platform/telemetry/logger.js';
import { Metrics } from '#core/platform/telemetry/metrics.js';
import { QueueControl } from '#core/platform/queue/queue-control.js';
import { RedisClient } from '#core/platform/queue/redis-client.js';
import { Tracer } from '#core/platform/telemetry/tracer.js';
import { openToKeyCalls } from './api/key-cors.js';
import { keepRawBody } from './callbacks/raw-body.js';
import { ConnectionLimit } from './http/connection-limit.js';
import { boundHeaders, edgeBounds } from './http/edge-bounds.js';
import { measureRequests } from './http/measure-requests.js';
import { nameRequest, requestIdOf, traceRequests } from './http/request-context.js';
import { answerFrameworkError } from './http/failure.filter.js';
import { OperatorPassword } from './operator/operator-password.js';
import { BuiltPages } from './pages/built-pages.js';
import { servePages } from './pages/serve-pages.js';
import { ServerModule } from './server.module.js';

/** Builds the HTTP server, ready to listen; `pagesDirectory` holds the built pages. */
export async function createServer(
  config: Config,
  logger: Logger,
  pagesDirectory: string | undefined,
): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    ...edgeBounds(config),
    trustProxy: config.http.trustProxy,
    frameworkErrors: answerFrameworkError,
    genReqId: requestIdOf,
  });
  const pages = BuiltPages.load(pagesDirectory, config);
  const app = await NestFactory.create<NestFastifyApplication>(ServerModule.of(config, logger, pages), adapter, {
    logger: new NestLogger(logger),
    abortOnError: false,
  });
  const fastify = adapter.getInstance();
  const connections = new ConnectionLimit(config.http.connectionsMax, logger);
  connections.watch(app.getHttpServer());
  const draining = app.get(Draining, { strict: false });
  fastify
    .addHook('onRequest', nameRequest)
    .addHook('onRequest', openToKeyCalls)
    .addHook('onRequest', connections.refuse)
    .addHook('onRequest', boundHeaders)
    .addHook('onRequest', (_request, reply, done) => {
      // Whoever keeps a connection takes the next one to another server.
      if (draining.isOn) reply.header('Connection', 'close');
      done();
    })
    .addHook('preParsing', keepRawBody);
  traceRequests(fastify, app.get(Tracer));
  measureRequests(fastify, app.get(Metrics));
  await app.register(fastifyCookie, { secret: config.signIn.cookieSecret });
  if (pagesDirectory) await servePages(fastify, pages, pagesDirectory);
  const { boardPassword } = config.operator;
  if (boardPassword !== undefined) {
    // Two megabytes that only this needs.
    const { serveQueueBoard } = await import('./operator/queue-board.js');
    await serveQueueBoard(fastify, app.get(QueueControl), new OperatorPassword(boardPassword, app.get(RedisClient)));
  }
  return app;
}
