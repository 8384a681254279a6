import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Config } from '#core/platform/config/config.js';
import { loadEnv } from '#core/platform/config/env.js';
import { Logger, NestLogger } from '#core/platform/telemetry/logger.js';
import { keepHeapLean, stopOnSignals, explainStartFailure } from '#core/platform/health/lifecycle.js';
import { checkDatabase } from '#core/platform/database/data-source.js';
import { WorkerModule } from './worker.module.js';

keepHeapLean();
try {
  const config = new Config(loadEnv());
  await checkDatabase(config.database);
  const logger = new Logger({ name: 'worker', ...config.log });
  const app = await NestFactory.create<NestFastifyApplication>(WorkerModule.of(config, logger), new FastifyAdapter(), {
    logger: new NestLogger(logger),
    abortOnError: false,
  });
  stopOnSignals(app);
  await app.listen(config.http.workerPort, config.http.host);
  logger.info({ port: config.http.workerPort, concurrency: config.dispatch.concurrency }, 'worker started');
} catch (error) {
  process.stderr.write(`${explainStartFailure(error)}\n`);
  process.exit(1);
}
