import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Bench } from '../bench.js';
import { connections } from '../load.js';
import { arrivalRate, waitsOf, type Arrival } from '../product/carrier.js';
import { withProduct, type Product } from '../product/product.js';
import { Receivers } from '../product/receivers.js';

const accounts = 100;
const atOnce = 5_000;
const paced = 1_000;
const pacedBatch = 20;
const pacedEveryMs = 100;
const arriveBoundMs = 120_000;
const path = '/webhooks/twilio/inbound';
/** The product's only sender: people reply to it. */
const ourNumber = '+15005550006';

/** Replies on their way to webhook receivers: the rate, and how long one takes while another receiver hangs. */
export async function measureWebhooks(bench: Bench): Promise<void> {
  await withReplies(bench, 'well', measureThroughput);
  await withReplies(bench, 'hang', measureBesideOneThatHangs);
}

interface Stage {
  readonly bench: Bench;
  readonly product: Product;
  readonly receivers: Receivers;
  /** Posts a reply to an account and remembers when. */
  readonly post: (account: number, text: string) => Promise<void>;
  readonly postedAtMs: Map<string, number>;
}

/** Runs `work` with the product and receivers, of which the first one answers or hangs. */
function withReplies(bench: Bench, first: 'well' | 'hang', work: (stage: Stage) => Promise<void>): Promise<void> {
  return withProduct(bench, { accounts }, async (product) => {
    const receivers = await Receivers.start(bench.children);
    const pool = new Pool(product.url, { connections });
    const postedAtMs = new Map<string, number>();
    const post = async (account: number, text: string) => {
      postedAtMs.set(text, Date.now());
      await postReply(bench, product, pool, account, text);
    };
    try {
      await product.startServer();
      await prepareReplies(product, (n) => receivers.urlOf(n, n === 0 ? first : 'well'));
      await product.startWorker();
      await work({ bench, product, receivers, post, postedAtMs });
    } finally {
      await pool.close();
      await bench.children.stop(receivers.program);
    }
  });
}

/** Replies posted as fast as the server accepts them, to receivers that answer at once. */
async function measureThroughput(stage: Stage): Promise<void> {
  const { bench, product, post } = stage;
  const startedAtMs = Date.now();
  const rest = Array.from({ length: atOnce }, (_, n) => n).values();
  const lane = async () => {
    for (const n of rest) await post(n % accounts, `reply ${n}`);
  };
  await Promise.all(Array.from({ length: connections }, lane));
  bench.report.figure('replies accepted', (atOnce * 1_000) / (Date.now() - startedAtMs), 'per second');
  const arrivals = await untilArrived(stage);
  const { perSecond, seconds } = arrivalRate(arrivals);
  const note = `${atOnce} replies to ${accounts} accounts, from post to receiver in ${seconds.toFixed(1)} s`;
  bench.report.figure('at receivers that answer at once', perSecond, 'per second', { goal: { atLeast: 500 }, note });
  await untilWebhooksDelivered(product, atOnce, arriveBoundMs);
  const all = (await stage.receivers.arrivals()).map(({ text }) => text);
  const distinct = new Set(all).size;
  const isOnce = all.length === atOnce && distinct === atOnce;
  bench.report.check('each reply arrived exactly once', isOnce, `${all.length} arrived, ${distinct} different`);
}

/** The first account's receiver never answers; measures the time of the others. */
async function measureBesideOneThatHangs(stage: Stage): Promise<void> {
  const { bench, post, postedAtMs } = stage;
  const posts: Promise<void>[] = [];
  for (let first = 0; first < paced; first += pacedBatch) {
    for (let n = first; n < first + pacedBatch; n += 1) {
      // A fifth of all is for the one that hangs.
      posts.push(n % 5 === 0 ? post(0, 'no answer') : post(1 + (n % (accounts - 1)), `reply ${n}`));
    }
    await pause(pacedEveryMs, undefined, { signal: bench.signal });
  }
  await Promise.all(posts);
  postedAtMs.delete('no answer');
  const arrivals = await untilArrived(stage);
  const waits = waitsOf(arrivals);
  const pace = (pacedBatch * 1_000) / pacedEveryMs;
  const note = `from post to receiver, ${arrivals.length} of ${paced} replies at ${pace} a second; the others are for the one that hangs`;
  const extras = { ...waits, goal: { p99BelowMs: 1_000 }, note };
  bench.report.figure('beside a receiver that hangs', waits.p99Ms, 'ms', extras);
}

/** Waits until all posted replies have arrived, and returns when each did. */
async function untilArrived({ product, receivers, postedAtMs }: Stage): Promise<Arrival[]> {
  const { size } = postedAtMs;
  const isSo = async () => (await receivers.count()) >= size;
  await product.until(`${size} webhooks have arrived`, isSo, arriveBoundMs, 100);
  return (await receivers.arrivals()).map(({ text, atMs }) => {
    const acceptedAtMs = postedAtMs.get(text);
    if (acceptedAtMs === undefined) throw new Error(`A reply arrived that was not posted: ${text}`);
    return { messageId: text, acceptedAtMs, arrivedAtMs: atMs };
  });
}

/** Waits until this many webhooks are recorded as delivered. */
export async function untilWebhooksDelivered(product: Product, count: number, timeoutMs: number): Promise<void> {
  const isSo = async () => {
    const { rows } = await product.prepared.client.query<{ delivered: number }>(
      `SELECT count(*)::int AS delivered FROM webhook_deliveries WHERE status = 'delivered'`,
    );
    return (rows[0]?.delivered ?? 0) >= count;
  };
  await product.until(`${count} webhooks are delivered`, isSo, timeoutMs, 200);
}

/** Sets every account's webhook URL and inserts a message from each to its person. */
async function prepareReplies({ prepared: { client } }: Product, urlOf: (account: number) => string): Promise<void> {
  const { rows } = await client.query<{ id: string }>('SELECT id FROM accounts ORDER BY id');
  const ids = rows.map(({ id }) => id);
  await client.query('INSERT INTO webhook_endpoints (account_id, url) SELECT * FROM unnest($1::uuid[], $2::text[])', [
    ids,
    ids.map((_id, n) => urlOf(n)),
  ]);
  await client.query(
    `INSERT INTO messages (id, account_id, number, kind, recipient, country, sender, body, segments, credits, status, claimed_at, sent_at)
     SELECT gen_random_uuid(), id, 1, 'sms', recipient, 'US', $3, 'Are you coming?', 1, 1, 'delivered', now(), now()
     FROM unnest($1::uuid[], $2::text[]) AS n (id, recipient)`,
    [ids, ids.map((_id, n) => personOf(n)), ourNumber],
  );
}

/** Posts and signs a reply as Twilio does: https://www.twilio.com/docs/usage/security. Throws when it is refused. */
async function postReply(
  { secrets }: Bench,
  { url }: Product,
  pool: Pool,
  account: number,
  text: string,
): Promise<void> {
  const sid = `SM${randomBytes(16).toString('hex')}`;
  const reply = { Body: text, From: personOf(account), MessageSid: sid, NumSegments: '1', To: ourNumber };
  // In the order of names.
  const fields = new URLSearchParams({ AccountSid: secrets.accountSid, ...reply });
  const signed = `${url}${path}${[...fields].flat().join('')}`;
  const signature = createHmac('sha1', secrets.authToken).update(signed).digest('base64');
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature };
  const answer = await pool.request({ path, method: 'POST', headers, body: fields.toString() });
  const body = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`A reply was answered ${answer.statusCode}: ${body}`);
}

/** Numbers reserved for fiction. */
function personOf(account: number): string {
  return `+1202555${String(100 + account).padStart(4, '0')}`;
}
