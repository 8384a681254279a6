import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
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
/** The sandbox keeps 400,000 messages; below that each can be identified at the end. */
const identifiedMax = 300_000;

/** What a second worker adds, and whether a very long queue costs memory or time. */
export async function measureScaling(bench: Bench): Promise<void> {
  await measureWorkers(bench, 'instant carrier', 0);
  await measureWorkers(bench, 'carrier that takes 100 ms', 100);
  await measureLongQueue(bench);
}

/**
 * Queued messages sent by one worker and by two. The rounds are one, two, two, one, so that a machine whose speed drifts
 * affects both alike.
 */
function measureWorkers(bench: Bench, carrier: string, delayMs: number): Promise<void> {
  return withProduct(bench, { accounts }, async (product) => {
    await product.startServer();
    await product.startSandbox();
    await product.carrier.delayAnswers(delayMs);
    await product.startWorker();
    await round(bench, product);
    const one = [await round(bench, product)];
    const second = await product.startAnotherWorker();
    await round(bench, product);
    const two = [await round(bench, product), await round(bench, product)];
    await second.stop();
    one.push(await round(bench, product));
    await product.untilDelivered();
    for (const [name, rates] of Object.entries({ 'one worker': one, 'two workers': two })) {
      const note = `rounds: ${rates.map((rate) => rate.toFixed(0)).join(', ')}; ${availableParallelism()} cores for all programs`;
      const mean = rates.reduce((sum, rate) => sum + rate) / rates.length;
      bench.report.figure(`${name}, ${carrier}`, mean, 'per second', { note });
    }
  });
}

/** Messages per second from the first arrival to the last. */
async function round(bench: Bench, product: Product): Promise<number> {
  const amount = Math.ceil(bench.options.messages / 4);
  await product.queue.pause();
  await product.send({ amount });
  const messages = await product.countMessages();
  await product.untilEnqueued(amount);
  const openedAtMs = Date.now();
  await product.queue.resume();
  await product.untilArrived(messages, (amount / slowestPerSecond) * 1_000 + 30_000);
  const times = (await product.carrier.arrivals()).map(({ arrivedAtMs }) => arrivedAtMs);
  return arrivalRate(times.filter((atMs) => atMs >= openedAtMs)).perSecond;
}

/**
 * Very many messages of a hundred accounts: the worker's recovery enqueues them, then the worker sends them. Measures its
 * memory, its pace, and how long one-time passwords of one of the accounts take meanwhile.
 */
function measureLongQueue(bench: Bench): Promise<void> {
  const { report } = bench;
  return withProduct(bench, { accounts }, async (product) => {
    const amount = await insertWaitingMessages(product.prepared.client, bench.options.waiting);
    const name = `${amount.toLocaleString('en-US')} waiting`;
    await product.startServer();
    await product.startSandbox();
    await product.queue.pause();
    const { pid } = await product.startWorker();
    const startedMb = await residentMb(pid);
    const startedAtMs = Date.now();
    await product.untilEnqueued(amount, 60_000 + amount * 5);
    report.figure(`${name}: enqueued`, (amount * 1_000) / (Date.now() - startedAtMs), 'per second');
    const enqueuedMb = await residentMb(pid);
    await product.queue.resume();

    const over = new AbortController();
    const probing = probe(bench, product, over.signal);
    const { perSecond, memoryMb } = await drain(bench, product, pid, amount).finally(() => over.abort());
    const times = await probing;
    report.figure(`${name}: to carrier`, perSecond, 'per second');
    const tenths = memoryMb.map((mb) => mb.toFixed(0)).join(', ');
    report.figure(
      `${name}: worker's memory, last tenth less first`,
      (memoryMb.at(-1) ?? NaN) - (memoryMb[0] ?? NaN),
      'MB',
      {
        goal: { below: growthMb },
        note: `started ${startedMb.toFixed(0)}, all enqueued ${enqueuedMb.toFixed(0)}, after each tenth ${tenths} MB`,
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

/** Waits until all are sent. Returns the pace, and the worker's resident memory after each tenth of the messages. */
async function drain({ report }: Bench, product: Product, pid: number, amount: number) {
  const startedAtMs = Date.now();
  const memoryMb: number[] = [];
  const perSecond = (sent: number) => (sent * 1_000) / (Date.now() - startedAtMs);
  for (let step = 1; step <= steps; step += 1) {
    const sent = Math.floor((amount * step) / steps);
    await product.untilArrived(sent, amount * 20);
    memoryMb.push(await residentMb(pid));
    const pace = perSecond(sent).toFixed(0);
    report.progress(`scaling: ${sent} sent; worker ${memoryMb.at(-1)?.toFixed(0)} MB; ${pace} per second so far`);
  }
  return { perSecond: perSecond(amount), memoryMb };
}

/** Sends one-time passwords one after the other; returns the time of each until it is at the carrier. */
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

// A UUIDv7 of now (RFC 9562, 5.7), as the server makes them.
const newId = `(lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint), 12, '0') || '7' || substr(md5(random()::text), 1, 3)
  || '8' || substr(md5(random()::text), 1, 15))::uuid`;

/** Writes what acceptance writes for messages of one segment to the USA, for one account. */
const acceptedMessages = `
WITH made AS MATERIALIZED (
  SELECT n, ${newId} AS id FROM generate_series(1, $2::int) AS n
),
stored AS (
  INSERT INTO messages (id, account_id, number, kind, recipient, country, sender, body, segments, credits, due_at, created_at)
  SELECT id, $1, n, 'sms', '+1202555' || lpad((100 + n % 100)::text, 4, '0'), 'US', '+15005550006',
    'Your parcel 40817 arrives today between 2 and 4 pm. Reply STOP to opt out.', 1, 1, now() + interval '15 seconds', now()
  FROM made
),
entered AS (
  INSERT INTO ledger_entries (account_id, number, amount, balance_after, kind, source_id, created_at)
  SELECT $1, c.ledger_count + n, -1, c.balance - n, 'message', made.id::text, now()
  FROM made, credit_accounts c WHERE c.account_id = $1
)
UPDATE credit_accounts
SET balance = balance - $2, used = used + $2, ledger_count = ledger_count + $2, sent_count = sent_count + $2, updated_at = now()
WHERE account_id = $1`;

/**
 * Writes accepted messages in SQL, equally many for each account, as a server needs minutes for a million. None is enqueued:
 * the worker's recovery finds them, as after a loss of Redis. Returns their number.
 */
async function insertWaitingMessages(client: Client, amount: number): Promise<number> {
  const { rows } = await client.query<{ id: string }>('SELECT id FROM accounts');
  const each = Math.ceil(amount / rows.length);
  for (const { id } of rows) await client.query(acceptedMessages, [id, each]);
  await client.query('ANALYZE messages');
  return each * rows.length;
}
