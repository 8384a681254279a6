import { randomUUID } from 'node:crypto';
import { Queue, Worker } from 'bullmq';
import { answerOneJob } from '../children.js';

export interface QueueJob {
  readonly redisUrl: string;
  readonly prefix: string;
  readonly jobs: number;
  /** Jobs per call. */
  readonly batch: number;
  readonly inFlight: number;
  /** Jobs processed concurrently. */
  readonly concurrency: number;
}

export interface QueueResult {
  readonly addSeconds: number;
  readonly processSeconds: number;
}

const name = 'alone';

answerOneJob(async (job: QueueJob): Promise<QueueResult> => {
  const addSeconds = await secondsOf(() => add(job));
  const processSeconds = await secondsOf(() => processAll(job));
  return { addSeconds, processSeconds };
});

/** Adds jobs like the product's to a queue without a worker. */
async function add({ redisUrl, prefix, jobs, batch, inFlight }: QueueJob): Promise<void> {
  const queue = new Queue(name, { connection: { url: redisUrl }, prefix });
  let added = 0;
  const lane = async () => {
    while (added < jobs) {
      const count = Math.min(batch, jobs - added);
      const first = added + 1;
      added += count;
      await queue.addBulk(Array.from({ length: count }, (_, index) => jobOf(first + index)));
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  await queue.close();
}

function jobOf(priority: number) {
  const id = randomUUID();
  return {
    name,
    data: { messageId: id },
    opts: { jobId: id, priority, attempts: 8, removeOnComplete: true, removeOnFail: true },
  };
}

/** Runs one worker that does nothing with each job. */
async function processAll({ redisUrl, prefix, jobs, concurrency }: QueueJob): Promise<void> {
  let done = 0;
  const worker = new Worker(name, async () => undefined, {
    connection: { url: redisUrl, maxRetriesPerRequest: null },
    prefix,
    concurrency,
  });
  await new Promise<void>((resolve, reject) => {
    worker.on('completed', () => {
      done += 1;
      if (done === jobs) resolve();
    });
    worker.on('error', reject);
  });
  await worker.close();
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const startedAtMs = performance.now();
  await work();
  return (performance.now() - startedAtMs) / 1_000;
}
