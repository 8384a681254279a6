import type { Bench } from '../bench.js';
import { bodiesOf } from '../load.js';
import { isKannelInstalled, smppGroup, withKannel } from '../product/kannel.js';
import { withProduct, type Product } from '../product/product.js';
import { BenchSmsc } from '../product/smsc.js';
import { startCpuMeter } from '../resources.js';
import { reportCost, storePids } from './cost.js';

const accounts = 100;
const sender = '+15005550200';
/** Maximum of submits that wait for their response. */
const window = 10;
const answerMs = 5;
/** Goal in messages per second; the window allows 2,000. */
const atLeast = 1_500;
/** Lowest pace at which queued messages may be sent. */
const slowestPerSecond = 50;
const marginMs = 30_000;
/** Requests to Kannel at a time. */
const senders = 50;

/**
 * Queued messages that one worker submits to an SMSC which answers each after 5 ms, ten at a time;
 * then the same by Kannel's bearerbox, which charges nothing and keeps a file for each message.
 */
export async function measureSmpp(bench: Bench): Promise<void> {
  await measureOurs(bench, 'one worker', false);
  await measureOurs(bench, 'one worker, with receipts', true);
  const name = 'Kannel’s bearerbox';
  if (isKannelInstalled()) await measureKannel(bench, name);
  else bench.report.skip(name, 'it is not installed (Debian’s package kannel)');
}

async function measureOurs(bench: Bench, name: string, hasReceipts: boolean): Promise<void> {
  const { messages: amount } = bench.options;
  const smsc = await BenchSmsc.of(bench);
  const bind = {
    name: 'bench',
    url: `smpp://127.0.0.1:${smsc.port}`,
    system_id: 'bench',
    password: 'bench',
    senders: [sender],
    window,
  };
  await withProduct(bench, { accounts, settings: { SMPP_BINDS: JSON.stringify([bind]) } }, async (product) => {
    const args = ['--as', 'bench', 'region', 'enable', 'USA', '--routes', 'twilio:0', 'bench:100'];
    await bench.children.run({ name: 'admin', file: 'admin/main.js', env: product.prepared.env, args });
    // The first worker of a new installation enqueues all messages once more.
    await bench.children.stop(await product.startWorker());
    await product.startServer();
    await product.send({ amount });
    await product.untilAllEnqueued();
    await smsc.start(answerMs, hasReceipts);
    const worker = await product.startWorker();
    const before = (await smsc.counts()).submits;
    const read = startCpuMeter({ worker: worker.pid, ...(await storePids(product)) });
    await smsc.untilTaken(amount, (amount / slowestPerSecond) * 1_000 + marginMs);
    if (hasReceipts) await untilDelivered(product, amount);
    const used = read();
    await reportRate(bench, smsc, name, hasReceipts ? undefined : atLeast);
    reportCost(bench, `CPU of a message, ${name}`, used, amount - before);
    await checkTaken(bench, product, smsc, amount);
    await product.stop();
    await smsc.stop();
  });
}

async function reportRate({ report }: Bench, smsc: BenchSmsc, name: string, goal: number | undefined): Promise<void> {
  const { perSecond, seconds, answeredAfterMs } = await smsc.rate();
  const note = `in ${seconds.toFixed(1)} s, answered after ${answeredAfterMs.toFixed(1)} ms`;
  report.figure(name, perSecond, 'per second', { note, ...(goal !== undefined && { goal: { atLeast: goal } }) });
}

const countOf = async ({ prepared: { client } }: Product, condition: string) => {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(DISTINCT carrier_id)::int AS count FROM messages WHERE ${condition}`,
  );
  return rows[0]?.count ?? 0;
};

function untilDelivered(product: Product, amount: number): Promise<unknown> {
  const isSo = async () => (await countOf(product, `status = 'delivered'`)) >= amount;
  return product.until('every message is delivered', isSo, marginMs, 250);
}

/** Each message was submitted once, and is recorded with the id that it got. */
async function checkTaken(bench: Bench, product: Product, smsc: BenchSmsc, amount: number): Promise<void> {
  const isRecorded = async () => (await countOf(product, `status IN ('sent', 'delivered')`)) >= amount;
  await product.until('every message is recorded', isRecorded, marginMs, 250);
  const { submits } = await smsc.counts();
  bench.report.check('each message is submitted once', submits === amount, `${submits} submits of ${amount}`);
  await product.checkCredits();
}

async function measureKannel(bench: Bench, name: string): Promise<void> {
  const { messages: amount } = bench.options;
  const smsc = await BenchSmsc.of(bench);
  await smsc.start(answerMs, false);
  // Kannel's queue is full before it sends, as the product's queue before its worker starts.
  await smsc.hold();
  await withKannel(bench, { smsc: smppGroup(smsc.port, window) }, async ({ bearerbox, sendUrl, drain }) => {
    const texts = bodiesOf(['none']).map(
      (body) => JSON.parse(body) as { readonly to: string; readonly message: string },
    );
    const urls = texts.map(({ to, message: text }) => sendUrl({ from: sender, to, text }));
    let next = 0;
    const send = async () => {
      for (let n = (next += 1); n <= amount; n = next += 1) {
        const { status } = await fetch(urls[n % urls.length] ?? '', { signal: bench.signal });
        if (status !== 202) throw new Error(`Kannel answered with ${status}`);
      }
    };
    await Promise.all(Array.from({ length: senders }, send));
    const read = startCpuMeter({ bearerbox: bearerbox.pid });
    await smsc.release();
    await smsc.untilTaken(amount, (amount / slowestPerSecond) * 1_000 + marginMs);
    const used = read();
    await reportRate(bench, smsc, name, undefined);
    reportCost(bench, `CPU of a message, ${name}`, used, amount);
    await drain();
    const { submits } = await smsc.counts();
    bench.report.check('Kannel submits each message once', submits === amount, `${submits} submits of ${amount}`);
  });
  await smsc.stop();
}
