import { limits } from '#contract/limits.js';
import { ask } from '../../testkit/ask.js';
import type { Bench } from '../bench.js';
import { withProduct, type Product } from '../product/product.js';
import { startCpuMeter } from '../resources.js';
import { reportCost, storePids } from './cost.js';

const accounts = 100;
const size = limits.bulkMessagesMax;
const bulks = 5;
const bulkBoundMs = 60_000;
const singlesPerSecond = 50;

/**
 * Bulks of 10,000 messages without a worker, beside single sends; and single sends of other
 * accounts while bulks are accepted.
 */
export function measureBulk(bench: Bench): Promise<void> {
  return withProduct(bench, { accounts }, async (product) => {
    const pids = { server: (await product.startServer()).pid, ...(await storePids(product)) };
    const [first = '', second = '', ...others] = product.prepared.apiKeys;
    await product.warmUp();
    await sendBulk(product, first, 'warm-up');
    await product.untilAllEnqueued();

    const single = await product.send({ seconds: bench.options.seconds });
    bench.report.figure('single sends', single.perSecond, 'per second', { p99Ms: single.p99Ms });
    await product.untilAllEnqueued();

    const read = startCpuMeter(pids);
    const startedAtMs = performance.now();
    const times = (await Promise.all([first, second].map((key) => sendBulks(product, key)))).flat();
    const messages = times.length * size;
    const perSecond = messages / ((performance.now() - startedAtMs) / 1_000);
    const note =
      `two accounts at once, ${bulks} bulks of ${size} each, the slowest ` +
      `${Math.round(Math.max(...times))} ms, ${(perSecond / single.perSecond).toFixed(1)} × single ` +
      'sends';
    bench.report.figure('messages in bulks', perSecond, 'per second', { note });
    await product.untilAllEnqueued();
    reportCost(bench, 'CPU of a message in a bulk', read(), messages);

    await measureOthers(bench, product, first, others);
    await product.checkCredits();
  });
}

/** Single sends of other accounts, at a rate that leaves the processor time. */
async function measureOthers(bench: Bench, product: Product, first: string, others: string[]): Promise<void> {
  const load = { seconds: bench.options.seconds, perSecond: singlesPerSecond };
  const alone = await product.send(load, others);
  bench.report.figure('single sends of others, alone', alone.p99Ms, 'ms', { note: 'p99 of the answer' });
  const sending = product.send(load, others);
  const endsAtMs = performance.now() + bench.options.seconds * 1_000;
  let sent = 0;
  for (; performance.now() < endsAtMs; sent += 1) await sendBulk(product, first, `beside ${sent}`);
  const { p99Ms, maxMs } = await sending;
  const note = `p99 of the answer, the slowest ${maxMs} ms; ${sent} bulks meanwhile, one after the other`;
  bench.report.figure('single sends of others, beside bulks', p99Ms, 'ms', { note });
  await product.untilAllEnqueued();
}

/** Sends one bulk after the other. Returns the milliseconds until each answer. */
async function sendBulks(product: Product, apikey: string): Promise<number[]> {
  const times: number[] = [];
  for (let nth = 1; nth <= bulks; nth += 1) times.push(await sendBulk(product, apikey, `${nth}`));
  return times;
}

/** Returns the milliseconds until the answer. */
async function sendBulk(product: Product, apikey: string, name: string): Promise<number> {
  const recipients = Array.from({ length: size }, (_one, index) => ({ to: `+1415${5_560_000 + index}`, name: index }));
  const message = `Your parcel {{name}} of ${name} arrives today between 2 and 4 pm. Reply STOP to opt out.`;
  const startedAtMs = performance.now();
  await ask(`${product.url}/api/sendbulk`, { apikey, message, recipients }, bulkBoundMs);
  return performance.now() - startedAtMs;
}
