import type { Bench } from '../bench.js';
import { bodiesOf } from '../load/bodies.js';
import { applyLoad } from '../load/load.js';
import { withProduct } from '../product/product.js';
import { arrivalRate } from './arrival-rate.js';

const part = 'carrier';
const accounts = 100;
/** The time allowed for the run is that of this pace. */
const slowestPerSecond = 50;

/** Messages that wait already, sent by one worker; receipts come back to the server meanwhile, as in production. */
export async function measureCarrier(bench: Bench): Promise<void> {
  await measureWithDelay(bench, 'instant carrier', 0, 1_500);
  await measureWithDelay(bench, 'carrier that takes 100 ms', 100, 500);
}

function measureWithDelay(bench: Bench, name: string, delayMs: number, atLeast: number): Promise<void> {
  const { messages: amount } = bench.options;
  return withProduct(bench, { part, accounts }, async (product) => {
    await product.startServer();
    await product.startSandbox();
    await product.carrier.delayAnswers(delayMs);
    await applyLoad(bench, { url: product.sendUrl, bodies: bodiesOf(product.prepared.apiKeys), amount });
    await product.untilAllWait();
    await product.startWorker();
    await product.untilArrived(amount, (amount / slowestPerSecond) * 1_000 + 30_000);
    const lastArrivedAtMs = Date.now();
    await product.untilDelivered(part);
    const deliveredAfterMs = Date.now() - lastArrivedAtMs;
    const { perSecond, seconds } = arrivalRate(await product.carrier.arrivals());
    bench.report.figure({
      part,
      name,
      value: perSecond,
      unit: 'per second',
      goal: { atLeast },
      note: `${amount} messages in ${seconds.toFixed(1)} s, all receipts ${(deliveredAfterMs / 1_000).toFixed(1)} s after`,
    });
  });
}
