import type { Program } from '../../testkit/program.js';
import { freePorts } from '../../testkit/ports.js';
import { until } from '../../testkit/until.js';
import type { Bench } from '../bench.js';
import { quantile } from '../report.js';
import { arrivalRate } from './carrier.js';

interface Counts {
  readonly submits: number;
  readonly receipts: number;
  readonly acknowledged: number;
}

/** The short message center of a measurement: see tasks/smsc.ts. */
export class BenchSmsc {
  private program: Program | undefined;

  private constructor(
    private readonly bench: Bench,
    readonly port: number,
    private readonly controlPort: number,
  ) {}

  /** An SMSC with free ports, not started yet. */
  static async of(bench: Bench): Promise<BenchSmsc> {
    const [port = 0, controlPort = 0] = await freePorts(2);
    return new BenchSmsc(bench, port, controlPort);
  }

  /** Answers each message after this time. */
  async start(delayMs: number, hasReceipts: boolean): Promise<void> {
    const { children } = this.bench;
    const args = [this.port, this.controlPort, delayMs, hasReceipts ? 'receipts' : 'none'].map(String);
    const spec = { name: 'smsc', command: process.execPath, args: [children.taskFile('smsc'), ...args] };
    this.program = await children.start(spec, this.url('/'));
  }

  async stop(): Promise<void> {
    if (this.program) await this.bench.children.stop(this.program);
  }

  /** Answers no message until `release`. */
  async hold(): Promise<void> {
    await fetch(this.url('/hold'));
  }

  async release(): Promise<void> {
    await fetch(this.url('/release'));
  }

  async counts(): Promise<Counts> {
    return (await (await fetch(this.url('/'))).json()) as Counts;
  }

  /** Waits until this many messages, and their receipts if any, have passed. */
  async untilTaken(count: number, timeoutMs: number): Promise<void> {
    const isSo = async () => (await this.counts()).submits >= count;
    await until(`${count} messages are at the SMSC`, isSo, { timeoutMs, everyMs: 100, signal: this.bench.signal });
  }

  /** Messages per second, and the median time until they were answered. */
  async rate(): Promise<{ readonly perSecond: number; readonly seconds: number; readonly answeredAfterMs: number }> {
    const answer = await fetch(this.url('/arrivals'));
    const { arrivals, tookMs } = (await answer.json()) as Record<'arrivals' | 'tookMs', number[]>;
    return { ...arrivalRate(arrivals), answeredAfterMs: quantile(tookMs, 0.5) };
  }

  private url(path: string): string {
    return `http://127.0.0.1:${this.controlPort}${path}`;
  }
}
