import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { StartError } from '../testkit/program.js';
import { Services } from '../testkit/services.js';
import { newSecrets, type Bench } from './bench.js';
import { Children } from './children.js';
import { optionsOf, usage, UsageError, type Options, type PartName } from './options.js';
import { measureAccept } from './parts/accept.js';
import { measurePlain, measureRaw } from './parts/baselines.js';
import { measureDashboard } from './parts/dashboard.js';
import { measureCarrier, measureFairness, measureLive } from './parts/dispatch.js';
import { measureHistory } from './parts/history.js';
import { measureMemory } from './parts/memory.js';
import { measureOtp } from './parts/otp.js';
import { measurePages } from './parts/pages.js';
import { measureScaling } from './parts/scaling.js';
import { measureStorage } from './parts/storage.js';
import { measureWebhooks } from './parts/webhooks.js';
import { connect } from './product/database.js';
import { Report } from './report.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const cleanUpBoundMs = 14_000;

const parts: Record<PartName, (bench: Bench) => Promise<void>> = {
  accept: measureAccept,
  plain: measurePlain,
  raw: measureRaw,
  carrier: measureCarrier,
  scaling: measureScaling,
  live: measureLive,
  fairness: measureFairness,
  otp: measureOtp,
  webhooks: measureWebhooks,
  dashboard: measureDashboard,
  memory: measureMemory,
  pages: measurePages,
  history: measureHistory,
  storage: measureStorage,
};

process.exitCode = await main();

async function main(): Promise<number> {
  // In the repository, as /tmp may be memory: writes must reach a disk.
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

/** Returns the exit code: 0 also when a goal is missed, as figures depend on the machine; 1 when something broke. */
async function measure(options: Options, services: Bench['services']): Promise<number> {
  const report = new Report(await describeMachine(services));
  const logFolder = mkdtempSync(join(tmpdir(), 'pennytext-bench-'));
  const abort = new AbortController();
  const children = new Children(root, logFolder, report, abort.signal);
  stopOnSignals(abort);
  const bench: Bench = { options, services, secrets: newSecrets(), children, report, signal: abort.signal };
  let fault: unknown;
  try {
    for (const name of options.only) {
      report.begin(name);
      await parts[name](bench);
    }
  } catch (error) {
    fault = error;
  } finally {
    await children.stopAll();
  }
  process.stdout.write(`\n${report.toText()}\n`);
  if (options.jsonFile !== undefined) writeFileSync(options.jsonFile, report.toJson());
  const isStopped = abort.signal.aborted;
  const isWhole = fault === undefined && report.isSound;
  if (isStopped) process.stderr.write('Stopped before the end.\n');
  else if (fault !== undefined) console.error(fault);
  if (isWhole || isStopped) rmSync(logFolder, { recursive: true });
  else process.stderr.write(`The programs' logs are in ${logFolder}\n`);
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

/** Describes the machine, the versions and the durability of the stores. */
async function describeMachine({ databaseUrl, redisUrl }: Bench['services']): Promise<Record<string, string>> {
  const [processor] = cpus();
  const load = loadavg();
  const isBusy = (load[0] ?? 0) > cpus().length / 4;
  return {
    machine: `${cpus().length} × ${processor?.model ?? 'unknown'}, ${Math.round(totalmem() / 1e9)} GB`,
    load: `${load.map((average) => average.toFixed(2)).join(' ')}${isBusy ? ': BUSY before the bench began, so figures are too low and ratios doubtful' : ''}`,
    node: process.version,
    postgres: await describePostgres(databaseUrl),
    redis: await describeRedis(redisUrl),
  };
}

async function describePostgres(url: string): Promise<string> {
  const client = await connect(url);
  try {
    const { rows } = await client.query<Record<string, string>>(
      `SELECT current_setting('server_version') AS version, current_setting('fsync') AS fsync,
         current_setting('synchronous_commit') AS synchronous_commit, current_setting('shared_buffers') AS shared_buffers`,
    );
    const { version = 'unknown', ...settings } = rows[0] ?? {};
    return [version, ...Object.entries(settings).map(([name, setting]) => `${name} ${setting}`)].join(', ');
  } finally {
    await client.end();
  }
}

async function describeRedis(url: string): Promise<string> {
  const redis = new Redis(url, { maxRetriesPerRequest: 1, lazyConnect: true });
  await redis.connect();
  try {
    const info = await redis.info();
    const field = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? 'unknown';
    return `${field('redis_version')}, append only file ${field('aof_enabled') === '1' ? 'on' : 'off'}`;
  } finally {
    redis.disconnect();
  }
}
