import fastifyCookie from '@fastify/cookie';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { limits } from '#contract/limits.js';
import type { Config } from '#core/config/config.js';
import type { Logger } from '#core/logging/logger.js';
import { NestLogger } from '#core/logging/nest-logger.js';
import { openToKeyCalls } from './api/key-cors.js';
import { keepRawBody } from './callbacks/raw-body.js';
import { answerFrameworkError } from './http/failure.filter.js';
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
    bodyLimit: limits.apiBodyBytesMax,
    trustProxy: config.http.trustProxy,
    frameworkErrors: answerFrameworkError,
  });
  const pages = BuiltPages.load(pagesDirectory, config);
  const app = await NestFactory.create<NestFastifyApplication>(ServerModule.of(config, logger, pages), adapter, {
    logger: new NestLogger(logger),
    abortOnError: false,
  });
  adapter.getInstance().addHook('onRequest', openToKeyCalls).addHook('preParsing', keepRawBody);
  await app.register(fastifyCookie, { secret: config.signIn.cookieSecret });
  if (pagesDirectory) await servePages(adapter.getInstance(), pages, pagesDirectory);
  app.enableShutdownHooks();
  return app;
}
