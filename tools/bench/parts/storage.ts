import type { Bench } from '../bench.js';
import { bodiesOf } from '../load/bodies.js';
import { applyLoad } from '../load/load.js';
import { waitUntil } from '../processes/children.js';
import { sendWithKeys } from '../product/keyed-sends.js';
import { withProduct, type Product } from '../product/product.js';
import { Receivers } from '../product/receivers.js';
import { gainOf, readSizes, readWal } from '../product/sizes.js';

const part = 'storage';
const accounts = 100;
const drainBoundMs = 600_000;
/** The second run costs several times as many rows a message. */
const keyedShare = 0.25;
const eventsEach = 2;

/** What a message leaves in Postgres, from admission to its receipt: bytes on disk and in the write-ahead log. */
export async function measureStorage(bench: Bench): Promise<void> {
  await withProduct(bench, { part, accounts }, (product) => measurePlainMessages(bench, product));
  await withProduct(bench, { part, accounts }, (product) => measureWithEverything(bench, product));
}

function measurePlainMessages(bench: Bench, product: Product): Promise<void> {
  const { messages: amount } = bench.options;
  return measure(bench, product, 'a message', amount, async () => {
    await applyLoad(bench, { url: product.sendUrl, bodies: bodiesOf(product.prepared.apiKeys), amount });
  });
}

/** Each message has an Idempotency-Key, and its account wants to hear of `message.sent` and `message.delivered`. */
async function measureWithEverything(bench: Bench, product: Product): Promise<void> {
  const { client, apiKeys } = product.prepared;
  const amount = Math.ceil(bench.options.messages * keyedShare);
  const receivers = await Receivers.start(bench.children);
  try {
    await client.query(
      `INSERT INTO webhook_endpoints (account_id, url, events)
       SELECT id, $1, ARRAY['message.sent', 'message.delivered'] FROM accounts`,
      [receivers.urlOf(0, 'well')],
    );
    const name = 'a message with key and two webhooks';
    await measure(bench, product, name, amount, async () => {
      await sendWithKeys(product.prepared, bodiesOf(apiKeys), amount);
      await untilWebhooksArrived(bench, product, amount * eventsEach);
    });
  } finally {
    await receivers.stop();
  }
}

async function measure(
  bench: Bench,
  product: Product,
  name: string,
  amount: number,
  send: () => Promise<void>,
): Promise<void> {
  const { client } = product.prepared;
  await product.startServer();
  await product.startSandbox();
  await product.startWorker();
  const [sizesBefore, walBefore] = [await readSizes(client), await readWal(client)];
  await send();
  await product.untilArrived(amount, drainBoundMs);
  await product.untilDelivered(part);
  const wal = await readWal(client);
  const asWritten = gainOf(sizesBefore, await readSizes(client));
  await client.query('VACUUM FULL');
  const packed = gainOf(sizesBefore, await readSizes(client));

  const each = (bytes: number) => bytes / amount;
  const all = (sizes: typeof packed) => each(sizes.reduce((sum, { heap, indexes }) => sum + heap + indexes, 0));
  const figure = (what: string, value: number, note: string) =>
    bench.report.figure({ part, name: `${name}: ${what}`, value, unit: 'bytes', note });
  figure('on disk', all(asWritten), `${amount} messages, as they were written`);
  figure('on disk, packed', all(packed), 'after VACUUM FULL: rows and indexes without free room');
  for (const { table, heap, indexes } of packed) {
    if (each(heap + indexes) < 1) continue;
    const bytes = (value: number) => Math.round(each(value));
    figure(table, each(heap + indexes), `packed: ${bytes(heap)} in the table, ${bytes(indexes)} in indexes`);
  }
  const fullPages = (wal.fullPages - walBefore.fullPages) / amount;
  figure('write-ahead log', each(wal.bytes - walBefore.bytes), `${fullPages.toFixed(2)} whole pages a message in it`);
}

function untilWebhooksArrived({ signal }: Bench, { prepared }: Product, count: number): Promise<void> {
  const wait = { what: 'The delivery of every webhook', timeoutMs: drainBoundMs, everyMs: 500, signal };
  return waitUntil(async () => {
    const { rows } = await prepared.client.query<{ delivered: number }>(
      `SELECT count(*)::int AS delivered FROM webhook_deliveries WHERE status = 'delivered'`,
    );
    return (rows[0]?.delivered ?? 0) >= count;
  }, wait);
}
