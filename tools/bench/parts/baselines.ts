import type { Bench } from '../bench.js';
import { applyLoad, bodiesOf, warmUp } from '../load.js';
import { checkTotals, readTotals, withDatabase, type Prepared } from '../product/database.js';
import type { AcceptanceJob, AcceptanceResult } from '../tasks/acceptance.js';
import type { QueueJob, QueueResult } from '../tasks/queue.js';

const accounts = 100;
const jobs = 50_000;
const marginMs = 30_000;
const queueBoundMs = 120_000;

/** Acceptance as a first version would do it: one transaction for each request, through TypeORM. See tasks/plain.ts. */
export function measurePlain(bench: Bench): Promise<void> {
  return withDatabase(bench, { accounts }, async (prepared) => {
    await measureServer(bench, prepared, 'plain', [
      ['1 account', prepared.apiKeys.slice(0, 1)],
      [`${accounts} accounts`, prepared.apiKeys],
    ]);
    checkTotals(bench, await readTotals(prepared.client));
  });
}

/** What the pieces do alone: no sum of them can be faster. */
export function measureRaw(bench: Bench): Promise<void> {
  return withDatabase(bench, { accounts }, async (prepared) => {
    await measureServer(bench, prepared, 'empty-handler', [['empty handler', prepared.apiKeys]]);
    await measureAcceptance(bench, prepared, 1);
    await measureAcceptance(bench, prepared, accounts);
    await measureQueue(bench, prepared);
  });
}

type Runs = readonly (readonly [name: string, apiKeys: readonly string[]])[];

/** Starts one of the tasks that listen on the server's port and measures POST /api/sendsms with the keys of each run. */
async function measureServer(bench: Bench, { place, env, apiKeys }: Prepared, name: string, runs: Runs): Promise<void> {
  const spec = { name, file: `tools/bench/tasks/${name}.js`, env };
  const program = await bench.children.start(spec, `${place.serverUrl}/healthz`);
  try {
    const url = `${place.serverUrl}/api/sendsms`;
    await warmUp(bench, { url, bodies: bodiesOf(apiKeys) });
    for (const [figure, keys] of runs) {
      const load = await applyLoad(bench, { url, bodies: bodiesOf(keys), seconds: bench.options.seconds });
      const { perSecond, p50Ms, p99Ms, refused, broken } = load;
      bench.report.figure(figure, perSecond, 'per second', { p50Ms, p99Ms });
      bench.report.check('nothing is refused', refused + broken === 0, JSON.stringify(load));
    }
  } finally {
    await bench.children.stop(program);
  }
}

async function measureAcceptance(bench: Bench, { place, apiKeys }: Prepared, count: number): Promise<void> {
  const job: AcceptanceJob = {
    databaseUrl: place.databaseUrl,
    hashSecret: bench.secrets.apiKeyHashSecret.toString('base64'),
    apiKeys: apiKeys.slice(0, count),
    seconds: bench.options.seconds,
    batch: 50,
    inFlight: 3,
  };
  const boundMs = job.seconds * 1_000 + marginMs;
  const { accepted, seconds } = await bench.children.ask<AcceptanceResult>('acceptance', job, boundMs);
  const name = `acceptance statement, ${count} account${count === 1 ? '' : 's'}`;
  const note = `batches of ${job.batch}, ${job.inFlight} in flight, through pg`;
  bench.report.figure(name, accepted / seconds, 'per second', { note });
}

async function measureQueue({ report, children }: Bench, { place }: Prepared): Promise<void> {
  const { redisUrl, queuePrefix } = place;
  const job: QueueJob = { redisUrl, prefix: `{${queuePrefix}}`, jobs, batch: 100, inFlight: 2, concurrency: 100 };
  const { addSeconds, processSeconds } = await children.ask<QueueResult>('queue', job, queueBoundMs);
  const note = `${jobs} prioritized jobs, ${job.batch} at a time`;
  report.figure('BullMQ add', jobs / addSeconds, 'per second', { note });
  const processNote = `jobs that do nothing, ${job.concurrency} at a time`;
  report.figure('BullMQ process', jobs / processSeconds, 'per second', { note: processNote });
}
