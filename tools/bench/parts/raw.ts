import type { Bench } from '../bench.js';
import { bodiesOf } from '../load/bodies.js';
import { applyLoad, warmUp } from '../load/load.js';
import { serverUrlOf } from '../processes/environment.js';
import { withDatabase, type Prepared } from '../product/database.js';
import type { AdmissionJob, AdmissionResult } from '../raw/admission/admission-job.js';
import type { QueueJob, QueueResult } from '../raw/queue/queue-job.js';

const part = 'raw';
const accounts = 100;
const jobs = 50_000;
const marginMs = 30_000;
const queueBoundMs = 120_000;

/** What the pieces do when nothing else is in their way: no sum of them can be faster. */
export function measureRaw(bench: Bench): Promise<void> {
  return withDatabase(bench, { accounts }, async (prepared) => {
    await measureEmptyHandler(bench, prepared);
    await measureAdmission(bench, prepared, 1);
    await measureAdmission(bench, prepared, accounts);
    await measureQueue(bench, prepared);
  });
}

async function measureEmptyHandler(bench: Bench, { place, env, apiKeys }: Prepared): Promise<void> {
  const url = serverUrlOf(place);
  const spec = { name: 'empty-handler', file: 'tools/bench/raw/empty-handler/main.js', env };
  const program = await bench.children.start(spec, [`${url}/healthz`]);
  try {
    const target = { url: `${url}/api/sendsms`, bodies: bodiesOf(apiKeys) };
    await warmUp(bench, target);
    const { perSecond, p50Ms, p99Ms } = await applyLoad(bench, { ...target, seconds: bench.options.seconds });
    const note = 'Nest on Fastify, POST of JSON';
    bench.report.figure({ part, name: 'empty handler', value: perSecond, unit: 'per second', p50Ms, p99Ms, note });
  } finally {
    await program.stop();
  }
}

async function measureAdmission(bench: Bench, { place, env, apiKeys }: Prepared, count: number): Promise<void> {
  const job: AdmissionJob = {
    databaseUrl: place.databaseUrl,
    hashSecret: bench.secrets.apiKeyHashSecret.toString('base64'),
    apiKeys: apiKeys.slice(0, count),
    seconds: bench.options.seconds,
    batch: 50,
    inFlight: 3,
  };
  const { accepted, seconds } = await bench.children.ask<AdmissionResult>(
    { name: 'admission', file: 'tools/bench/raw/admission/main.js', env },
    job,
    job.seconds * 1_000 + marginMs,
  );
  const name = `admission statement, ${count} account${count === 1 ? '' : 's'}`;
  const note = `batches of ${job.batch}, ${job.inFlight} in flight, through pg`;
  bench.report.figure({ part, name, value: accepted / seconds, unit: 'per second', note });
}

async function measureQueue(bench: Bench, { place, env }: Prepared): Promise<void> {
  const job: QueueJob = {
    redisUrl: place.redisUrl,
    prefix: `{${place.queuePrefix}}`,
    jobs,
    batch: 100,
    inFlight: 2,
    concurrency: 100,
  };
  const spec = { name: 'queue', file: 'tools/bench/raw/queue/main.js', env };
  const { addSeconds, processSeconds } = await bench.children.ask<QueueResult>(spec, job, queueBoundMs);
  const addNote = `${job.jobs} prioritised jobs, ${job.batch} at a time`;
  bench.report.figure({ part, name: 'BullMQ add', value: jobs / addSeconds, unit: 'per second', note: addNote });
  const processNote = `jobs that do nothing, ${job.concurrency} at a time`;
  bench.report.figure({
    part,
    name: 'BullMQ process',
    value: jobs / processSeconds,
    unit: 'per second',
    note: processNote,
  });
}
