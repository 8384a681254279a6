import { setTimeout as pause } from 'node:timers/promises';
import type { Bench } from '../bench.js';
import { bodiesOf } from '../load/bodies.js';
import { applyLoad } from '../load/load.js';
import type { Program } from '../processes/children.js';
import { residentMb } from '../processes/memory.js';
import { withProduct, type Product } from '../product/product.js';

const part = 'memory';
const accounts = 100;
const steps = 3;
const restMs = 5_000;
const sampleMs = 1_000;
const slowestPerSecond = 100;
const limitMb = 250;
/** What a garbage collector may leave at random between the second step and the third. */
const growthMb = 10;

/** Resident memory of server and worker at rest and after each step of messages that went all the way. */
export function measureMemory(bench: Bench): Promise<void> {
  const { memoryStepMessages } = bench.options;
  return withProduct(bench, { part, accounts }, async (product) => {
    const server = await product.startServer();
    await product.startSandbox();
    const worker = await product.startWorker();
    const programs = [server, worker];
    await pause(restMs, undefined, { signal: bench.signal });
    await note(bench, programs, 'at rest', {});
    let before: number[] = [];
    let after: number[] = [];
    for (let step = 1; step <= steps; step += 1) {
      const peaks = await peaksDuring(programs, send(bench, product, step * memoryStepMessages));
      await pause(restMs, undefined, { signal: bench.signal });
      before = after;
      after = await note(bench, programs, `after ${(step * memoryStepMessages).toLocaleString('en-US')}`, peaks);
    }
    programs.forEach(({ name }, index) => {
      const value = (after[index] ?? 0) - (before[index] ?? 0);
      bench.report.figure({
        part,
        name: `${name} growth in the last step`,
        value,
        unit: 'MB',
        goal: { below: growthMb },
      });
    });
  });
}

async function send(bench: Bench, product: Product, total: number): Promise<void> {
  const { memoryStepMessages: amount } = bench.options;
  await applyLoad(bench, { url: product.sendUrl, bodies: bodiesOf(product.prepared.apiKeys), amount });
  await product.untilArrived(total, (amount / slowestPerSecond) * 1_000 + 60_000);
  await product.untilDelivered(part);
}

async function peaksDuring(programs: readonly Program[], work: Promise<void>): Promise<Record<string, number>> {
  const peaks: Record<string, number> = {};
  const stopping = new AbortController();
  await Promise.all([work.finally(() => stopping.abort()), sample(programs, peaks, stopping.signal)]);
  return peaks;
}

async function sample(programs: readonly Program[], peaks: Record<string, number>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    for (const { name, pid } of programs) peaks[name] = Math.max(peaks[name] ?? 0, await residentMb(pid));
    await pause(sampleMs, undefined, { ref: false });
  }
}

/** Answers the memory of each program, in MB. */
async function note(
  bench: Bench,
  programs: readonly Program[],
  when: string,
  peaks: Record<string, number>,
): Promise<number[]> {
  const values: number[] = [];
  for (const { name, pid } of programs) {
    const peakMb = peaks[name];
    const value = await residentMb(pid);
    values.push(value);
    bench.report.figure({
      part,
      name: `${name} ${when}`,
      value,
      unit: 'MB',
      goal: { below: limitMb },
      ...(peakMb !== undefined && { note: `at most ${Math.round(peakMb)} MB on the way` }),
    });
  }
  return values;
}
