import { startCpuMeter } from '../resources.js';
import type { Bench } from '../bench.js';
import { withProduct, type Product } from '../product/product.js';
import { quantile } from '../report.js';
import { reportCost, storePids } from './cost.js';

const accounts = 100;
const turns = 40;

/** A running product, and its CPU time of one burst, in ms by process. */
interface Side {
  readonly bench: Bench;
  readonly product: Product;
  readonly burst: (amount: number) => Promise<Readonly<Record<string, number>>>;
}

/**
 * CPU time of a message's whole lifecycle beside an earlier checkout: both run at the same time,
 * and take bursts of messages in turns, so that other work of the machine affects both alike.
 */
export async function measureTurns(now: Bench, before: Bench): Promise<void> {
  const amount = Math.ceil(now.options.messages / turns);
  await withSide(before, (old) =>
    withSide(now, async (next) => {
      const ratios: number[] = [];
      const sums = new Map<Side, Record<string, number>>([
        [old, {}],
        [next, {}],
      ]);
      for (let turn = 0; turn < turns; turn += 1) {
        const cost = new Map<Side, number>();
        for (const side of turn % 2 === 0 ? [old, next] : [next, old]) {
          const times = await side.burst(amount);
          const sum = sums.get(side) ?? {};
          for (const [name, ms] of Object.entries(times)) sum[name] = (sum[name] ?? 0) + ms;
          cost.set(side, total(times));
        }
        ratios.push((cost.get(next) ?? 0) / (cost.get(old) ?? 0));
      }
      for (const [{ bench, product }, times] of sums) {
        bench.report.begin('turns', bench === before ? 'before' : undefined);
        reportCost(bench, 'whole lifecycle in turns', times, amount * turns);
        await product.untilDelivered();
      }
      const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => quantile(ratios, share).toFixed(3));
      now.report.progress(`turns: now / before, of ${turns} pairs: median ${middle}, quartiles ${low} and ${high}`);
    }),
  );
}

function withSide(bench: Bench, work: (side: Side) => Promise<void>): Promise<void> {
  return withProduct(bench, { accounts }, async (product) => {
    const server = await product.startServer();
    await product.startSandbox();
    const worker = await product.startWorker();
    await product.send({ amount: bench.options.messages / 4 });
    await product.untilSettled();
    const pids = { server: server.pid, worker: worker.pid, ...(await storePids(product)) };
    const burst = async (amount: number) => {
      const read = startCpuMeter(pids);
      await product.send({ amount });
      await product.untilSettled();
      return read();
    };
    await work({ bench, product, burst });
  });
}

function total(times: Readonly<Record<string, number>>): number {
  return Object.values(times).reduce((sum, ms) => sum + ms, 0);
}
