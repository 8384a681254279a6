import { setTimeout as pause } from 'node:timers/promises';
import type { Bench } from '../bench.js';
import { serverUrlOf } from '../processes/environment.js';
import { residentMb } from '../processes/memory.js';
import { withProduct, type Product } from '../product/product.js';
import { insertWaitingMessages } from '../product/waiting-messages.js';
import { waitUntil } from '../processes/children.js';

const part = 'scaling';
const accounts = 100;
const probeEveryMs = 1_000;
const probeBoundMs = 60_000;
const goalMs = 1_000;
/** What may differ between a tenth of the way and its end. */
const growthMb = 25;
const steps = 10;
/** The sandbox keeps 400,000 messages; below that each can be told apart in the end. */
const toldApartMax = 300_000;

/**
 * Very many messages of a hundred accounts wait: the worker's recovery enqueues them, then the worker sends them. On the
 * way: its memory, how fast it goes, and how long one-time passwords of one of the accounts take.
 */
export function measureLongQueue(bench: Bench): Promise<void> {
  return withProduct(bench, { part, accounts }, async (product) => {
    const amount = await insertWaitingMessages(product.prepared.client, bench.options.waitingMessages);
    const name = `${amount.toLocaleString('en-US')} waiting`;
    await product.startServer();
    await product.startSandbox();
    await product.queue.pause();
    const worker = await product.startWorker();
    const startedMb = await residentMb(worker.pid);
    const perSecond = await fill(bench, product, amount);
    bench.report.figure({ part, name: `${name}: enqueued`, value: perSecond, unit: 'per second' });
    const filledMb = await residentMb(worker.pid);
    await product.queue.resume();

    const over = new AbortController();
    const [apiKey = ''] = product.prepared.apiKeys;
    const probing = probe(bench, product, apiKey, over.signal);
    const drained = await drain(bench, product, worker.pid, amount).finally(() => over.abort());
    const times = (await probing).toSorted((a, b) => a - b);
    bench.report.figure({ part, name: `${name}: to carrier`, value: drained.perSecond, unit: 'per second' });
    reportMemory(bench, name, [startedMb, filledMb, ...drained.memoryMb]);
    bench.report.figure({
      part,
      name: `${name}: one-time password, slowest`,
      value: times.at(-1) ?? NaN,
      unit: 'ms',
      p50Ms: times[Math.floor(times.length / 2)] ?? NaN,
      p99Ms: times[Math.floor(times.length * 0.99)] ?? NaN,
      goal: { below: goalMs },
      note: `of ${times.length}, one each second while the others waited`,
    });
    if (amount <= toldApartMax) await product.untilDelivered(part);
    else product.checkBooks(part, await product.books());
  });
}

/** Waits until recovery has enqueued all; returns how many per second. */
async function fill(bench: Bench, product: Product, amount: number): Promise<number> {
  const startedAtMs = Date.now();
  const wait = {
    what: 'The enqueueing of all messages',
    timeoutMs: 60_000 + amount * 5,
    everyMs: 200,
    signal: bench.signal,
  };
  await waitUntil(async () => (await product.queue.size()) >= amount, wait);
  return (amount * 1_000) / (Date.now() - startedAtMs);
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

/** `memoryMb`: at the start, when all were enqueued, and after each tenth. */
function reportMemory(bench: Bench, name: string, [started = NaN, filled = NaN, ...tenths]: readonly number[]): void {
  const texts = tenths.map((mb) => mb.toFixed(0)).join(', ');
  bench.report.figure({
    part,
    name: `${name}: worker's memory, last tenth less first`,
    value: (tenths.at(-1) ?? NaN) - (tenths[0] ?? NaN),
    unit: 'MB',
    goal: { below: growthMb },
    note: `started ${started.toFixed(0)}, all enqueued ${filled.toFixed(0)}, after each tenth ${texts} MB`,
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
