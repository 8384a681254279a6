import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { NestLogger } from '#core/platform/telemetry/logger.js';
import { keepHeapLean, startProgram, stopOnSignals } from '#core/platform/process/lifecycle.js';
import { HashSecretCheck } from '#core/keys/hash-secret-check.js';
import { checkDatabase } from '#core/platform/database/data-source.js';
import { WorkerModule } from './worker.module.js';

keepHeapLean();
await startProgram('worker', async (config, logger) => {
  await checkDatabase(config.database, logger);
  const app = await NestFactory.create<NestFastifyApplication>(WorkerModule.of(config, logger), new FastifyAdapter(), {
    logger: new NestLogger(logger),
    abortOnError: false,
  });
  await app.get(HashSecretCheck, { strict: false }).run();
  stopOnSignals(app);
  await app.listen(config.http.workerPort, config.http.host);
  const { host, workerPort: port } = config.http;
  logger.info({ host, port, concurrency: config.dispatch.concurrency }, 'worker started');
});
