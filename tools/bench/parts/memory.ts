import { setTimeout as pause } from 'node:timers/promises';
import type { Bench } from '../bench.js';
import { withProduct } from '../product/product.js';
import { residentMb } from '../resources.js';

const accounts = 100;
const steps = 3;
const restMs = 5_000;
const limitMb = 250;
/** Growth that a garbage collector may leave at random between the second step and the third. */
const growthMb = 10;

/**
 * Resident memory of server and worker at rest and after each step of messages from acceptance to
 * receipt.
 */
export function measureMemory(bench: Bench): Promise<void> {
  const { step: amount } = bench.options;
  return withProduct(bench, { accounts }, async (product) => {
    const server = await product.startServer();
    await product.startSandbox();
    const programs = [server, await product.startWorker()];
    let before: number[] = [];
    let after: number[] = [];
    const rest = async (when: string) => {
      await pause(restMs, undefined, { signal: bench.signal });
      before = after;
      after = await Promise.all(programs.map(({ pid }) => residentMb(pid)));
      for (const [index, { name }] of programs.entries()) {
        bench.report.figure(`${name} ${when}`, after[index] ?? NaN, 'MB', { goal: { below: limitMb } });
      }
    };
    await rest('at rest');
    for (let step = 1; step <= steps; step += 1) {
      await product.send({ amount });
      await product.untilDelivered();
      await rest(`after ${(step * amount).toLocaleString('en-US')}`);
    }
    for (const [index, { name }] of programs.entries()) {
      const growth = (after[index] ?? NaN) - (before[index] ?? NaN);
      bench.report.figure(`${name} growth in the last step`, growth, 'MB', { goal: { below: growthMb } });
    }
  });
}
