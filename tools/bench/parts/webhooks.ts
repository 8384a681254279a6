import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Bench, Secrets } from '../bench.js';
import { arrivalRate, waitsOf } from '../product/carrier.js';
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

/**
 * Replies on their way to webhook receivers: the rate, and the time of a reply while another
 * receiver hangs.
 */
export async function measureWebhooks(bench: Bench): Promise<void> {
  await withReceivers(bench, 'well', measureThroughput);
  await withReceivers(bench, 'hang', measureBesideOneThatHangs);
}

type Measure = (bench: Bench, product: Product, receivers: Receivers) => Promise<void>;

/** Measures with the product and receivers, the first of which answers or hangs. */
function withReceivers(bench: Bench, first: 'well' | 'hang', measure: Measure): Promise<void> {
  return withProduct(bench, { accounts }, async (product) => {
    const receivers = await Receivers.start();
    try {
      await product.startServer();
      await prepareReplies(product, (n) => receivers.urlOf(n, n === 0 ? first : 'well'));
      await product.startWorker();
      await measure(bench, product, receivers);
    } finally {
      receivers.stop();
    }
  });
}

/** Replies posted as fast as the server accepts them, to receivers that answer at once. */
async function measureThroughput(bench: Bench, product: Product, receivers: Receivers): Promise<void> {
  const url = `${product.url}${path}`;
  const replies = Array.from({ length: atOnce }, (_, n) => replyOf(bench, url, n % accounts, `reply ${n}`));
  const [bodies, headers] = [replies.map(({ body }) => body), replies.map((reply) => reply.headers)];
  const load = await product.send({ url, bodies, headers, isSplit: true, amount: atOnce });
  bench.report.figure('replies accepted', load.perSecond, 'per second');
  const { arrivals } = receivers;
  const isSo = () => arrivals.length >= atOnce;
  await product.until('all webhooks have arrived', isSo, arriveBoundMs, 100);
  const { perSecond, seconds } = arrivalRate(arrivals.map(({ atMs }) => atMs));
  const note = `${atOnce} replies to ${accounts} accounts, from post to receiver in ${seconds.toFixed(1)} s`;
  bench.report.figure('at receivers that answer at once', perSecond, 'per second', { goal: { atLeast: 500 }, note });
  await untilWebhooksDelivered(product, atOnce, arriveBoundMs);
  const distinct = new Set(arrivals.map(({ text }) => text)).size;
  const isOnce = arrivals.length === atOnce && distinct === atOnce;
  bench.report.check('each reply arrived exactly once', isOnce, `${arrivals.length} arrived, ${distinct} different`);
}

/** The first account's receiver never answers; measures the time of the others. */
async function measureBesideOneThatHangs(bench: Bench, product: Product, receivers: Receivers): Promise<void> {
  const posts: Promise<void>[] = [];
  for (let first = 0; first < paced; first += pacedBatch) {
    for (let n = first; n < first + pacedBatch; n += 1) {
      // A fifth of all replies is for the hanging receiver. The text of the others is the time of
      // posting.
      const account = n % 5 === 0 ? 0 : 1 + (n % (accounts - 1));
      posts.push(post(bench, `${product.url}${path}`, account, `${Date.now()} ${n}`));
    }
    await pause(pacedEveryMs, undefined, { signal: bench.signal });
  }
  await Promise.all(posts);
  const { arrivals } = receivers;
  const isSo = () => arrivals.length >= (paced * 4) / 5;
  await product.until('the webhooks of the others have arrived', isSo, arriveBoundMs, 100);
  const waits = waitsOf(arrivals.map(({ text, atMs }) => atMs - Number(text.split(' ')[0])));
  const pace = (pacedBatch * 1_000) / pacedEveryMs;
  const note =
    `from post to receiver, ${arrivals.length} of ${paced} replies at ${pace} a second; the others are ` +
    'for the one that hangs';
  bench.report.figure('beside a receiver that hangs', waits.p99Ms, 'ms', {
    ...waits,
    goal: { p99BelowMs: 1_000 },
    note,
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
    `INSERT INTO messages (id, account_id, number, kind, recipient, country, sender, body, segments, credits,
      status, claimed_at, sent_at)
     SELECT gen_random_uuid(), id, 1, 'sms', recipient, 'US', $3, 'Are you coming?', 1, 1, 'delivered', now(), now()
     FROM unnest($1::uuid[], $2::text[]) AS n (id, recipient)`,
    [ids, ids.map((_id, n) => personOf(n)), ourNumber],
  );
}

/** Posts a reply. Throws when it is refused. */
async function post(bench: Bench, url: string, account: number, text: string): Promise<void> {
  const answer = await fetch(url, { method: 'POST', signal: bench.signal, ...replyOf(bench, url, account, text) });
  const given = await answer.text();
  if (answer.status !== 200) throw new Error(`A reply was answered ${answer.status}: ${given}`);
}

/** A reply by Twilio: https://www.twilio.com/docs/messaging/guides/webhook-request */
function replyOf({ secrets }: Bench, url: string, account: number, text: string) {
  const sid = `SM${randomBytes(16).toString('hex')}`;
  const reply = { Body: text, From: personOf(account), MessageSid: sid, NumSegments: '1', To: ourNumber };
  return signedForm(secrets, url, { AccountSid: secrets.accountSid, ...reply });
}

/**
 * A form as Twilio posts and signs it (https://www.twilio.com/docs/usage/security); the fields are
 * in the order of their names.
 */
export function signedForm(secrets: Pick<Secrets, 'authToken'>, url: string, given: Readonly<Record<string, string>>) {
  const fields = new URLSearchParams(given);
  const signature = createHmac('sha1', secrets.authToken)
    .update(`${url}${[...fields].flat().join('')}`)
    .digest('base64');
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature };
  return { body: fields.toString(), headers };
}

/** Numbers reserved for fiction. */
function personOf(account: number): string {
  return `+1202555${String(100 + account).padStart(4, '0')}`;
}
