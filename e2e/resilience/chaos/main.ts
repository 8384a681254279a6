import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CitusCluster } from '../../../tools/testkit/citus-cluster.js';
import { makeCertificates } from '../../../tools/testkit/certificates.js';
import { prepareCluster, removeCluster } from '../../../tools/testkit/postgres.js';
import { StartError } from '../../../tools/testkit/program.js';
import { findRedis } from '../../../tools/testkit/redis.js';
import { optionsOf, usage, UsageError, type Options } from './options.js';
import { faultCountOf, textOf } from './report/report.js';
import { runChaos } from './run-chaos.js';

/** Postgres' log shows whether a request waited for a lock, a slow statement or a slow disk. */
const slowStatementsLogged = ['log_lock_waits=on', 'log_min_duration_statement=1000'];
const slowStatementsShown = 40;

const root = fileURLToPath(new URL('../../../..', import.meta.url));

try {
  const options = optionsOf(process.argv.slice(2), Date.now() % 2 ** 31);
  process.exit(await chaos(options));
} catch (error) {
  const isUsage = error instanceof UsageError;
  if (!isUsage && !(error instanceof StartError)) throw error;
  process.stderr.write(`${error.message}\n${isUsage ? `${usage}\n` : ''}`);
  process.exit(2);
}

/** Returns the exit code: 0 when every invariant held. Otherwise the logs are kept. */
async function chaos(options: Options): Promise<number> {
  // The run has its own stores, whatever DATABASE_URL and REDIS_URL say, because it kills them.
  if (!findRedis()) throw new StartError('The run needs a redis-server to kill: install it (apt-get or brew).');
  const logFolder = mkdtempSync(join(tmpdir(), 'pennytext-chaos-'));
  const dataFolder = mkdtempSync(join(tmpdir(), 'pennytext-chaos-data-'));
  // The user that Postgres runs as must get in.
  chmodSync(dataFolder, 0o755);
  const cluster = options.citus ? await CitusCluster.start(2) : undefined;
  const postgres =
    (await cluster?.handOver(1)) ??
    (await prepareCluster(dataFolder, ['max_connections=200', ...slowStatementsLogged]));
  const certificates = options.tls ? await makeCertificates(dataFolder) : undefined;
  const abort = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (abort.signal.aborted) process.exit(1);
      abort.abort(new Error('stopped by a signal'));
    });
  }
  console.log(`Seed ${options.seed}: ${options.seconds} s of load. Logs: ${logFolder}`);
  try {
    const findings = await runChaos({
      ...options,
      root,
      logFolder,
      postgres,
      nodes: cluster,
      certificates,
      signal: abort.signal,
      say,
    });
    const text = textOf(findings);
    console.log(`\n${text}`);
    const isGood = faultCountOf(findings) === 0;
    if (isGood) rmSync(logFolder, { recursive: true });
    else writeFileSync(join(logFolder, 'findings.txt'), `${text}\n\n${findings.tally.faults.join('\n')}\n`);
    if (!isGood) console.log(`${slowStatements(logFolder)}\nThe logs are in ${logFolder}`);
    return isGood ? 0 : 1;
  } catch (error) {
    console.error(abort.signal.aborted ? 'Stopped before the end.' : error);
    console.error(`The logs are in ${logFolder}`);
    return 1;
  } finally {
    await cluster?.stop();
    removeCluster(dataFolder);
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

function slowStatements(logFolder: string): string {
  const log = readFileSync(join(logFolder, 'postgres.log'), 'utf8').split('\n');
  const slow = log.filter((line) => /still waiting|duration:|deadlock detected/.test(line));
  const lines = slow.slice(0, slowStatementsShown).map((line) => `  ${line.slice(0, 300)}`);
  return [`Slow statements and waits for locks in Postgres' log: ${slow.length}`, ...lines].join('\n');
}

function say(text: string): void {
  console.log(`${new Date().toISOString().slice(11, 23)}  ${text}`);
}
