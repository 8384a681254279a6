import type { Bench } from '../bench.js';
import { arrivalRate, waitsOf } from '../product/carrier.js';
import { withProduct, type Product } from '../product/product.js';

const accounts = 100;
/** Lowest pace at which queued messages may be sent. */
const slowestPerSecond = 50;
// The generator sends a second's requests as fast as its connections allow and then waits for the
// next second.
const burstMessages = 300;
const drainBoundMs = 600_000;
const probesEach = 5;
const firstArrivals = 50;

/**
 * Queued messages sent by one worker; delivery receipts come back to the server meanwhile, as in
 * production.
 */
export async function measureCarrier(bench: Bench): Promise<void> {
  await measureWithDelay(bench, 'instant carrier', 0, 1_500);
  await measureWithDelay(bench, 'carrier that takes 100 ms', 100, 500);
}

function measureWithDelay(bench: Bench, name: string, delayMs: number, atLeast: number): Promise<void> {
  const { messages: amount } = bench.options;
  return withProduct(bench, { accounts }, async (product) => {
    await product.startServer();
    await product.startSandbox();
    await product.carrier.delayAnswers(delayMs);
    await product.send({ amount });
    await product.untilAllEnqueued();
    await product.startWorker();
    await product.untilArrived(amount, (amount / slowestPerSecond) * 1_000 + 30_000);
    const lastArrivedAtMs = Date.now();
    await product.untilDelivered();
    const receiptsAfter = ((Date.now() - lastArrivedAtMs) / 1_000).toFixed(1);
    const { perSecond, seconds } = arrivalRate(
      (await product.carrier.arrivals()).map(({ arrivedAtMs }) => arrivedAtMs),
    );
    const note = `${amount} messages in ${seconds.toFixed(1)} s, all receipts ${receiptsAfter} s after`;
    bench.report.figure(name, perSecond, 'per second', { goal: { atLeast }, note });
  });
}

/**
 * Server, worker and sandbox together: first bursts, for the time a message takes, then as fast as
 * the server accepts.
 */
export function measureLive(bench: Bench): Promise<void> {
  const { report, options } = bench;
  return withProduct(bench, { accounts }, async (product) => {
    await product.startServer();
    await product.startSandbox();
    await product.startWorker();
    await product.warmUp();
    await product.untilDelivered();

    const bursts = await product.send({ seconds: options.seconds, perSecond: burstMessages });
    await product.untilDelivered();
    const waits = (await product.carrier.arrivals())
      .filter((one) => one.acceptedAtMs >= bursts.startedAtMs)
      .map(({ acceptedAtMs, arrivedAtMs }) => arrivedAtMs - acceptedAtMs);
    const extras = { ...waitsOf(waits), note: 'p50 and p99 from acceptance to carrier' };
    report.figure(`bursts of ${burstMessages} each second`, bursts.perSecond, 'per second', extras);

    const { perSecond, p50Ms, p99Ms, startedAtMs, endedAtMs } = await product.send({ seconds: options.seconds });
    report.figure('accepted at full load', perSecond, 'per second', { p50Ms, p99Ms });
    await product.untilDelivered();
    const times = (await product.carrier.arrivals()).map(({ arrivedAtMs }) => arrivedAtMs);
    const arrivals = times.filter((atMs) => atMs >= startedAtMs);
    const after = arrivals.filter((atMs) => atMs >= endedAtMs);
    const during = (arrivals.length - after.length) / ((endedAtMs - startedAtMs) / 1_000);
    report.figure('at the carrier meanwhile', during, 'per second');
    if (after.length > 1) {
      const drain = arrivalRate(after);
      const note = `the remaining ${after.length} in ${drain.seconds.toFixed(1)} s`;
      report.figure('at the carrier afterwards', drain.perSecond, 'per second', { note });
    }
  });
}

/** Time of a message of one account while thousands of another account's messages are queued. */
export function measureFairness(bench: Bench): Promise<void> {
  return withProduct(bench, { accounts: 2 }, async (product) => {
    const [busy = '', other = ''] = product.prepared.apiKeys;
    await product.startServer();
    await product.startSandbox();
    await product.send({ amount: bench.options.messages }, [busy]);
    await product.untilAllEnqueued();
    await product.startWorker();
    await product.untilArrived(firstArrivals, drainBoundMs);
    await probe(bench, product, other, 'instant carrier', 0);
    await product.carrier.delayAnswers(100);
    await probe(bench, product, other, 'carrier that takes 100 ms', probesEach);
    await product.carrier.delayAnswers(0);
    await product.untilDelivered();
  });
}

async function probe(bench: Bench, product: Product, apikey: string, name: string, first: number): Promise<void> {
  const times: number[] = [];
  const queuedAtFirst = await product.countWaiting();
  for (let n = first; n < first + probesEach; n += 1) {
    // The load does not write to these numbers.
    const to = `+1212555${String(100 + n).padStart(4, '0')}`;
    times.push(await product.timeToCarrier('/api/sendsms', { to, message: 'Your table is booked.', apikey }));
  }
  const queuedAtLast = await product.countWaiting();
  const promise = 'the other account’s messages are still queued when the last probe has arrived';
  bench.report.check(promise, queuedAtLast > 0, `${queuedAtFirst} queued at first, ${queuedAtLast} at last`);
  const note = `slowest of ${times.length} (${times.join(', ')}) with ${queuedAtFirst} to ${queuedAtLast} queued`;
  const extras = { goal: { below: 1_000 }, note };
  bench.report.figure(`another account’s message, ${name}`, Math.max(...times), 'ms', extras);
}
