import { randomBytes } from 'node:crypto';
import type { Program } from '../../testkit/program.js';
import type { Bench } from '../bench.js';
import { applyLoad, bodiesOf, type LoadResult } from '../load.js';
import { readWal, withDatabase } from '../product/database.js';
import { withProduct, type Product } from '../product/product.js';
import { signedForm } from './webhooks.js';
import { postgresPid, redisInfo, startCpuMeter, type CpuTimes } from '../resources.js';

const accounts = 100;
/** Ending of the names of figures with one carrier, not three. */
export const ONE_CARRIER = ', one carrier';
const walBytesMax = 1_900;

/**
 * CPU time by process of an empty request, of acceptance alone and of a message's whole lifecycle, with the three
 * carriers of `npm start` and with one, and bytes of log.
 */
export async function measureCost(bench: Bench): Promise<void> {
  await measureEmptyHandler(bench);
  for (const hasThreeCarriers of [true, false]) {
    const wanted = { accounts, hasThreeCarriers };
    const suffix = hasThreeCarriers ? '' : ONE_CARRIER;
    await withProduct(bench, wanted, (product) => measureAcceptance(bench, product, suffix));
    await withProduct(bench, wanted, (product) => measureLifecycle(bench, product, suffix));
  }
}

/** Measures a POST on the same HTTP adapter that reads a body and answers as the product. */
function measureEmptyHandler(bench: Bench): Promise<void> {
  const { children, options } = bench;
  return withDatabase(bench, { accounts }, async ({ place, env, apiKeys }) => {
    const spec = { name: 'empty handler', file: children.taskFile('empty-handler'), env };
    const program = await children.start(spec, `${place.serverUrl}/healthz`);
    const load = { url: `${place.serverUrl}/api/sendsms`, bodies: bodiesOf(apiKeys), amount: options.messages };
    await applyLoad(bench, load);
    const read = startCpuMeter({ server: program.pid });
    await applyLoad(bench, load);
    reportCost(bench, 'empty handler', read(), options.messages);
    await children.stop(program);
  });
}

async function measureAcceptance(bench: Bench, product: Product, suffix: string): Promise<void> {
  const server = await product.startServer();
  await product.send({ amount: bench.options.messages / 2 });
  await product.untilAllEnqueued();
  const read = startCpuMeter({ server: server.pid, ...(await storePids(product)) });
  await product.send({ amount: bench.options.messages });
  await product.untilAllEnqueued();
  reportCost(bench, `acceptance${suffix}`, read(), bench.options.messages);
  await product.checkCredits();
  if (suffix !== ONE_CARRIER) return;
  const testKeys = product.prepared.apiKeys.map((apiKey) => `${apiKey}_test`);
  await measureRequests(bench, product, server, 'acceptance in test mode', () =>
    product.send({ amount: bench.options.messages }, testKeys),
  );
  const { rows } = await product.prepared.client.query<{ id: string }>(
    'SELECT id FROM messages ORDER BY id DESC LIMIT $1',
    [bench.options.messages],
  );
  const carrierIds = rows.map(() => `SM${randomBytes(16).toString('hex')}`);
  const ids = rows.map(({ id }) => id);
  await sendReceipts(bench, product, ids, carrierIds, 'sent');
  await measureRequests(bench, product, server, 'receipt that repeats a state', () =>
    sendReceipts(bench, product, ids, carrierIds, 'sent'),
  );
  await measureRequests(bench, product, server, 'receipt of a delivery', () =>
    sendReceipts(bench, product, ids, carrierIds, 'delivered'),
  );
}

async function measureRequests(
  bench: Bench,
  product: Product,
  server: Program,
  name: string,
  send: () => Promise<LoadResult>,
): Promise<void> {
  const read = startCpuMeter({ server: server.pid, ...(await storePids(product)) });
  const { accepted, refused, broken } = await send();
  reportCost(bench, name, read(), bench.options.messages);
  bench.report.check(`${name}: every request is answered 2xx`, refused + broken === 0, `${accepted} were`);
}

/** One status callback per message, as Twilio posts it. */
function sendReceipts(
  { secrets }: Bench,
  product: Product,
  ids: readonly string[],
  carrierIds: readonly string[],
  status: string,
): Promise<LoadResult> {
  const paths = ids.map((id) => `/webhooks/twilio/status?message_id=SM${id.replaceAll('-', '')}`);
  const forms = carrierIds.map((sid, n) =>
    signedForm(secrets, `${product.url}${paths[n]}`, {
      AccountSid: secrets.accountSid,
      ApiVersion: '2010-04-01',
      From: '+15005550006',
      MessageSid: sid,
      MessageStatus: status,
      SmsSid: sid,
      SmsStatus: status,
      To: '+12025550100',
    }),
  );
  const [bodies, headers] = [forms.map(({ body }) => body), forms.map((form) => form.headers)];
  return product.send({ paths, bodies, headers, isSplit: true, amount: ids.length });
}

/**
 * Measures from acceptance to the last delivery receipt, while a worker sends; the sandbox does not
 * count.
 */
async function measureLifecycle(bench: Bench, product: Product, suffix: string): Promise<void> {
  const { messages: amount } = bench.options;
  const { client } = product.prepared;
  const server = await product.startServer();
  await product.startSandbox();
  const worker = await product.startWorker();
  await product.send({ amount: amount / 2 });
  await product.untilSettled();
  const walBefore = await readWal(client);
  const read = startCpuMeter({ server: server.pid, worker: worker.pid, ...(await storePids(product)) });
  await product.send({ amount });
  await product.untilSettled();
  reportCost(bench, `whole lifecycle${suffix}`, read(), amount);
  const bytes = ((await readWal(client)).bytes - walBefore.bytes) / amount;
  bench.report.figure(`write-ahead log of a message${suffix}`, bytes, 'bytes', { goal: { below: walBytesMax } });
  await product.untilDelivered();
}

/** The processes of Redis and Postgres. */
export async function storePids({ prepared: { client, place } }: Product): Promise<Record<string, number>> {
  return {
    Redis: Number((await redisInfo(place.redisUrl))('process_id')),
    Postgres: await postgresPid(client),
  };
}

/** Reports CPU time by process, per 1,000 messages. */
export function reportCost({ report }: Bench, name: string, times: CpuTimes, messages: number): void {
  const each = Object.entries(times).map(([process, ms]) => [process, (ms * 1_000) / messages] as const);
  const sum = each.reduce((total, [, ms]) => total + ms, 0);
  report.figure(name, sum, 'CPU ms per 1,000', { by: Object.fromEntries(each) });
}
