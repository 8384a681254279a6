import { Queue } from 'bullmq';
import { ask } from '../../testkit/ask.js';
import { freePort } from '../../testkit/ports.js';
import type { Program } from '../../testkit/program.js';
import { until } from '../../testkit/until.js';
import type { Bench } from '../bench.js';
import { applyLoad, bodiesOf, warmUp, type Load, type LoadResult } from '../load.js';
import { BenchCarrier } from './carrier.js';
import { checkTotals, readTotals, withDatabase, type Prepared, type Totals, type Wanted } from './database.js';

const settleBoundMs = 120_000;
const probeBoundMs = 60_000;

/** The programs of the product over one database, started one by one as a measurement needs them. */
export class Product {
  readonly carrier: BenchCarrier;
  /** The dispatch queue. */
  readonly queue: Queue;
  readonly url: string;
  private readonly programs: Program[] = [];

  constructor(
    private readonly bench: Bench,
    readonly prepared: Prepared,
  ) {
    const { redisUrl, queuePrefix, serverUrl, sandboxUrl } = prepared.place;
    this.url = serverUrl;
    this.carrier = new BenchCarrier(sandboxUrl);
    const connection = { url: redisUrl, maxRetriesPerRequest: 1 };
    this.queue = new Queue('dispatch', { connection, prefix: `{${queuePrefix}}` });
  }

  startServer(): Promise<Program> {
    return this.start('server', `${this.url}/readyz`);
  }

  startWorker(): Promise<Program> {
    return this.start('worker', `${this.prepared.place.workerUrl}/readyz`);
  }

  /** Starts another worker, on another port. */
  async startAnotherWorker(): Promise<Program> {
    const port = String(await freePort());
    return this.start('worker', `http://127.0.0.1:${port}/readyz`, { WORKER_PORT: port });
  }

  startSandbox(): Promise<Program> {
    return this.start('sandbox', `${this.carrier.url}/_control/faults`);
  }

  /** Sends messages of these accounts, all by default. */
  send(load: Omit<Load, 'url' | 'bodies'>, apiKeys = this.prepared.apiKeys): Promise<LoadResult> {
    return applyLoad(this.bench, { url: `${this.url}/api/sendsms`, bodies: bodiesOf(apiKeys), ...load });
  }

  warmUp(): Promise<LoadResult> {
    return warmUp(this.bench, { url: `${this.url}/api/sendsms`, bodies: bodiesOf(this.prepared.apiKeys) });
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

  totals(): Promise<Totals> {
    return readTotals(this.prepared.client);
  }

  /** Jobs that have not ended. */
  queueSize(): Promise<number> {
    return this.queue.getJobCountByTypes('waiting', 'prioritized', 'delayed', 'active');
  }

  /** Waits, without a worker, until every accepted message is enqueued. Returns how long that took. */
  async untilAllEnqueued(): Promise<number> {
    const startedAtMs = Date.now();
    await this.untilEnqueued((await this.totals()).messages);
    return Date.now() - startedAtMs;
  }

  /** Waits, while no worker takes any, until this many messages are enqueued. */
  async untilEnqueued(count: number, timeoutMs = settleBoundMs): Promise<void> {
    await this.until(`${count} messages are enqueued`, async () => (await this.queueSize()) >= count, timeoutMs, 20);
  }

  /** Waits until at most this many messages are in the queue. */
  async untilQueued(count: number, timeoutMs = settleBoundMs): Promise<void> {
    await this.until(`${count} messages are left`, async () => (await this.queueSize()) <= count, timeoutMs, 200);
  }

  /** Waits until this many messages have reached the carrier. */
  async untilArrived(count: number, timeoutMs: number): Promise<void> {
    const isSo = async () => (await this.carrier.count()) >= count;
    await this.until(`${count} messages are at the carrier`, isSo, timeoutMs, 100);
  }

  /** Waits until every message is delivered, then checks that each was charged and sent exactly once. */
  async untilDelivered(): Promise<void> {
    const isDelivered = async () => {
      const { messages, delivered } = await this.totals();
      return delivered >= messages;
    };
    await this.until('every message is delivered', isDelivered, settleBoundMs, 500);
    await this.untilQueued(0);
    const { messages } = await this.totals();
    const arrivals = await this.carrier.arrivals();
    const distinct = new Set(arrivals.map(({ messageId }) => messageId)).size;
    this.bench.report.check(
      'each accepted message reached the carrier exactly once',
      arrivals.length === messages && distinct === messages,
      `${messages} accepted, ${arrivals.length} arrived, ${distinct} different`,
    );
    await this.checkCredits();
  }

  /** Checks that each message is charged once and every balance shows it. */
  async checkCredits(): Promise<void> {
    checkTotals(this.bench, await this.totals());
  }

  until<T>(what: string, look: () => Promise<T | false | undefined>, timeoutMs: number, everyMs: number): Promise<T> {
    return until(what, look, { timeoutMs, everyMs, signal: this.bench.signal });
  }

  /** Stops all programs in the order in which a message passes them. */
  async stop(): Promise<void> {
    await this.queue.close();
    for (const program of this.programs) await this.bench.children.stop(program);
  }

  private async start(name: string, readyUrl: string, env: Record<string, string> = {}): Promise<Program> {
    const spec = { name, file: `${name}/main.js`, env: { ...this.prepared.env, ...env } };
    const program = await this.bench.children.start(spec, readyUrl);
    this.programs.push(program);
    return program;
  }
}

/** Runs `work` with the product over a new database; stops and drops everything afterwards. */
export function withProduct<T>(bench: Bench, wanted: Wanted, work: (product: Product) => Promise<T>): Promise<T> {
  return withDatabase(bench, wanted, async (prepared) => {
    const product = new Product(bench, prepared);
    try {
      return await work(product);
    } finally {
      await product.stop();
    }
  });
}
