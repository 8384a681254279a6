import type { Bench } from '../bench.js';
import { bodiesOf } from '../load/bodies.js';
import { applyLoad, warmUp } from '../load/load.js';
import { withProduct } from '../product/product.js';
import { arrivalRate, waitsOf } from './arrival-rate.js';

const part = 'live';
const accounts = 100;
// The generator sends a second's requests as fast as its connections allow and then waits for the next second.
const burstMessages = 300;
const drainBoundMs = 600_000;

/** Everything runs at once: first in bursts, to see how long a message takes, then as fast as the server accepts. */
export function measureLive(bench: Bench): Promise<void> {
  const { report, options } = bench;
  return withProduct(bench, { part, accounts }, async (product) => {
    await product.startServer();
    await product.startSandbox();
    await product.startWorker();
    const target = { url: product.sendUrl, bodies: bodiesOf(product.prepared.apiKeys) };
    await warmUp(bench, target);
    await product.untilDelivered(part);

    const bursts = await applyLoad(bench, { ...target, seconds: options.seconds, perSecond: burstMessages });
    await product.untilDelivered(part);
    const burstArrivals = (await product.carrier.arrivals()).filter(
      ({ acceptedAtMs }) => acceptedAtMs >= bursts.startedAtMs,
    );
    const waits = waitsOf(burstArrivals);
    const note = 'p50 and p99 from accept to carrier';
    report.figure({
      part,
      name: `bursts of ${burstMessages} each second`,
      value: bursts.perSecond,
      unit: 'per second',
      ...waits,
      note,
    });

    const load = await applyLoad(bench, { ...target, seconds: options.seconds });
    const { messages } = await product.books();
    const { perSecond, p50Ms, p99Ms } = load;
    report.figure({ part, name: 'accepted at full load', value: perSecond, unit: 'per second', p50Ms, p99Ms });
    await product.untilArrived(messages, drainBoundMs);
    const arrivals = (await product.carrier.arrivals()).filter(({ arrivedAtMs }) => arrivedAtMs >= load.startedAtMs);
    const during = arrivals.filter(({ arrivedAtMs }) => arrivedAtMs < load.endedAtMs);
    const after = arrivals.filter(({ arrivedAtMs }) => arrivedAtMs >= load.endedAtMs);
    const loadSeconds = (load.endedAtMs - load.startedAtMs) / 1_000;
    report.figure({ part, name: 'at the carrier meanwhile', value: during.length / loadSeconds, unit: 'per second' });
    if (after.length > 1) {
      const { perSecond: drain, seconds } = arrivalRate(after);
      const rest = `the remaining ${after.length} in ${seconds.toFixed(1)} s`;
      report.figure({ part, name: 'at the carrier afterwards', value: drain, unit: 'per second', note: rest });
    }
    await product.untilDelivered(part);
  });
}
