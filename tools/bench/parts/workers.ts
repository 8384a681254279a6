import { availableParallelism } from 'node:os';
import type { Bench } from '../bench.js';
import { bodiesOf } from '../load/bodies.js';
import { applyLoad } from '../load/load.js';
import { withProduct, type Product } from '../product/product.js';
import { arrivalRate } from './arrival-rate.js';

const part = 'scaling';
const accounts = 100;
/** The time allowed for a round is that of this pace. */
const slowestPerSecond = 50;

/**
 * Messages that wait already, sent by one worker and by two; all start at the same time, when the queue is opened. The rounds are
 * one, two, two, one: a machine that gets faster or slower meanwhile does it to both.
 */
export function measureWorkers(bench: Bench, carrier: string, delayMs: number): Promise<void> {
  return withProduct(bench, { part, accounts }, async (product) => {
    await product.startServer();
    await product.startSandbox();
    await product.carrier.delayAnswers(delayMs);
    await product.startWorker();
    await round(bench, product);
    const one = [await round(bench, product)];
    const second = await product.startAnotherWorker();
    await round(bench, product);
    const two = [await round(bench, product), await round(bench, product)];
    await second.stop();
    one.push(await round(bench, product));
    await product.untilDelivered(part);
    report(bench, `one worker, ${carrier}`, one);
    report(bench, `two workers, ${carrier}`, two);
  });
}

/** Messages per second from the first arrival to the last. */
async function round(bench: Bench, product: Product): Promise<number> {
  const amount = Math.ceil(bench.options.messages / 4);
  await product.queue.pause();
  await applyLoad(bench, { url: product.sendUrl, bodies: bodiesOf(product.prepared.apiKeys), amount });
  const { messages } = await product.books();
  await product.untilWaiting(amount);
  const openedAtMs = Date.now();
  await product.queue.resume();
  await product.untilArrived(messages, (amount / slowestPerSecond) * 1_000 + 30_000);
  const arrivals = await product.carrier.arrivals();
  return arrivalRate(arrivals.filter(({ arrivedAtMs }) => arrivedAtMs >= openedAtMs)).perSecond;
}

function report(bench: Bench, name: string, rates: readonly number[]): void {
  bench.report.figure({
    part,
    name,
    value: rates.reduce((sum, rate) => sum + rate) / rates.length,
    unit: 'per second',
    note: `rounds: ${rates.map((rate) => rate.toFixed(0)).join(', ')}; ${availableParallelism()} cores for all programs`,
  });
}
