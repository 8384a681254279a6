import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartError } from '../testkit/program.js';
import { Services as OwnServices } from '../testkit/services.js';
import type { Bench } from './bench.js';
import { describeMachine } from './machine.js';
import { optionsOf, usage, UsageError, type Options, type PartName } from './options.js';
import { measureAccept } from './parts/accept.js';
import { measureCarrier } from './parts/carrier.js';
import { measureDashboard } from './parts/dashboard.js';
import { measureFairness } from './parts/fairness.js';
import { measureHistory } from './parts/history.js';
import { measureLive } from './parts/live.js';
import { measureMemory } from './parts/memory.js';
import { measureOtp } from './parts/otp.js';
import { measurePages } from './parts/pages.js';
import { measurePlain } from './parts/plain.js';
import { measureRaw } from './parts/raw.js';
import { measureScaling } from './parts/scaling.js';
import { measureStorage } from './parts/storage.js';
import { measureWebhooks } from './parts/webhooks.js';
import { Children } from './processes/children.js';
import { newSecrets, type Services } from './processes/environment.js';
import { Report } from './report/report.js';

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
  // In the repository rather than in /tmp, which may be memory: what is measured must reach a disk.
  const folder = join(root, '.data', 'bench');
  const own = new OwnServices(folder, true);
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
async function measure(options: Options, services: Services): Promise<number> {
  const report = new Report(await describeMachine(services));
  const logFolder = mkdtempSync(join(tmpdir(), 'pennytext-bench-'));
  const abort = new AbortController();
  const children = new Children(root, logFolder, abort.signal);
  stopOnSignals(abort);
  const bench: Bench = { options, services, secrets: newSecrets(), children, report, signal: abort.signal };
  let fault: unknown;
  try {
    for (const name of options.only) {
      report.progress(`${name} …`);
      await parts[name](bench);
    }
  } catch (error) {
    fault = error;
  } finally {
    await children.stopAll();
  }
  // What was measured until then is worth showing.
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

/** The first signal ends what runs, and everything is cleaned up on the way out; a second one does not wait for that. */
function stopOnSignals(abort: AbortController): void {
  // The children are killed with it.
  const giveUp = () => process.exit(1);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (abort.signal.aborted) return giveUp();
      abort.abort(new Error('stopped by a signal'));
      setTimeout(giveUp, cleanUpBoundMs).unref();
    });
  }
}
