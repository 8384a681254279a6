import type { Bench } from '../bench.js';
import { bodiesOf } from '../load/bodies.js';
import { applyLoad } from '../load/load.js';
import { waitUntil } from '../processes/children.js';
import { withProduct, type Product } from '../product/product.js';

const part = 'fairness';
const probesEach = 5;
const probeBoundMs = 60_000;
const firstArrivals = 50;
/** Outside the numbers that the load writes to. */
const probeRecipients = Array.from(
  { length: 2 * probesEach },
  (_, index) => `+1212555${String(100 + index).padStart(4, '0')}`,
);

/** How long a message of one account takes while another account's messages wait in their thousands. */
export function measureFairness(bench: Bench): Promise<void> {
  const { messages: amount } = bench.options;
  return withProduct(bench, { part, accounts: 2 }, async (product) => {
    const [busy = '', other = ''] = product.prepared.apiKeys;
    await product.startServer();
    await product.startSandbox();
    await applyLoad(bench, { url: product.sendUrl, bodies: bodiesOf([busy]), amount });
    await product.untilAllWait();
    await product.startWorker();
    await product.untilArrived(firstArrivals, probeBoundMs);
    await probe(bench, product, other, 'instant carrier', probeRecipients.slice(0, probesEach));
    await product.carrier.delayAnswers(100);
    await probe(bench, product, other, 'carrier that takes 100 ms', probeRecipients.slice(probesEach));
    await product.carrier.delayAnswers(0);
    await product.untilArrived((await product.books()).messages, 600_000);
    await product.untilDelivered(part);
  });
}

async function probe(
  bench: Bench,
  product: Product,
  apiKey: string,
  name: string,
  recipients: string[],
): Promise<void> {
  const times: number[] = [];
  const waitingAtFirst = await product.queue.size();
  for (const to of recipients) {
    const sentAtMs = Date.now();
    await send(product.sendUrl, to, apiKey);
    const wait = { what: `The arrival at ${to}`, timeoutMs: probeBoundMs, everyMs: 20, signal: bench.signal };
    await waitUntil(async () => (await product.carrier.arrivals(to)).length > 0, wait);
    const [arrival] = await product.carrier.arrivals(to);
    if (!arrival) throw new Error('What has arrived stays');
    times.push(arrival.arrivedAtMs - sentAtMs);
  }
  const waitingAtLast = await product.queue.size();
  bench.report.check(part, 'the other account’s messages still wait when the last probe has arrived', {
    isSo: waitingAtLast > 0,
    seen: `${waitingAtFirst} waiting at first, ${waitingAtLast} at last`,
  });
  bench.report.figure({
    part,
    name: `another account’s message, ${name}`,
    value: Math.max(...times),
    unit: 'ms',
    goal: { below: 1_000 },
    note: `slowest of ${times.length} (${times.join(', ')}) with ${waitingAtFirst} to ${waitingAtLast} waiting`,
  });
}

async function send(url: string, to: string, apikey: string): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ to, message: 'Your table is booked.', apikey }),
    signal: AbortSignal.timeout(probeBoundMs),
  });
  if (!answer.ok) throw new Error(`The server refused a message: ${await answer.text()}`);
}
