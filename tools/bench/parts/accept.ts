import type { Bench } from '../bench.js';
import { bodiesOf } from '../load/bodies.js';
import { applyLoad, warmUp } from '../load/load.js';
import type { LoadResult } from '../load/load-job.js';
import { withProduct, type Product } from '../product/product.js';
import { WatchingPage } from '../product/watching-page.js';

const part = 'accept';
const accounts = 100;
const highLimitPerSecond = 1_000_000;
const connections = 50;

/** Messages accepted by the server, charged and enqueued, while no worker runs. */
export async function measureAccept(bench: Bench): Promise<void> {
  await measureWithLimits(bench, 0, '');
  await measureWatched(bench);
  await measureWithLimits(bench, highLimitPerSecond, ', rate limits on');
}

/** What live updates cost: a page of the one account that sends is open all the time. */
function measureWatched(bench: Bench): Promise<void> {
  return withProduct(bench, { part, accounts: 1 }, async (product) => {
    await product.startServer();
    const bodies = bodiesOf(product.prepared.apiKeys);
    const loads = [await warmUp(bench, { url: product.sendUrl, bodies })];
    const page = await WatchingPage.open(product.prepared);
    try {
      const load = await applyLoad(bench, { url: product.sendUrl, bodies, seconds: bench.options.seconds });
      loads.push(load);
      const { perSecond, p50Ms, p99Ms } = load;
      const note = `${page.events} events to the page`;
      bench.report.figure({
        part,
        name: '1 account, its page open',
        value: perSecond,
        unit: 'per second',
        p50Ms,
        p99Ms,
        note,
      });
      bench.report.check(part, 'the page receives events', { isSo: page.events > 0, seen: note });
    } finally {
      page.close();
    }
    await product.untilAllWait();
    await checkLoads(bench, product, loads);
  });
}

function measureWithLimits(bench: Bench, rateLimitPerSecond: number, suffix: string): Promise<void> {
  return withProduct(bench, { part, accounts, rateLimitPerSecond }, async (product) => {
    await product.startServer();
    const { apiKeys } = product.prepared;
    const loads = [await warmUp(bench, { url: product.sendUrl, bodies: bodiesOf(apiKeys) })];
    for (const [name, keys] of [
      ['1 account', apiKeys.slice(0, 1)],
      [`${accounts} accounts`, apiKeys],
    ] as const) {
      const load = await applyLoad(bench, {
        url: product.sendUrl,
        bodies: bodiesOf(keys),
        seconds: bench.options.seconds,
      });
      const { perSecond, p50Ms, p99Ms, maxMs } = load;
      const enqueuedAfterMs = await product.untilAllWait();
      bench.report.figure({
        part,
        name: `${name}${suffix}`,
        value: perSecond,
        unit: 'per second',
        p50Ms,
        p99Ms,
        goal: { atLeast: 5_000, p99BelowMs: 50 },
        note: `slowest ${maxMs} ms, all enqueued ${enqueuedAfterMs} ms after`,
      });
      loads.push(load);
    }
    await checkLoads(bench, product, loads);
  });
}

async function checkLoads(bench: Bench, product: Product, loads: readonly LoadResult[]): Promise<void> {
  const books = await product.books();
  const accepted = loads.reduce((sum, load) => sum + load.accepted, 0);
  const faults = loads.reduce((sum, load) => sum + load.refused + load.broken, 0);
  // When the time is up the generator hangs up on what it still waits for.
  const unheardMax = connections * loads.length;
  bench.report.check(part, 'each answer is a message, and nothing is refused', {
    isSo: faults === 0 && books.messages >= accepted && books.messages <= accepted + unheardMax,
    seen: `${accepted} answers, ${faults} refusals and errors, ${books.messages} messages`,
  });
  product.checkBooks(part, books);
}
