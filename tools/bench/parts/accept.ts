import { request, type IncomingMessage } from 'node:http';
import { dashboardEventsPath } from '#contract/dashboard.js';
import type { Bench } from '../bench.js';
import { connections, type LoadResult } from '../load.js';
import { insertSession, type Wanted } from '../product/database.js';
import { withProduct, type Product } from '../product/product.js';
import { ONE_CARRIER } from './cost.js';

const accounts = 100;
const highLimitPerSecond = 1_000_000;

/** Messages accepted by the server, charged and enqueued, while no worker runs. */
export async function measureAccept(bench: Bench): Promise<void> {
  await measureWith(bench, { hasThreeCarriers: true }, '');
  await measureWith(bench, {}, ONE_CARRIER);
  await measureWatched(bench);
  await measureWith(bench, { hasThreeCarriers: true, rateLimitPerSecond: highLimitPerSecond }, ', rate limits on');
}

function measureWith(bench: Bench, wanted: Omit<Wanted, 'accounts'>, suffix: string): Promise<void> {
  return withProduct(bench, { accounts, ...wanted }, async (product) => {
    await product.startServer();
    const { apiKeys } = product.prepared;
    const loads = [await product.warmUp()];
    for (const count of [1, accounts]) {
      const load = await product.send({ seconds: bench.options.seconds }, apiKeys.slice(0, count));
      loads.push(load);
      const { perSecond, p50Ms, p99Ms, maxMs } = load;
      const note = `slowest ${maxMs} ms, all enqueued ${await product.untilAllEnqueued()} ms after`;
      const goal = { atLeast: 5_000, p99BelowMs: 50 };
      const name = `${count} account${count === 1 ? '' : 's'}${suffix}`;
      bench.report.figure(name, perSecond, 'per second', { p50Ms, p99Ms, goal, note });
    }
    await checkLoads(bench, product, loads);
  });
}

/** The cost of live updates: a dashboard page of the only account is open meanwhile. */
function measureWatched(bench: Bench): Promise<void> {
  return withProduct(bench, { accounts: 1, hasThreeCarriers: true }, async (product) => {
    await product.startServer();
    const loads = [await product.warmUp()];
    const stream = await openStream(product);
    let events = 0;
    stream.setEncoding('utf8').on('data', (text: string) => (events += text.split('\n\n').length - 1));
    try {
      const load = await product.send({ seconds: bench.options.seconds });
      loads.push(load);
      const { perSecond, p50Ms, p99Ms } = load;
      const note = `${events} events to the page`;
      bench.report.figure('1 account, its page open', perSecond, 'per second', { p50Ms, p99Ms, note });
      bench.report.check('the page receives events', events > 0, note);
    } finally {
      stream.destroy();
    }
    await product.untilAllEnqueued();
    await checkLoads(bench, product, loads);
  });
}

/** Opens the event stream of the first account's dashboard. */
async function openStream({ url, prepared }: Product): Promise<IncomingMessage> {
  const headers = { cookie: (await insertSession(prepared.client)).header };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(`${url}${dashboardEventsPath}`, { headers, agent: false }, resolve).on('error', reject).end();
  });
  if (answer.statusCode !== 200) throw new Error(`The event stream answered ${answer.statusCode}`);
  return answer;
}

async function checkLoads(bench: Bench, product: Product, loads: readonly LoadResult[]): Promise<void> {
  const messages = await product.countMessages();
  const accepted = loads.reduce((sum, load) => sum + load.accepted, 0);
  const faults = loads.reduce((sum, load) => sum + load.refused + load.broken, 0);
  // At its end the generator drops the requests that are not answered yet.
  const unansweredMax = connections * loads.length;
  bench.report.check(
    'each answer is a message, and nothing is refused',
    faults === 0 && messages >= accepted && messages <= accepted + unansweredMax,
    `${accepted} answers, ${faults} refusals and errors, ${messages} messages`,
  );
  await product.checkCredits();
}
