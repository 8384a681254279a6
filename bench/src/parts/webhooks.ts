import { setTimeout as pause } from 'node:timers/promises';
import type { Bench } from '../bench.js';
import { waitUntil } from '../processes/wait-until.js';
import { withProduct, type Product } from '../product/product.js';
import { Receivers } from '../product/receivers.js';
import { Webhooks } from '../product/webhooks.js';
import { arrivalRate, waitsOf } from './arrival-rate.js';

const part = 'webhooks';
const accounts = 100;
const waitingWebhooks = 10_000;
const pacedWebhooks = 1_000;
const pacedBatch = 20;
const pacedEveryMs = 100;
const arriveBoundMs = 120_000;

/** Received messages that go to customers' servers: how many a second, and how long one takes while another's server hangs. */
export async function measureWebhooks(bench: Bench): Promise<void> {
  await withWebhooks(bench, measureThroughput);
  await withWebhooks(bench, measureBesideOneThatHangs);
}

interface Stage {
  readonly bench: Bench;
  readonly product: Product;
  readonly webhooks: Webhooks;
  readonly receivers: Receivers;
}

function withWebhooks(bench: Bench, work: (stage: Stage) => Promise<void>): Promise<void> {
  return withProduct(bench, { part, accounts }, async (product) => {
    const receivers = await Receivers.start(bench.children);
    const webhooks = new Webhooks(product.prepared);
    try {
      await work({ bench, product, webhooks, receivers });
    } finally {
      await webhooks.close();
      await receivers.stop();
    }
  });
}

/** Webhooks that wait already, delivered by one worker. */
async function measureThroughput({ bench, product, webhooks, receivers }: Stage): Promise<void> {
  const ids = await webhooks.setUrls((n) => receivers.urlOf(n, 'well'));
  for (let brought = 0; brought < waitingWebhooks; brought += ids.length) await webhooks.bring(ids);
  await product.startWorker();
  await untilArrived(bench, receivers, waitingWebhooks);
  const arrivals = (await receivers.arrivals()).map(({ messageId, atMs }) => ({
    messageId,
    acceptedAtMs: atMs,
    arrivedAtMs: atMs,
  }));
  const { perSecond, seconds } = arrivalRate(arrivals);
  bench.report.figure({
    part,
    name: 'receivers that answer at once',
    value: perSecond,
    unit: 'per second',
    goal: { atLeast: 500 },
    note: `${waitingWebhooks} webhooks of ${accounts} accounts in ${seconds.toFixed(1)} s`,
  });
  const wait = { what: 'Every webhook being recorded', timeoutMs: arriveBoundMs, signal: bench.signal };
  await waitUntil(async () => (await webhooks.delivered()) === waitingWebhooks, wait);
  const distinct = new Set(arrivals.map(({ messageId }) => messageId)).size;
  bench.report.check(part, 'each webhook arrived exactly once', {
    isSo: arrivals.length === waitingWebhooks && distinct === waitingWebhooks,
    seen: `${arrivals.length} arrived, ${distinct} different`,
  });
}

/** The first account's server never answers; what the others' see of that. */
async function measureBesideOneThatHangs({ bench, product, webhooks, receivers }: Stage): Promise<void> {
  const ids = await webhooks.setUrls((n) => receivers.urlOf(n, n === 0 ? 'hang' : 'well'));
  await product.startWorker();
  const broughtAtMs = new Map<string, number>();
  for (let brought = 0; brought < pacedWebhooks; brought += pacedBatch) {
    // A fifth of all goes to the one that hangs.
    const batch = Array.from({ length: pacedBatch }, (_, n) => ids[n % 5 === 0 ? 0 : (brought + n) % ids.length] ?? '');
    const atMs = Date.now();
    const messageIds = await webhooks.bring(batch);
    messageIds.forEach((messageId, n) => batch[n] !== ids[0] && broughtAtMs.set(messageId, atMs));
    await pause(pacedEveryMs, undefined, { signal: bench.signal });
  }
  await untilArrived(bench, receivers, broughtAtMs.size);
  const arrivals = (await receivers.arrivals()).map(({ messageId, atMs }) => ({
    messageId,
    acceptedAtMs: broughtAtMs.get(messageId) ?? NaN,
    arrivedAtMs: atMs,
  }));
  const { p50Ms, p99Ms } = waitsOf(arrivals);
  bench.report.figure({
    part,
    name: 'beside a receiver that hangs',
    value: p99Ms,
    unit: 'ms',
    p50Ms,
    p99Ms,
    goal: { p99BelowMs: 1_000 },
    note: `${arrivals.length} of ${pacedWebhooks} webhooks, ${(pacedBatch * 1_000) / pacedEveryMs} a second; a fifth goes to the one that hangs`,
  });
}

async function untilArrived(bench: Bench, receivers: Receivers, count: number): Promise<void> {
  const wait = { what: `The arrival of ${count} webhooks`, timeoutMs: arriveBoundMs, signal: bench.signal };
  await waitUntil(async () => (await receivers.count()) >= count, wait);
}
