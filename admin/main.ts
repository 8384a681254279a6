import 'reflect-metadata';
import { CommanderError } from 'commander';
import { Config } from '#core/platform/config/config.js';
import { loadEnv } from '#core/platform/config/env.js';
import { explainStartFailure } from '#core/platform/health/lifecycle.js';
import { refusalOf } from './command-line.js';
import { operatorProgram } from './commands.js';
import { runnerOver } from './run.js';

const program = operatorProgram((work, operator) => runnerOver(new Config(loadEnv()), print)(work, operator));
try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = error instanceof CommanderError ? error.exitCode : 1;
  const refusal = refusalOf(error);
  if (refusal) print(refusal);
  else if (!(error instanceof CommanderError)) process.stderr.write(`${explainStartFailure(error)}\n`);
}
// A client of a Redis Cluster that is closed while it connects keeps a timer, which would keep this
// process running (ioredis 5.11).
process.exit();

function print(value: object): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}
