import { Command, CommanderError } from 'commander';
import { NestFactory } from '@nestjs/core';
import type { Config } from '#core/platform/config/config.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { Logger } from '#core/platform/telemetry/logger.js';
import { testOperator } from '#core/testing/operator-credits.js';
import { AdminModule } from '../admin.module.js';
import { addCommands } from '../commands.js';

/**
 * Runs a command of an operator in the real container, as the program does; returns what it prints.
 * Rejects with the error of a refused or mistyped command.
 */
export async function runAdmin(config: Config, words: readonly string[], operator = testOperator): Promise<unknown> {
  let answer: object | undefined;
  const quiet = { writeErr: () => undefined, writeOut: () => undefined };
  const program = new Command('admin').exitOverride().configureOutput(quiet);
  addCommands(program, async (work, name) => {
    const module = AdminModule.of(config, Logger.silent(), name);
    const app = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
    try {
      answer = await work(app);
    } finally {
      await app.close();
    }
  });
  await program.parseAsync(['--as', operator, ...words], { from: 'user' });
  if (!answer) throw new Error('The command printed nothing');
  return JSON.parse(JSON.stringify(answer));
}

/** Returns the code of the error by which a command is refused; 'none' if it is not. */
export function refusalOf(running: Promise<unknown>): Promise<string> {
  return running.then(
    () => 'none',
    (error: unknown) => (error instanceof DomainError || error instanceof CommanderError ? error.code : String(error)),
  );
}
