import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { CommanderError } from 'commander';
import { Config } from '#core/platform/config/config.js';
import { loadEnv } from '#core/platform/config/env.js';
import { checkDatabase } from '#core/platform/database/data-source.js';
import { Logger, NestLogger } from '#core/platform/telemetry/logger.js';
import { explainStartFailure } from '#core/platform/health/lifecycle.js';
import { AdminModule } from './admin.module.js';
import { refusalOf, type Run } from './command-line.js';
import { operatorProgram } from './commands.js';

const run: Run = async (work) => {
  const config = new Config(loadEnv());
  await checkDatabase(config.database);
  const logger = new Logger({ name: 'admin', level: 'error', pretty: false });
  const app = await NestFactory.createApplicationContext(AdminModule.of(config, logger), {
    logger: new NestLogger(logger),
    abortOnError: false,
  });
  try {
    print(await work(app));
  } finally {
    await app.close();
  }
};

const program = operatorProgram(run);
try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = error instanceof CommanderError ? error.exitCode : 1;
  const refusal = refusalOf(error);
  if (refusal) print(refusal);
  else if (!(error instanceof CommanderError)) process.stderr.write(`${explainStartFailure(error)}\n`);
}
// A client of a Redis Cluster that is closed while it connects keeps a timer, which would keep this process running (ioredis 5.11).
process.exit();

function print(value: object): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}
