import { setTimeout as pause } from 'node:timers/promises';
import type { Bench } from '../bench.js';
import { waitUntil } from '../processes/children.js';
import { withProduct, type Product } from '../product/product.js';
import { Receivers } from '../product/receivers.js';
import { Replies } from '../product/replies.js';
import { arrivalRate, waitsOf } from './arrival-rate.js';

const part = 'webhooks';
const accounts = 100;
const atOnce = 5_000;
const postsInFlight = 50;
const paced = 1_000;
const pacedBatch = 20;
const pacedEveryMs = 100;
const arriveBoundMs = 120_000;

/** Replies on their way to customers' servers: how many a second, and how long one takes while another's server hangs. */
export async function measureWebhooks(bench: Bench): Promise<void> {
  await withReplies(bench, measureThroughput);
  await withReplies(bench, measureBesideOneThatHangs);
}

interface Stage {
  readonly bench: Bench;
  readonly product: Product;
  readonly replies: Replies;
  readonly receivers: Receivers;
}

/** A reply that was posted, and when. */
type Posted = ReadonlyMap<string, number>;

function withReplies(bench: Bench, work: (stage: Stage) => Promise<void>): Promise<void> {
  return withProduct(bench, { part, accounts }, async (product) => {
    const receivers = await Receivers.start(bench.children);
    const replies = new Replies(product.prepared, bench.secrets);
    try {
      await product.startServer();
      await work({ bench, product, replies, receivers });
    } finally {
      await replies.close();
      await receivers.stop();
    }
  });
}

/** Replies that come as fast as they are taken in, to receivers that answer at once. */
async function measureThroughput(stage: Stage): Promise<void> {
  const { bench, product, replies, receivers } = stage;
  await replies.prepare((n) => receivers.urlOf(n, 'well'));
  await product.startWorker();
  const posted = new Map<string, number>();
  const startedAtMs = Date.now();
  const rest = Array.from({ length: atOnce }, (_, n) => n).values();
  const lane = async () => {
    for (const n of rest) posted.set(`reply ${n}`, await replies.post(n % accounts, `reply ${n}`));
  };
  await Promise.all(Array.from({ length: postsInFlight }, lane));
  const takenPerSecond = atOnce / ((Date.now() - startedAtMs) / 1_000);
  bench.report.figure({ part, name: 'replies taken in', value: takenPerSecond, unit: 'per second' });
  const arrivals = await arrived(stage, posted);
  const { perSecond, seconds } = arrivalRate(arrivals);
  bench.report.figure({
    part,
    name: 'at receivers that answer at once',
    value: perSecond,
    unit: 'per second',
    goal: { atLeast: 500 },
    note: `${atOnce} replies to ${accounts} accounts, from post to receiver in ${seconds.toFixed(1)} s`,
  });
  const wait = { what: 'Every webhook being recorded', timeoutMs: arriveBoundMs, signal: bench.signal };
  await waitUntil(async () => (await replies.delivered()) === atOnce, wait);
  const distinct = new Set((await receivers.arrivals()).map(({ text }) => text)).size;
  bench.report.check(part, 'each reply arrived exactly once', {
    isSo: arrivals.length === atOnce && distinct === atOnce,
    seen: `${arrivals.length} arrived, ${distinct} different`,
  });
}

/** The first account's server never answers; what the others see of that. */
async function measureBesideOneThatHangs(stage: Stage): Promise<void> {
  const { bench, product, replies, receivers } = stage;
  await replies.prepare((n) => receivers.urlOf(n, n === 0 ? 'hang' : 'well'));
  await product.startWorker();
  const posted = new Map<string, number>();
  const posts: Promise<void>[] = [];
  for (let first = 0; first < paced; first += pacedBatch) {
    for (let n = first; n < first + pacedBatch; n += 1) {
      // A fifth of all is for the one that hangs.
      const account = n % 5 === 0 ? 0 : 1 + (n % (accounts - 1));
      const post = replies.post(account, `reply ${n}`);
      posts.push(post.then((atMs) => void (account !== 0 && posted.set(`reply ${n}`, atMs))));
    }
    await pause(pacedEveryMs, undefined, { signal: bench.signal });
  }
  await Promise.all(posts);
  const arrivals = await arrived(stage, posted);
  const { p50Ms, p99Ms } = waitsOf(arrivals);
  bench.report.figure({
    part,
    name: 'beside a receiver that hangs',
    value: p99Ms,
    unit: 'ms',
    p50Ms,
    p99Ms,
    goal: { p99BelowMs: 1_000 },
    note: `from post to receiver, ${arrivals.length} of ${paced} replies at ${(pacedBatch * 1_000) / pacedEveryMs} a second; the others are for the one that hangs`,
  });
}

/** Waits until all that were posted have come, and tells when each did. */
async function arrived({ bench, receivers }: Stage, posted: Posted): Promise<Parameters<typeof waitsOf>[0]> {
  const what = `The arrival of ${posted.size} webhooks`;
  const wait = { what, timeoutMs: arriveBoundMs, signal: bench.signal };
  await waitUntil(async () => (await receivers.count()) >= posted.size, wait);
  return (await receivers.arrivals()).map(({ text, atMs }) => {
    const acceptedAtMs = posted.get(text);
    if (acceptedAtMs === undefined) throw new Error(`What was not posted has come: ${text}`);
    return { messageId: text, acceptedAtMs, arrivedAtMs: atMs };
  });
}
