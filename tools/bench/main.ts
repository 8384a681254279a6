import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { query } from '../testkit/postgres.js';
import { run, StartError } from '../testkit/program.js';
import { Services } from '../testkit/services.js';
import { newSecrets, type Bench } from './bench.js';
import { Children } from './children.js';
import { optionsOf, usage, UsageError, type Options, type PartName } from './options.js';
import { measureAccept } from './parts/accept.js';
import { measureBulk } from './parts/bulk.js';
import { measureCitus } from './parts/citus.js';
import { measureCost } from './parts/cost.js';
import { measureDashboard } from './parts/dashboard.js';
import { measureCarrier, measureFairness, measureLive } from './parts/dispatch.js';
import { measureMedia } from './parts/media.js';
import { measureMemory } from './parts/memory.js';
import { measureOtp } from './parts/otp.js';
import { measurePages } from './parts/pages.js';
import { measurePeers } from './parts/peers.js';
import { measureScaling } from './parts/scaling.js';
import { measureSchedule } from './parts/schedule.js';
import { measureSmpp } from './parts/smpp.js';
import { measureStorage } from './parts/storage.js';
import { measureTurns } from './parts/turns.js';
import { measureWebhooks } from './parts/webhooks.js';
import { Report } from './report.js';
import { redisInfo } from './resources.js';
import { writeResults } from './results.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const cleanUpBoundMs = 14_000;
const BUSY = ': BUSY before the bench began, so figures are too low and ratios doubtful';
const gitBoundMs = 10_000;

/** Parts that measure one checkout; `turns` measures two at the same time. */
const parts: Record<Exclude<PartName, 'turns'>, (bench: Bench) => Promise<void>> = {
  accept: measureAccept,
  bulk: measureBulk,
  cost: measureCost,
  carrier: measureCarrier,
  smpp: measureSmpp,
  scaling: measureScaling,
  schedule: measureSchedule,
  live: measureLive,
  fairness: measureFairness,
  otp: measureOtp,
  webhooks: measureWebhooks,
  dashboard: measureDashboard,
  memory: measureMemory,
  media: measureMedia,
  pages: measurePages,
  storage: measureStorage,
  peers: measurePeers,
  citus: measureCitus,
};

process.exitCode = await main();

async function main(): Promise<number> {
  // The folder is in the repository, as /tmp may be memory: writes must reach a disk.
  const folder = join(root, '.data', 'bench');
  const own = new Services(folder, true);
  try {
    const options = optionsOf(process.argv.slice(2));
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const { DATABASE_URL: databaseUrl = '', REDIS_URL: redisUrl = '' } = await own.environment();
    return await measure(options, { databaseUrl, redisUrl });
  } catch (error) {
    if (!(error instanceof UsageError) && !(error instanceof StartError)) throw error;
    process.stderr.write(`${error.message}\n${error instanceof UsageError ? `${usage}\n` : ''}`);
    return 2;
  } finally {
    await own.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Returns the exit code: 0 also when a goal is missed, as figures depend on the machine; 1 when
 * something broke.
 */
async function measure(options: Options, services: Bench['services']): Promise<number> {
  const machine = await describeMachine(options, services);
  const report = new Report(machine);
  const logs = mkdtempSync(join(tmpdir(), 'pennytext-bench-'));
  const abort = new AbortController();
  stopOnSignals(abort);
  const benchOf = (product: string): Bench => {
    const children = new Children({ bench: root, product, logs }, report, abort.signal);
    return { options, services, secrets: newSecrets(), children, report, signal: abort.signal };
  };
  const now = benchOf(root);
  const before = options.against === undefined ? undefined : benchOf(resolve(options.against));
  let fault: unknown;
  try {
    for (const name of options.only) {
      for (let round = 0; round < options.rounds; round += 1) {
        if (name === 'turns') {
          report.begin(name);
          if (before) await measureTurns(now, before);
          continue;
        }
        if (before) report.begin(name, 'before');
        if (before) await parts[name](before);
        report.begin(name);
        await parts[name](now);
      }
    }
  } catch (error) {
    fault = error;
  } finally {
    await Promise.all([now.children.stopAll(), before?.children.stopAll()]);
  }
  process.stdout.write(`\n${report.toText()}\n`);
  const isStopped = abort.signal.aborted;
  const isWhole = fault === undefined && report.isSound;
  if (isWhole && options.json !== undefined) writeResults(options.json, machine, report.figures);
  if (isStopped) process.stderr.write('Stopped before the end.\n');
  else if (fault instanceof StartError) process.stderr.write(`${fault.message}\n`);
  else if (fault !== undefined) console.error(fault);
  if (isWhole || isStopped) rmSync(logs, { recursive: true });
  else process.stderr.write(`The programs' logs are in ${logs}\n`);
  return isWhole ? 0 : 1;
}

/** Ends the run and cleans up at the first signal; a second signal exits at once. */
function stopOnSignals(abort: AbortController): void {
  // This also kills the children.
  const giveUp = () => process.exit(1);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (abort.signal.aborted) return giveUp();
      abort.abort(new Error('stopped by a signal'));
      setTimeout(giveUp, cleanUpBoundMs).unref();
    });
  }
}

/** Describes the machine, the versions, the durability of the stores and the size of the run. */
async function describeMachine(
  { seconds, messages, rounds, against }: Options,
  { databaseUrl, redisUrl }: Bench['services'],
): Promise<Record<string, string>> {
  const [processor] = cpus();
  const load = loadavg();
  const isBusy = (load[0] ?? 0) > cpus().length / 4;
  const [postgres] = await query<Record<string, string>>(
    databaseUrl,
    `SELECT current_setting('server_version') AS version, current_setting('fsync') AS fsync,
       current_setting('synchronous_commit') AS synchronous_commit,
         current_setting('shared_buffers') AS shared_buffers`,
  );
  const redis = await redisInfo(redisUrl);
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: await commitOf(root),
    ...(against !== undefined && { before: await commitOf(against) }),
    machine: `${cpus().length} × ${processor?.model ?? 'unknown'}, ${Math.round(totalmem() / 1e9)} GB`,
    load: `${load.map((average) => average.toFixed(2)).join(' ')}${isBusy ? BUSY : ''}`,
    node: process.version,
    postgres: Object.entries(postgres ?? {})
      .map((setting) => setting.join(' '))
      .join(', '),
    redis: `version ${redis('redis_version')}, append only file ${redis('aof_enabled') === '1' ? 'on' : 'off'}`,
    size: `${seconds} s, ${messages} messages, ${rounds === 1 ? 'one round' : `best of ${rounds} rounds`}`,
  };
}

/** The commit of a checkout; `unknown` where there is no git. */
async function commitOf(folder: string): Promise<string> {
  const args = ['-C', folder, 'describe', '--always', '--dirty'];
  const { code, output } = await run('git', args, { timeoutMs: gitBoundMs });
  return code === 0 ? output.trim() : 'unknown';
}
