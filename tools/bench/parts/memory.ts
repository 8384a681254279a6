import { setTimeout as pause } from 'node:timers/promises';
import type { Program } from '../../testkit/program.js';
import type { Bench } from '../bench.js';
import { residentMb } from '../children.js';
import { withProduct, type Product } from '../product/product.js';

const accounts = 100;
const steps = 3;
const restMs = 5_000;
const sampleMs = 1_000;
const slowestPerSecond = 100;
const limitMb = 250;
/** What a garbage collector may leave at random between the second step and the third. */
const growthMb = 10;

/** Resident memory of server and worker at rest and after each step of messages from acceptance to receipt. */
export function measureMemory(bench: Bench): Promise<void> {
  const { memoryStepMessages } = bench.options;
  return withProduct(bench, { accounts }, async (product) => {
    const server = await product.startServer();
    await product.startSandbox();
    const programs = [server, await product.startWorker()];
    let before = new Map<Program, number>();
    let after = await measureRest(bench, programs, 'at rest', new Map());
    for (let step = 1; step <= steps; step += 1) {
      const total = step * memoryStepMessages;
      const peaks = await peaksDuring(programs, send(product, memoryStepMessages, total));
      before = after;
      after = await measureRest(bench, programs, `after ${total.toLocaleString('en-US')}`, peaks);
    }
    for (const program of programs) {
      const growth = (after.get(program) ?? NaN) - (before.get(program) ?? NaN);
      bench.report.figure(`${program.name} growth in the last step`, growth, 'MB', { goal: { below: growthMb } });
    }
  });
}

async function send(product: Product, amount: number, total: number): Promise<void> {
  await product.send({ amount });
  await product.untilArrived(total, (amount / slowestPerSecond) * 1_000 + 60_000);
  await product.untilDelivered();
}

/** Samples memory until the work ends; returns each program's maximum in MB. */
async function peaksDuring(programs: readonly Program[], work: Promise<void>): Promise<Map<Program, number>> {
  const peaks = new Map<Program, number>();
  const over = new AbortController();
  const sample = async () => {
    while (!over.signal.aborted) {
      for (const one of programs) peaks.set(one, Math.max(peaks.get(one) ?? 0, await residentMb(one.pid)));
      await pause(sampleMs, undefined, { ref: false });
    }
  };
  await Promise.all([work.finally(() => over.abort()), sample()]);
  return peaks;
}

/** Reports and returns each program's memory after a rest, in MB. */
async function measureRest(
  { report, signal }: Bench,
  programs: readonly Program[],
  when: string,
  peaks: ReadonlyMap<Program, number>,
): Promise<Map<Program, number>> {
  await pause(restMs, undefined, { signal });
  const values = new Map<Program, number>();
  for (const program of programs) {
    const peakMb = peaks.get(program);
    const mb = await residentMb(program.pid);
    values.set(program, mb);
    const note = peakMb === undefined ? {} : { note: `peak ${Math.round(peakMb)} MB` };
    report.figure(`${program.name} ${when}`, mb, 'MB', { goal: { below: limitMb }, ...note });
  }
  return values;
}
