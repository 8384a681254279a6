import { setTimeout as pause } from 'node:timers/promises';
import type { Bench } from '../bench.js';
import { bodiesOf } from '../load/bodies.js';
import { applyLoad } from '../load/load.js';
import { serverUrlOf } from '../processes/environment.js';
import { residentMb } from '../processes/memory.js';
import { withProduct, type Product } from '../product/product.js';
import { waitUntil } from '../processes/wait-until.js';

const part = 'scaling';
const accounts = 101;
const probeEveryMs = 1_000;
const probeBoundMs = 60_000;
const goalMs = 1_000;
/** What may differ between a tenth of the way and its end. */
const growthMb = 25;
const steps = 10;
/** The sandbox keeps 400,000 messages; below that each can be told apart in the end. */
const toldApartMax = 300_000;

/**
 * Very many messages of a hundred accounts wait, all accepted by the server before the worker starts; then it sends them.
 * On the way: its memory, how fast it goes, and how long another account's one-time passwords take.
 */
export function measureLongQueue(bench: Bench): Promise<void> {
  const { waitingMessages: amount } = bench.options;
  return withProduct(bench, { part, accounts }, async (product) => {
    const [other = '', ...busy] = product.prepared.apiKeys;
    await product.startServer();
    await product.startSandbox();
    const load = await applyLoad(bench, { url: product.sendUrl, bodies: bodiesOf(busy), amount });
    await product.untilAllWait();
    const name = `${amount.toLocaleString('en-US')} waiting`;
    const { perSecond, p50Ms, p99Ms } = load;
    bench.report.figure({ part, name: `${name}: accepted`, value: perSecond, unit: 'per second', p50Ms, p99Ms });

    const worker = await product.startWorker();
    const over = new AbortController();
    const probing = probe(bench, product, other, over.signal);
    const drained = await drain(bench, product, worker.pid, amount).finally(() => over.abort());
    const times = (await probing).toSorted((a, b) => a - b);
    bench.report.figure({ part, name: `${name}: to carrier`, value: drained.perSecond, unit: 'per second' });
    reportMemory(bench, name, drained.memoryMb);
    bench.report.figure({
      part,
      name: `${name}: one-time password, slowest`,
      value: times.at(-1) ?? NaN,
      unit: 'ms',
      p50Ms: times[Math.floor(times.length / 2)] ?? NaN,
      p99Ms: times[Math.floor(times.length * 0.99)] ?? NaN,
      goal: { below: goalMs },
      note: `of ${times.length}, one each second while others waited`,
    });
    if (amount <= toldApartMax) await product.untilDelivered(part);
    else product.checkBooks(part, await product.books());
  });
}

interface Drained {
  readonly perSecond: number;
  /** Resident memory of the worker when each tenth of the messages had gone. */
  readonly memoryMb: readonly number[];
}

async function drain(bench: Bench, product: Product, pid: number, amount: number): Promise<Drained> {
  const startedAtMs = Date.now();
  const memoryMb: number[] = [];
  for (let step = 1; step <= steps; step += 1) {
    const left = amount - Math.floor((amount * step) / steps);
    const wait = {
      what: `The queue coming down to ${left}`,
      timeoutMs: amount * 20,
      everyMs: 200,
      signal: bench.signal,
    };
    await waitUntil(async () => (await product.queue.size()) <= left, wait);
    const mb = await residentMb(pid);
    memoryMb.push(mb);
    const perSecond = ((amount - left) * 1_000) / (Date.now() - startedAtMs);
    bench.report.progress(
      `${part}: ${left} wait; worker ${mb.toFixed(0)} MB; ${perSecond.toFixed(0)} per second so far`,
    );
  }
  return { perSecond: (amount * 1_000) / (Date.now() - startedAtMs), memoryMb };
}

function reportMemory(bench: Bench, name: string, memoryMb: readonly number[]): void {
  const [first = NaN] = memoryMb;
  bench.report.figure({
    part,
    name: `${name}: worker's memory, last tenth less first`,
    value: (memoryMb.at(-1) ?? NaN) - first,
    unit: 'MB',
    goal: { below: growthMb },
    note: `after each tenth: ${memoryMb.map((mb) => mb.toFixed(0)).join(', ')} MB`,
  });
}

/** Sends one-time passwords one after the other; answers the time from each request to its arrival at the carrier. */
async function probe(bench: Bench, product: Product, apiKey: string, over: AbortSignal): Promise<number[]> {
  const url = `${serverUrlOf(product.prepared.place)}/api/sendotp`;
  const times: number[] = [];
  for (let n = 0; !over.aborted; n += 1) {
    const to = `+1415${3_000_000 + n}`;
    const sentAtMs = Date.now();
    await sendCode(url, to, apiKey);
    const arrived = async () => (await product.carrier.arrivals(to))[0];
    const wait = { what: `The arrival at ${to}`, timeoutMs: probeBoundMs, everyMs: 50, signal: bench.signal };
    await waitUntil(async () => (await arrived()) !== undefined, wait);
    const arrival = await arrived();
    if (!arrival) throw new Error('What has arrived stays');
    times.push(arrival.arrivedAtMs - sentAtMs);
    await pause(probeEveryMs, undefined, { signal: bench.signal });
  }
  return times;
}

async function sendCode(url: string, to: string, apikey: string): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ to, apikey, org: 'Pennytext' }),
    signal: AbortSignal.timeout(probeBoundMs),
  });
  if (!answer.ok) throw new Error(`The server refused a one-time password: ${await answer.text()}`);
}
