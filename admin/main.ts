import 'reflect-metadata';
import { createInterface } from 'node:readline';
import { CommanderError } from 'commander';
import { Config } from '#core/platform/config/config.js';
import { loadEnv } from '#core/platform/config/env.js';
import { explainStartFailure } from '#core/platform/process/lifecycle.js';
import { refusalOf, type Run } from './command-line.js';
import { sharedWordsOf, wordsOf } from './command-lines.js';
import { operatorProgram } from './commands.js';
import { runnerOver, sharedRunnerOver } from './run.js';

const words = process.argv.slice(2);
const sharedWords = sharedWordsOf(words);
if (sharedWords) await runLines(sharedWords);
else
  await runCommand(
    (work, operator) => runnerOver(new Config(loadEnv()), print)(work, operator),
    () => words,
  );
// A client of a Redis Cluster that is closed while it connects keeps a timer, which would keep this
// process running (ioredis 5.11).
process.exit();

/**
 * Runs the command of each line of standard input, also after a failure, which the exit code
 * reports.
 */
async function runLines(shared: readonly string[]): Promise<void> {
  let runner: ReturnType<typeof sharedRunnerOver> | undefined;
  const run: Run = (work, operator) => {
    runner ??= sharedRunnerOver(new Config(loadEnv()), print);
    return runner.run(work, operator);
  };
  for await (const line of createInterface({ input: process.stdin }))
    await runCommand(run, () => {
      const own = wordsOf(line);
      return own.length === 0 ? [] : [...shared, ...own];
    });
  await runner?.close();
}

/**
 * Sets the exit code, and prints why, when the command is refused or fails. An empty line does
 * nothing.
 */
async function runCommand(run: Run, wordsOfCommand: () => readonly string[]): Promise<void> {
  try {
    const own = wordsOfCommand();
    if (own.length > 0 || !sharedWords) await operatorProgram(run).parseAsync(own, { from: 'user' });
  } catch (error) {
    // A line that asks for help does not clear the failure of another line.
    process.exitCode = (error instanceof CommanderError ? error.exitCode : 1) || (process.exitCode ?? 0);
    const refusal = refusalOf(error);
    if (refusal) print(refusal);
    else if (!(error instanceof CommanderError)) process.stderr.write(`${explainStartFailure(error)}\n`);
  }
}

function print(value: object): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}
