import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { createServiceDatabase } from '../../testkit/citus.js';
import { freePort } from '../../testkit/ports.js';
import { run, StartError } from '../../testkit/program.js';
import { findCommand } from '../../testkit/redis.js';
import { until } from '../../testkit/until.js';
import type { Bench } from '../bench.js';
import { bodiesOf, connections } from '../load.js';
import { isKannelInstalled, smppGroup, withKannel, type Kannel } from '../product/kannel.js';
import { withProduct, type Product } from '../product/product.js';
import { BenchSmsc } from '../product/smsc.js';
import { postgresPid, startCpuMeter } from '../resources.js';
import { reportCost, storePids } from './cost.js';

const accounts = 100;
const installBoundMs = 600_000;
const marginMs = 30_000;
const settleBoundMs = 600_000;
/** Messages that may wait for the response of the SMSC. */
const SMPP_WINDOW = 100;
const warmUpSeconds = 3;
const fakeSmsc = '/usr/lib/kannel/test/fakesmsc';
const text = 'Your parcel 40817 arrives today between 2 and 4 pm. Reply STOP to opt out.';

/**
 * The same load by wrk on Kannel (https://www.kannel.org/), an SMS gateway in C, and on the product with the three
 * carriers of `npm start`. Kannel's smsbox accepts, its bearerbox stores each message as a file and passes it to a
 * fake SMS center; nothing is charged and no receipt comes back. Then the same with receipts, which Kannel awaits in
 * Postgres and pushes by HTTP.
 */
export async function measurePeers(bench: Bench): Promise<void> {
  await install(bench);
  await measureKannel(bench);
  await measureKannelWithReceipts(bench);
  const wanted = { accounts, hasThreeCarriers: true };
  await withProduct(bench, wanted, (product) => measureOurs(bench, product, false));
  await withProduct(bench, wanted, (product) => measureOurs(bench, product, true));
}

/** Installs what is missing, as root on Debian; throws StartError elsewhere. */
async function install({ report }: Bench): Promise<void> {
  if (isKannelInstalled() && findCommand('wrk')) return;
  const packages = ['kannel', 'kannel-extras', 'wrk'];
  report.progress(`peers: apt-get install ${packages.join(' ')}`);
  // Debian starts no service of a package that is installed in runlevel 1.
  const options = { timeoutMs: installBoundMs, env: { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' } };
  const isRoot = process.getuid?.() === 0 && findCommand('apt-get') !== undefined;
  const result = isRoot && (await run('apt-get', ['install', '-y', '--no-install-recommends', ...packages], options));
  if (!result || result.code !== 0) throw new StartError(`Part peers needs Debian's packages ${packages.join(', ')}.`);
}

async function measureKannel(bench: Bench): Promise<void> {
  const { children } = bench;
  const smsc = await freePort();
  await withKannel(bench, { smsc: groupOf(smsc) }, async ({ bearerbox, smsbox, shows, sendUrl, drain }) => {
    // The SMS center sends no messages itself and takes every message.
    const center = ['-H', '127.0.0.1', '-r', String(smsc), '-v', '4', '-m', '0', '1 2 text none'];
    const fake = await children.start({ name: 'fakesmsc', command: fakeSmsc, args: center }, shows(/fake\S* .*online/));
    const { origin, requests } = kannelRequests(sendUrl);
    await wrk(bench, origin, requests, warmUpSeconds);
    await drain();
    const read = startCpuMeter({ smsbox: smsbox.pid, bearerbox: bearerbox.pid });
    const load = await wrk(bench, origin, requests, bench.options.seconds);
    await drain();
    reportLoad(bench, 'Kannel', load);
    reportCost(bench, 'CPU of a message, Kannel', read(), load.requests);
    await children.stop(fake);
  });
}

/** Receipts come from an SMSC of the bench, and are pushed to a server that counts them. */
async function measureKannelWithReceipts(bench: Bench): Promise<void> {
  const smsc = await BenchSmsc.of(bench);
  await smsc.start(0, true);
  const database = await createServiceDatabase(bench.services.databaseUrl, 'pennytext_bench');
  let pushed = 0;
  const receiver = createServer((_request, response) => {
    pushed += 1;
    response.end();
  });
  receiver.keepAliveTimeout = marginMs;
  const receiverPort = await freePort();
  await once(receiver.listen(receiverPort, '127.0.0.1'), 'listening');
  try {
    const wanted = { smsc: smppGroup(smsc.port, SMPP_WINDOW), receiptsUrl: database.url };
    await withKannel(bench, wanted, async ({ bearerbox, smsbox, sendUrl, drain }) => {
      const receipt = { 'dlr-url': `http://127.0.0.1:${receiverPort}/receipt?status=%d`, 'dlr-mask': '3' } as const;
      const { origin, requests } = kannelRequests(sendUrl, receipt);
      const settle = async (accepted: number) => {
        await drain();
        const isPushed = () => pushed >= accepted;
        await until('all receipts are pushed', isPushed, { timeoutMs: settleBoundMs, signal: bench.signal });
      };
      const warm = await wrk(bench, origin, requests, warmUpSeconds);
      await settle(warm.requests);
      const client = new Client({ connectionString: database.url });
      await client.connect();
      const Postgres = await postgresPid(client);
      await client.end();
      const read = startCpuMeter({ smsbox: smsbox.pid, bearerbox: bearerbox.pid, Postgres });
      const load = await wrk(bench, origin, requests, bench.options.seconds);
      await settle(warm.requests + load.requests);
      reportLoad(bench, 'Kannel with receipts', load);
      reportCost(bench, 'CPU of a message, Kannel with receipts', read(), load.requests);
    });
  } finally {
    receiver.closeAllConnections();
    receiver.close();
    await database.drop();
    await smsc.stop();
  }
}

/** Kannel's requests in Lua, and their address. */
function kannelRequests(
  sendUrl: Kannel['sendUrl'],
  receipt?: { readonly 'dlr-url': string; readonly 'dlr-mask': string },
): { readonly origin: string; readonly requests: readonly string[] } {
  const people = JSON.parse(`[${bodiesOf(['none']).join()}]`) as { to: string }[];
  const urls = people.map(({ to }) => sendUrl({ from: '+15005550006', to, text, ...receipt }));
  const { origin } = new URL(urls[0] ?? '');
  return {
    origin,
    requests: urls.map((url) => `wrk.format("GET", ${JSON.stringify(url.slice(origin.length))})`),
  };
}

/** Acceptance without or with a worker that dispatches meanwhile. */
async function measureOurs(bench: Bench, product: Product, isDispatching: boolean): Promise<void> {
  const pids: Record<string, number> = { server: (await product.startServer()).pid };
  if (isDispatching) {
    await product.startSandbox();
    pids['worker'] = (await product.startWorker()).pid;
  }
  const settle = () => (isDispatching ? product.untilSettled() : product.untilAllEnqueued());
  const requests = requestsOf(product);
  await wrk(bench, product.url, requests, warmUpSeconds);
  await settle();
  const read = startCpuMeter({ ...pids, ...(await storePids(product)) });
  const load = await wrk(bench, product.url, requests, bench.options.seconds);
  await settle();
  reportLoad(bench, `acceptance${isDispatching ? ' while dispatching' : ''}`, load);
  if (isDispatching) reportCost(bench, 'CPU of a message', read(), load.requests);
  await product.checkCredits();
}

function requestsOf({ prepared: { apiKeys } }: Product): string[] {
  const headers = '{["Content-Type"]="application/json"}';
  // A JSON string of printable ASCII is a Lua string too.
  return bodiesOf(apiKeys).map((body) => `wrk.format("POST", "/api/sendsms", ${headers}, ${JSON.stringify(body)})`);
}

interface WrkResult {
  readonly requests: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Requests that were not answered 2xx. */
  readonly faults: number;
}

/**
 * Sends the requests in turn over 50 connections (https://github.com/wg/wrk/blob/master/SCRIPTING).
 */
async function wrk({ signal }: Bench, url: string, requests: readonly string[], seconds: number): Promise<WrkResult> {
  signal.throwIfAborted();
  const script = join(mkdtempSync(join(tmpdir(), 'pennytext-wrk-')), 'requests.lua');
  writeFileSync(script, wrkScript(requests));
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, url];
  const { code, output, errors } = await run('wrk', args, { timeoutMs: seconds * 1_000 + marginMs });
  rmSync(join(script, '..'), { recursive: true });
  const json = /^\{.*\}$/m.exec(output)?.[0];
  if (code !== 0 || json === undefined) throw new Error(`wrk failed: ${output}${errors}`);
  return JSON.parse(json) as WrkResult;
}

function wrkScript(requests: readonly string[]): string {
  return `local all, n
init = function()
  all, n = { ${requests.join(',\n    ')} }, 0
end
request = function()
  n = n % #all + 1
  return all[n]
end
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format('{"requests":%d,"seconds":%f,"p50Ms":%f,"p99Ms":%f,"faults":%d}\\n', summary.requests,
    summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    e.status + e.connect + e.read + e.write + e.timeout))
end
`;
}

function reportLoad({ report }: Bench, name: string, { requests, seconds, faults, ...times }: WrkResult): void {
  report.figure(name, requests / seconds, 'per second', { ...times, note: `wrk, ${connections} connections` });
  report.check(`${name}: every request is answered 2xx`, faults === 0, `${faults} of ${requests} were not`);
}

function groupOf(port: number): string {
  return `group = smsc
smsc = fake
smsc-id = fake
port = ${port}
connect-allow-ip = 127.0.0.1`;
}
