import type { Client } from 'pg';
import type { Bench } from '../bench.js';
import { bodiesOf } from '../load.js';
import { readWal } from '../product/database.js';
import { withProduct, type Product } from '../product/product.js';
import { Receivers } from '../product/receivers.js';
import { untilWebhooksDelivered } from './webhooks.js';

const accounts = 100;
const drainBoundMs = 600_000;
/** The second run costs several times as many rows a message. */
const keyedShare = 0.25;
const eventsEach = 2;

/**
 * Storage of a message in Postgres from acceptance to its delivery receipt: bytes on disk and in
 * the write-ahead log.
 */
export async function measureStorage(bench: Bench): Promise<void> {
  const { messages: amount } = bench.options;
  await withProduct(bench, { accounts }, (product) =>
    measure(bench, product, 'a message', amount, async () => {
      await product.send({ amount });
    }),
  );
  await withProduct(bench, { accounts }, (product) => measureWithEverything(bench, product));
}

/**
 * Each message has an Idempotency-Key, and its account subscribes to `message.sent` and
 * `message.delivered`.
 */
async function measureWithEverything(bench: Bench, product: Product): Promise<void> {
  const { client, apiKeys } = product.prepared;
  const amount = Math.ceil(bench.options.messages * keyedShare);
  const receivers = await Receivers.start();
  try {
    await client.query(
      `INSERT INTO webhook_endpoints (account_id, url, events)
       SELECT id, $1, ARRAY['message.sent', 'message.delivered'] FROM accounts`,
      [receivers.urlOf(0, 'well')],
    );
    const name = 'a message with key and two webhooks';
    await measure(bench, product, name, amount, async () => {
      const messages = bodiesOf(apiKeys);
      const bodies = Array.from({ length: amount }, (_, n) => messages[n % messages.length] ?? '');
      const headers = bodies.map((_, n) => ({ 'idempotency-key': `order-${n}-4f6f2f9c1b3d` }));
      await product.send({ bodies, headers, amount, isSplit: true });
      await untilWebhooksDelivered(product, amount * eventsEach, drainBoundMs);
    });
  } finally {
    receivers.stop();
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
  await product.untilDelivered();
  const wal = await readWal(client);
  const asWritten = gainOf(sizesBefore, await readSizes(client));
  await client.query('VACUUM FULL');
  const packed = gainOf(sizesBefore, await readSizes(client));

  const each = (bytes: number) => bytes / amount;
  const all = (sizes: typeof packed) => each(sizes.reduce((sum, { heap, indexes }) => sum + heap + indexes, 0));
  const figure = (what: string, value: number, note: string) =>
    bench.report.figure(`${name}: ${what}`, value, 'bytes', { note });
  figure('on disk', all(asWritten), `${amount} messages, as they were written`);
  figure('on disk, packed', all(packed), 'after VACUUM FULL: rows and indexes without free space');
  for (const { table, heap, indexes } of packed) {
    if (each(heap + indexes) < 1) continue;
    const bytes = (value: number) => Math.round(each(value));
    figure(table, each(heap + indexes), `packed: ${bytes(heap)} in the table, ${bytes(indexes)} in indexes`);
  }
  const fullPages = (wal.fullPages - walBefore.fullPages) / amount;
  figure('write-ahead log', each(wal.bytes - walBefore.bytes), `${fullPages.toFixed(2)} full pages per message in it`);
}

/** Bytes of a table; `heap` includes its partitions, TOAST and maps. */
interface TableSize {
  readonly table: string;
  readonly heap: number;
  readonly indexes: number;
}

/** Sizes of the product's tables, a partitioned table as a whole; largest first. */
async function readSizes(client: Client): Promise<TableSize[]> {
  const { rows } = await client.query<TableSize>(
    `SELECT coalesce(parent.relname, one.relname) AS table,
       sum(pg_table_size(one.oid))::float8 AS heap, sum(pg_indexes_size(one.oid))::float8 AS indexes
     FROM pg_class one
     LEFT JOIN pg_inherits part ON part.inhrelid = one.oid
     LEFT JOIN pg_class parent ON parent.oid = part.inhparent
     WHERE one.relkind = 'r' AND one.relnamespace = 'public'::regnamespace
     GROUP BY 1
     ORDER BY sum(pg_total_relation_size(one.oid)) DESC, 1`,
  );
  return rows;
}

/** Growth of each table from `before` to `after`. */
export function gainOf(before: readonly TableSize[], after: readonly TableSize[]): TableSize[] {
  return after.map(({ table, heap, indexes }) => {
    const earlier = before.find((one) => one.table === table);
    return { table, heap: heap - (earlier?.heap ?? 0), indexes: indexes - (earlier?.indexes ?? 0) };
  });
}
