import type { Bench } from '../bench.js';
import type { Program } from '../processes/children.js';
import { sandboxUrlOf, serverUrlOf, workerUrlOf } from '../processes/environment.js';
import { freePorts } from '../../testkit/ports.js';
import { waitUntil } from '../processes/children.js';
import { isBalanced, readBooks, type Books } from './books.js';
import { CarrierView } from './carrier.js';
import { withDatabase, type Prepared } from './database.js';
import { DispatchQueueView } from './dispatch-queue.js';

const settleBoundMs = 120_000;

/** The programs of the product over one database, started one by one as a measurement needs them. */
export class Product {
  readonly carrier: CarrierView;
  readonly queue: DispatchQueueView;
  readonly sendUrl: string;
  private readonly programs: Program[] = [];

  constructor(
    private readonly bench: Bench,
    readonly prepared: Prepared,
  ) {
    this.carrier = new CarrierView(prepared.place);
    this.queue = new DispatchQueueView(prepared.place);
    this.sendUrl = `${serverUrlOf(prepared.place)}/api/sendsms`;
  }

  startServer(): Promise<Program> {
    return this.start('server', serverUrlOf(this.prepared.place), '/readyz');
  }

  startWorker(): Promise<Program> {
    return this.start('worker', workerUrlOf(this.prepared.place), '/readyz');
  }

  /** Another worker, on another port. */
  async startAnotherWorker(): Promise<Program> {
    const [port = 0] = await freePorts(1);
    return this.start('worker', `http://127.0.0.1:${port}`, '/readyz', { WORKER_PORT: String(port) });
  }

  startSandbox(): Promise<Program> {
    return this.start('sandbox', sandboxUrlOf(this.prepared.place), '/_control/faults');
  }

  books(): Promise<Books> {
    return readBooks(this.prepared.client);
  }

  /** Waits, with the worker stopped, until every accepted message is enqueued. Returns how long that took. */
  async untilAllWait(): Promise<number> {
    const startedAtMs = Date.now();
    await this.untilWaiting((await this.books()).messages);
    return Date.now() - startedAtMs;
  }

  /** Waits, while no worker takes any, until this many messages are enqueued. */
  async untilWaiting(count: number): Promise<void> {
    const { signal } = this.bench;
    const wait = { what: `${count} messages being enqueued`, timeoutMs: settleBoundMs, everyMs: 20, signal };
    await waitUntil(async () => (await this.queue.size()) >= count, wait);
  }

  /** Waits until this many messages have reached the carrier. */
  async untilArrived(count: number, timeoutMs: number): Promise<void> {
    const wait = { what: `The arrival of ${count} messages`, timeoutMs, signal: this.bench.signal };
    await waitUntil(async () => (await this.carrier.count()) >= count, wait);
  }

  /** Waits until every message is known to be delivered, then checks that each was charged and sent exactly once. */
  async untilDelivered(part: string): Promise<void> {
    const { signal, report } = this.bench;
    const wait = { what: 'The delivery of every message', timeoutMs: settleBoundMs, everyMs: 500, signal };
    await waitUntil(async () => isDelivered(await this.books()), wait);
    await waitUntil(async () => (await this.queue.size()) === 0, { ...wait, what: 'The queue becoming empty' });
    const books = await this.books();
    const arrivals = await this.carrier.arrivals();
    const distinct = new Set(arrivals.map(({ messageId }) => messageId)).size;
    report.check(part, 'each accepted message reached the carrier exactly once', {
      isSo: arrivals.length === books.messages && distinct === books.messages,
      seen: `${books.messages} accepted, ${arrivals.length} arrived, ${distinct} different`,
    });
    this.checkBooks(part, books);
  }

  checkBooks(part: string, books: Books): void {
    this.bench.report.check(part, 'each message is charged once and the balances show it', {
      isSo: isBalanced(books),
      seen: JSON.stringify(books),
    });
  }

  /** Stops what was started, in the order that a message passes them, and reports warnings and errors of the logs. */
  async stop(part: string): Promise<void> {
    await this.queue.close();
    for (const program of this.programs) await program.stop();
    for (const program of this.programs) this.bench.report.complaints(part, program.name, program.complaints());
  }

  private async start(
    name: 'server' | 'worker' | 'sandbox',
    url: string,
    readyPath: string,
    env: Record<string, string> = {},
  ): Promise<Program> {
    const spec = { name, file: `${name}/main.js`, env: { ...this.prepared.env, ...env } };
    const program = await this.bench.children.start(spec, [`${url}${readyPath}`]);
    this.programs.push(program);
    return program;
  }
}

function isDelivered({ messages, delivered }: Books): boolean {
  return delivered >= messages;
}

interface Wanted {
  readonly part: string;
  readonly accounts: number;
  readonly rateLimitPerSecond?: number;
}

/** Runs `work` with the product over a new database; stops and drops everything afterwards. */
export function withProduct<T>(bench: Bench, wanted: Wanted, work: (product: Product) => Promise<T>): Promise<T> {
  return withDatabase(bench, wanted, async (prepared) => {
    const product = new Product(bench, prepared);
    try {
      return await work(product);
    } finally {
      await product.stop(wanted.part);
    }
  });
}
