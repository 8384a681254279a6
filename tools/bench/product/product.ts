import { resolve } from 'node:path';
import { Queue } from 'bullmq';
import { ask } from '../../testkit/ask.js';
import { arrivalsInvariant } from '../../testkit/invariants.js';
import { freePort } from '../../testkit/ports.js';
import type { Program } from '../../testkit/program.js';
import { until } from '../../testkit/until.js';
import type { Bench } from '../bench.js';
import { applyLoad, bodiesOf, type Load, type LoadResult } from '../load.js';
import { BenchCarrier } from './carrier.js';
import { checkCredits, readTotals, withDatabase, type Prepared, type Wanted } from './database.js';

const settleBoundMs = 600_000;
const probeBoundMs = 60_000;
const warmUpSeconds = 3;

/** The data of a job, which names many messages; in earlier releases, one. */
interface QueuedMessages {
  readonly messages?: readonly unknown[];
}

/**
 * The programs of the product over one database, started one by one as a measurement needs them.
 */
export class Product {
  readonly carrier: BenchCarrier;
  /** The dispatch queue that all carriers share. */
  readonly shared: Queue<QueuedMessages>;
  /** The shared queue, and a queue of each carrier that a single worker is connected to. */
  private readonly queues: readonly Queue<QueuedMessages>[];
  readonly url: string;
  /** Address at which the worker that was started last answers the operator. */
  workerUrl = '';
  private readonly programs: Program[] = [];

  constructor(
    private readonly bench: Bench,
    readonly prepared: Prepared,
  ) {
    const { redisUrl, queuePrefix, serverUrl, sandboxUrl } = prepared.place;
    this.url = serverUrl;
    this.carrier = new BenchCarrier(sandboxUrl);
    const connection = { url: redisUrl, maxRetriesPerRequest: 1 };
    const binds = JSON.parse(prepared.env.SMPP_BINDS ?? '[]') as readonly { readonly name: string }[];
    const queueOf = (name: string) => new Queue<QueuedMessages>(name, { connection, prefix: `{${queuePrefix}}` });
    this.shared = queueOf('dispatch');
    this.queues = [this.shared, ...binds.map(({ name }) => queueOf(`dispatch-${name}`))];
  }

  startServer(): Promise<Program> {
    return this.start('server', `${this.url}/readyz`);
  }

  async startWorker(): Promise<Program> {
    const port = String(await freePort());
    this.workerUrl = `http://127.0.0.1:${port}`;
    return this.start('worker', `${this.workerUrl}/readyz`, { WORKER_PORT: port });
  }

  startSandbox(): Promise<Program> {
    return this.start('sandbox', `${this.carrier.url}/_control/faults`);
  }

  /** Sends messages of these accounts, all by default. */
  send(load: Partial<Load>, apiKeys = this.prepared.apiKeys): Promise<LoadResult> {
    return applyLoad(this.bench, { url: `${this.url}/api/sendsms`, bodies: bodiesOf(apiKeys), ...load });
  }

  /** Lets programs compile and pools fill before the measurement. */
  warmUp(): Promise<LoadResult> {
    return this.send({ seconds: Math.min(warmUpSeconds, this.bench.options.seconds) });
  }

  /** Sends one message by this path and returns the time until it arrives at the carrier. */
  async timeToCarrier(
    path: string,
    body: { readonly to: string; readonly [field: string]: string | undefined },
  ): Promise<number> {
    const sentAtMs = Date.now();
    await ask(`${this.url}${path}`, body, probeBoundMs);
    const arrived = async () => (await this.carrier.arrivals(body.to))[0];
    const { arrivedAtMs } = await this.until(`a message arrives at ${body.to}`, arrived, probeBoundMs, 20);
    return arrivedAtMs - sentAtMs;
  }

  async countMessages(): Promise<number> {
    return (await readTotals(this.prepared.client)).messages;
  }

  /** Number of accepted messages that have not reached the carrier. */
  async countWaiting(): Promise<number> {
    return (await this.countMessages()) - (await this.carrier.count());
  }

  /**
   * Waits, without a worker, until every accepted message is enqueued. Returns how long that took.
   */
  async untilAllEnqueued(): Promise<number> {
    const startedAtMs = Date.now();
    await this.untilEnqueued(await this.countMessages());
    return Date.now() - startedAtMs;
  }

  /** Waits, while no worker takes any, until this many messages are enqueued. */
  async untilEnqueued(count: number, timeoutMs = settleBoundMs): Promise<void> {
    const isSo = async () => {
      const jobs = await this.ofQueues((queue) => queue.getJobs(['waiting', 'prioritized', 'delayed']));
      return jobs.flat().reduce((sum, { data }) => sum + (data.messages?.length ?? 1), 0) >= count;
    };
    // Each look reads every job.
    await this.until(`${count} messages are enqueued`, isSo, timeoutMs, 250 + count / 100);
  }

  /** Waits until this many messages have reached the carrier. */
  async untilArrived(count: number, timeoutMs: number): Promise<void> {
    const isSo = async () => (await this.carrier.count()) >= count;
    await this.until(`${count} messages are at the carrier`, isSo, timeoutMs, 100);
  }

  /** Waits until every message is delivered and the queue is empty. */
  async untilSettled(): Promise<void> {
    const isDelivered = async () => {
      const { messages, delivered } = await readTotals(this.prepared.client);
      return delivered >= messages;
    };
    await this.until('every message is delivered', isDelivered, settleBoundMs, 500);
    const isEmpty = async () => {
      const counts = await this.ofQueues((queue) =>
        queue.getJobCountByTypes('waiting', 'prioritized', 'delayed', 'active'),
      );
      return counts.every((count) => count === 0);
    };
    await this.until('the queues are empty', isEmpty, settleBoundMs, 200);
  }

  /**
   * Waits until every message is delivered, then checks that each was charged and sent exactly
   * once.
   */
  async untilDelivered(): Promise<void> {
    await this.untilSettled();
    const messages = await this.countMessages();
    const arrivedIds = (await this.carrier.arrivals()).map(({ messageId }) => messageId);
    const { title, broken } = arrivalsInvariant(messages, arrivedIds);
    this.bench.report.check(title, broken.length === 0, broken.join() || `${messages} accepted and arrived`);
    await this.checkCredits();
  }

  /** Checks that each message is charged once and every balance shows it. */
  checkCredits(): Promise<void> {
    return checkCredits(this.bench, this.prepared.client);
  }

  until<T>(
    what: string,
    look: () => Promise<T | false | undefined> | T | false | undefined,
    timeoutMs: number,
    everyMs: number,
  ): Promise<T> {
    return until(what, look, { timeoutMs, everyMs, signal: this.bench.signal });
  }

  /** Stops all programs in the order in which a message passes them. */
  async stop(): Promise<void> {
    await this.ofQueues((queue) => queue.close());
    for (const program of this.programs) await this.bench.children.stop(program);
  }

  private ofQueues<T>(work: (queue: Queue<QueuedMessages>) => Promise<T>): Promise<T[]> {
    return Promise.all(this.queues.map(work));
  }

  private async start(name: string, readyUrl: string, env: Record<string, string> = {}): Promise<Program> {
    const { profile } = this.bench.options;
    const nodeArgs = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${resolve(profile)}`];
    const spec = { name, file: `${name}/main.js`, env: { ...this.prepared.env, ...env }, nodeArgs };
    const program = await this.bench.children.start(spec, readyUrl);
    this.programs.push(program);
    return program;
  }
}

/** Runs `work` with the product over a new database; stops and drops everything afterwards. */
export function withProduct(bench: Bench, wanted: Wanted, work: (product: Product) => Promise<void>): Promise<void> {
  return withDatabase(bench, wanted, async (prepared) => {
    const product = new Product(bench, prepared);
    try {
      await work(product);
    } finally {
      await product.stop();
    }
  });
}
