import fastifyCookie from '@fastify/cookie';
import fastifyStatic from '@fastify/static';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { limits } from '#contract/limits.js';
import type { Config } from '#core/config/config.js';
import type { Logger } from '#core/logging/logger.js';
import { NestLogger } from '#core/logging/nest-logger.js';
import { openToKeyCalls } from './api/key-cors.js';
import { keepRawBody } from './callbacks/raw-body.js';
import { answerFrameworkError } from './http/failure.filter.js';
import { ServerModule } from './server.module.js';

/** Builds the HTTP server, ready to listen; `pagesDirectory` holds the built pages. */
export async function createServer(
  config: Config,
  logger: Logger,
  pagesDirectory: string | undefined,
): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    bodyLimit: limits.apiBodyBytesMax,
    trustProxy: config.http.trustProxy,
    frameworkErrors: answerFrameworkError,
  });
  const app = await NestFactory.create<NestFastifyApplication>(ServerModule.of(config, logger), adapter, {
    logger: new NestLogger(logger),
    abortOnError: false,
  });
  adapter.getInstance().addHook('onRequest', openToKeyCalls).addHook('preParsing', keepRawBody);
  await app.register(fastifyCookie, { secret: config.signIn.cookieSecret });
  if (pagesDirectory) await app.register(fastifyStatic, { root: pagesDirectory, wildcard: false });
  app.enableShutdownHooks();
  return app;
}
