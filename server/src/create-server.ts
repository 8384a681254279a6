import fastifyStatic from '@fastify/static';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { limits } from '#contract/limits.js';
import type { Config } from '#core/config/config.js';
import type { Logger } from '#core/logging/logger.js';
import { NestLogger } from '#core/logging/nest-logger.js';
import { ServerModule } from './server.module.js';

/** Routes that any web page may call, because the key in the request is the only credential they take. */
const keyRoutes = /^\/api\/(sendsms|messages|balance)(\/|\?|$)/;

/** Builds the HTTP server, ready to listen; `pagesDirectory` holds the built pages. */
export async function createServer(config: Config, logger: Logger, pagesDirectory: string | undefined): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({ bodyLimit: limits.apiBodyBytesMax, trustProxy: config.http.trustProxy });
  const app = await NestFactory.create<NestFastifyApplication>(ServerModule.of(config, logger), adapter, {
    logger: new NestLogger(logger),
    abortOnError: false,
  });
  app.enableCors({
    delegator: (request, done) => {
      const open = keyRoutes.test(request.url ?? '');
      done(null, open ? corsForKeys : { origin: false });
    },
  });
  if (pagesDirectory) await app.register(fastifyStatic, { root: pagesDirectory, wildcard: false });
  app.enableShutdownHooks();
  return app;
}

const corsForKeys = {
  origin: '*',
  methods: ['GET', 'POST'],
  allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key'],
  exposedHeaders: ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'Retry-After', 'Idempotent-Replayed'],
  maxAge: 86_400,
};
