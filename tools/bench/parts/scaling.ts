import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Bench } from '../bench.js';
import { arrivalRate } from '../product/carrier.js';
import { withProduct, type Product } from '../product/product.js';
import { quantile } from '../report.js';
import { residentMb } from '../resources.js';

const accounts = 100;
/** Lowest pace at which a round may be sent. */
const slowestPerSecond = 50;
const probeEveryMs = 1_000;
const otpGoalMs = 1_000;
/** Allowed growth of the worker's memory between the first tenth and the last. */
const growthMb = 25;
const steps = 10;
/** The sandbox keeps 400,000 messages; below that each message can be identified at the end. */
const identifiedMax = 300_000;

/** Measures the gain of a second worker, and the cost of a very long queue in memory and time. */
export async function measureScaling(bench: Bench): Promise<void> {
  await measureWorkers(bench, 'instant carrier', 0);
  await measureWorkers(bench, 'carrier that takes 100 ms', 100);
  await measureLongQueue(bench);
}

/**
 * Queued messages sent by one worker and by two. The rounds are one, two, two, one, so that a
 * machine whose speed drifts affects both alike.
 */
function measureWorkers(bench: Bench, carrier: string, delayMs: number): Promise<void> {
  return withProduct(bench, { accounts }, async (product) => {
    await product.startServer();
    await product.startSandbox();
    await product.carrier.delayAnswers(delayMs);
    await product.startWorker();
    await round(bench, product);
    const one = [await round(bench, product)];
    const second = await product.startWorker();
    await round(bench, product);
    const two = [await round(bench, product), await round(bench, product)];
    await second.stop();
    one.push(await round(bench, product));
    await product.untilDelivered();
    for (const [name, rates] of Object.entries({ 'one worker': one, 'two workers': two })) {
      const note =
        `rounds: ${rates.map((rate) => rate.toFixed(0)).join(', ')}; ${availableParallelism()} cores ` +
        'for all programs';
      const mean = rates.reduce((sum, rate) => sum + rate) / rates.length;
      bench.report.figure(`${name}, ${carrier}`, mean, 'per second', { note });
    }
  });
}

/** Messages per second from the first arrival to the last. */
async function round(bench: Bench, product: Product): Promise<number> {
  const amount = Math.ceil(bench.options.messages / 4);
  await product.shared.pause();
  await product.send({ amount });
  const messages = await product.countMessages();
  await product.untilEnqueued(amount);
  const openedAtMs = Date.now();
  await product.shared.resume();
  await product.untilArrived(messages, (amount / slowestPerSecond) * 1_000 + 30_000);
  const times = (await product.carrier.arrivals()).map(({ arrivedAtMs }) => arrivedAtMs);
  return arrivalRate(times.filter((atMs) => atMs >= openedAtMs)).perSecond;
}

/**
 * Very many messages of a hundred accounts after a loss of Redis: the worker's recovery enqueues
 * them, then the worker sends them. Measures its memory, its pace, and the time of one account's
 * one-time passwords meanwhile.
 */
function measureLongQueue(bench: Bench): Promise<void> {
  const { report } = bench;
  return withProduct(bench, { accounts }, async (product) => {
    const { waiting: amount } = bench.options;
    const name = `${amount.toLocaleString('en-US')} waiting`;
    await product.startServer();
    await product.startSandbox();
    await product.send({ amount });
    await product.untilAllEnqueued();
    // Redis loses its data.
    await product.shared.obliterate({ force: true });
    const { pid } = await product.startWorker();
    const startedMb = await residentMb(pid);

    const over = new AbortController();
    const probing = probe(bench, product, over.signal);
    const draining = drain(product, pid, amount).finally(() => over.abort());
    const [{ perSecond, memoryMb }, times] = await Promise.all([draining, probing]);
    report.figure(`${name}: to carrier`, perSecond, 'per second');
    const tenths = memoryMb.map((mb) => mb.toFixed(0)).join(', ');
    report.figure(
      `${name}: worker's memory, last tenth less first`,
      (memoryMb.at(-1) ?? NaN) - (memoryMb[0] ?? NaN),
      'MB',
      {
        goal: { below: growthMb },
        note: `started ${startedMb.toFixed(0)}, after each tenth ${tenths} MB`,
      },
    );
    report.figure(`${name}: one-time password, slowest`, quantile(times, 1), 'ms', {
      p50Ms: quantile(times, 0.5),
      p99Ms: quantile(times, 0.99),
      goal: { below: otpGoalMs },
      note: `of ${times.length}, one each second while the others waited`,
    });
    if (amount <= identifiedMax) await product.untilDelivered();
    else await product.checkCredits();
  });
}

/**
 * Waits until all are sent. Returns the pace, and the worker's resident memory after each tenth of
 * the messages.
 */
async function drain(product: Product, pid: number, amount: number) {
  const startedAtMs = Date.now();
  const memoryMb: number[] = [];
  for (let step = 1; step <= steps; step += 1) {
    await product.untilArrived(Math.floor((amount * step) / steps), amount * 20);
    memoryMb.push(await residentMb(pid));
  }
  return { perSecond: (amount * 1_000) / (Date.now() - startedAtMs), memoryMb };
}

/**
 * Sends one-time passwords one after the other; returns the time of each until it is at the
 * carrier.
 */
async function probe({ signal }: Bench, product: Product, over: AbortSignal): Promise<number[]> {
  const [apikey] = product.prepared.apiKeys;
  const times: number[] = [];
  for (let n = 0; !over.aborted; n += 1) {
    const body = { to: `+1415${3_000_000 + n}`, apikey, org: 'Pennytext' };
    times.push(await product.timeToCarrier('/api/sendotp', body));
    await pause(probeEveryMs, undefined, { signal });
  }
  return times;
}
