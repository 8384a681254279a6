import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { optionsOf, usage, UsageError, type Options } from './options.js';
import type { PostgresCommand } from './processes/postgres.js';
import { faultCountOf, textOf } from './report/report.js';
import { runChaos } from './run-chaos.js';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

try {
  const options = optionsOf(process.argv.slice(2), Date.now() % 2 ** 31);
  process.exit(await chaos(options, postgresOf(process.env)));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n${usage}\n`);
  process.exit(2);
}

/** Answers the exit code: 0 when everything held. The logs stay when something did not. */
async function chaos(options: Options, postgres: PostgresCommand): Promise<number> {
  const logFolder = mkdtempSync(join(tmpdir(), 'pennytext-chaos-'));
  const abort = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (abort.signal.aborted) process.exit(1);
      abort.abort(new Error('stopped by a signal'));
    });
  }
  console.log(`Seed ${options.seed}: ${options.seconds} s of load. Logs: ${logFolder}`);
  try {
    const findings = await runChaos({ ...options, root, logFolder, postgres, signal: abort.signal, say });
    const text = textOf(findings);
    console.log(`\n${text}`);
    const isGood = faultCountOf(findings) === 0;
    if (isGood) rmSync(logFolder, { recursive: true });
    else writeFileSync(join(logFolder, 'findings.txt'), `${text}\n\n${findings.tally.faults.join('\n')}\n`);
    if (!isGood) console.log(`The logs are in ${logFolder}`);
    return isGood ? 0 : 1;
  } catch (error) {
    console.error(abort.signal.aborted ? 'Stopped before the end.' : error);
    console.error(`The logs are in ${logFolder}`);
    return 1;
  }
}

function postgresOf({ CHAOS_POSTGRES }: NodeJS.ProcessEnv): PostgresCommand {
  if (!CHAOS_POSTGRES) throw new UsageError('There is no Postgres to kill here: start it with `npm run chaos`.');
  return JSON.parse(CHAOS_POSTGRES) as PostgresCommand;
}

function say(text: string): void {
  console.log(`${new Date().toISOString().slice(11, 23)}  ${text}`);
}
