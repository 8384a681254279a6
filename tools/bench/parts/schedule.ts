import { limits } from '#contract/limits.js';
import { ask } from '../../testkit/ask.js';
import type { Bench } from '../bench.js';
import { applyLoad } from '../load.js';
import { waitsOf } from '../product/carrier.js';
import { withProduct, type Product } from '../product/product.js';
import { residentMb, startCpuMeter } from '../resources.js';
import { storePids } from './cost.js';

/** Messages that leave in the same second, each sent and scheduled by itself. */
const together = 10_000;
const bulkSize = limits.bulkMessagesMax;
const bulkBoundMs = 120_000;
const sentBoundMs = 300_000;
const sealedBoundMs = 300_000;
/** Time to accept the messages that leave together, on a busy machine too. */
const aheadMs = 90_000;
const releasedGoalMs = 2_000;
const growthMb = 25;
const dayMs = 86_400_000;
const text = 'Your parcel 40817 arrives today between 2 and 4 pm. Reply STOP to opt out.';

/**
 * `--waiting` messages that are scheduled for the next weeks: their cost while they wait, and the
 * delay of 10,000 messages of one second.
 */
export function measureSchedule(bench: Bench): Promise<void> {
  return withProduct(bench, { accounts: 2 }, async (product) => {
    const { report, options } = bench;
    await product.startServer();
    await product.startSandbox();
    const worker = (await product.startWorker()).pid;
    const [waiting = '', due = ''] = product.prepared.apiKeys;
    await product.warmUp();
    await product.untilDelivered();
    const warmedUp = await product.carrier.count();
    const before = await idleCpu(bench, product, worker);
    const startedMb = await residentMb(worker);

    for (let nth = 0; nth * bulkSize < options.waiting; nth += 1)
      await scheduleBulk(product, waiting, nth, options.waiting);
    await untilSealed(product);
    const name = `${options.waiting.toLocaleString('en-US')} scheduled`;
    const after = await idleCpu(bench, product, worker);
    report.figure(`${name}: idle worker, Postgres and Redis, a second`, after, 'ms', {
      note: `without them ${before.toFixed(1)}`,
    });
    const grownMb = (await residentMb(worker)) - startedMb;
    report.figure(`${name}: worker's memory, growth`, grownMb, 'MB', { goal: { below: growthMb } });

    const sendAtMs = Math.ceil((Date.now() + aheadMs) / 1_000) * 1_000;
    const bodies = Array.from({ length: together }, (_one, n) =>
      JSON.stringify({
        to: `+1415${5_560_000 + n}`,
        message: text,
        apikey: due,
        send_at: new Date(sendAtMs).toISOString(),
      }),
    );
    const { accepted } = await applyLoad(bench, {
      url: `${product.url}/api/sendsms`,
      bodies,
      isSplit: true,
      amount: together,
    });
    report.check(
      'the messages that leave together are accepted before',
      accepted === together && Date.now() < sendAtMs,
      `${accepted}`,
    );
    const releasedAtMs = await untilReleased(product, sendAtMs);
    report.figure(`${together} of one second: all released after`, releasedAtMs - sendAtMs, 'ms', {
      goal: { below: releasedGoalMs },
    });
    await product.untilArrived(warmedUp + together, sentBoundMs);
    const waits = (await product.carrier.arrivals())
      .map(({ arrivedAtMs }) => arrivedAtMs - sendAtMs)
      .filter((ms) => ms >= 0);
    report.check('each arrived once and none before its time', waits.length === together, `${waits.length}`);
    const { p50Ms, p99Ms } = waitsOf(waits);
    report.figure(`${together} of one second: at the carrier`, p50Ms, 'ms', {
      p99Ms,
      note: 'median after their time; one worker sends them',
    });
    await product.checkCredits();
  });
}

/** Schedules each bulk at its own time, from tomorrow on. */
async function scheduleBulk(product: Product, apikey: string, nth: number, total: number): Promise<void> {
  const size = Math.min(bulkSize, total - nth * bulkSize);
  const messages = Array.from({ length: size }, (_one, n) => ({ to: `+1415${5_560_000 + n}`, message: text }));
  const send_at = new Date(Date.now() + dayMs + nth * 60_000).toISOString();
  await ask(`${product.url}/api/sendbulk`, { apikey, messages, send_at }, bulkBoundMs);
}

/** Returns when the worker has sealed the ledger entries of all accepted messages. */
async function untilSealed(product: Product): Promise<void> {
  const isSealed = async () => {
    const { rows } = await product.prepared.client.query(
      `SELECT FROM credit_accounts c
       WHERE ledger_count > coalesce((SELECT max(last) FROM ledger_seals s
         WHERE s.account_id = c.account_id), 0) LIMIT 1`,
    );
    return rows.length === 0;
  };
  await product.until('all ledger entries are sealed', isSealed, sealedBoundMs, 500);
}

/** CPU milliseconds per second of worker, Postgres and Redis with nothing to do. */
async function idleCpu({ options }: Bench, product: Product, worker: number): Promise<number> {
  const read = startCpuMeter({ worker, ...(await storePids(product)) });
  const startedAtMs = performance.now();
  const isOver = () => performance.now() - startedAtMs > options.seconds * 1_000;
  await product.until('the time is over', isOver, options.seconds * 2_000, 100);
  const seconds = (performance.now() - startedAtMs) / 1_000;
  return Object.values(read()).reduce((sum, ms) => sum + ms, 0) / seconds;
}

/** Returns when the last schedule of an instant was taken. */
async function untilReleased(product: Product, sendAtMs: number): Promise<number> {
  const isReleased = async () => {
    if (Date.now() < sendAtMs) return false;
    const { rows } = await product.prepared.client.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM message_checks WHERE kind = 'scheduled' AND due_at <= now()`,
    );
    return rows[0]?.count === 0;
  };
  await product.until('scheduled messages are released', isReleased, aheadMs + bulkBoundMs, 20);
  return Date.now();
}
