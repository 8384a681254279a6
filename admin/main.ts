import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { Command, CommanderError } from 'commander';
import { publicCode } from '#contract/errors.js';
import { Config } from '#core/platform/config/config.js';
import { loadEnv } from '#core/platform/config/env.js';
import { checkDatabase } from '#core/platform/database/check-database.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { Logger, NestLogger } from '#core/platform/telemetry/logger.js';
import { explainStartFailure } from '#core/platform/health/lifecycle.js';
import { AdminModule } from './admin.module.js';
import type { Run } from './command-line.js';
import { addCommands } from './commands.js';

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

const program = new Command('admin').description('Commands for the operator. Each prints JSON.').exitOverride();
program.configureHelp({ showGlobalOptions: true });
addCommands(program, run);

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof DomainError) print({ error: error.detail, code: publicCode(error.code) });
  else if (!(error instanceof CommanderError)) process.stderr.write(`${explainStartFailure(error)}\n`);
  process.exitCode = error instanceof CommanderError ? error.exitCode : 1;
}

function print(value: object): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}
