import { get, type IncomingMessage } from 'node:http';
import type { Bench } from '../bench.js';
import { serverUrlOf } from '../processes/environment.js';
import { residentMb } from '../processes/memory.js';
import { busyNumber, entryCount, fillHistory, messageCount, quietNumber } from '../product/long-history.js';
import { withProduct, type Product } from '../product/product.js';

const part = 'dashboard';
const goalMs = 20;
const warmUpReads = 20;
const reads = 200;
const offsetReads = 5;
const pageSize = 10;
const sampleEveryBytes = 5_000_000;

const sent = '/api/dashboard/messages/sent';
const ledger = '/api/dashboard/ledger';
const monthAgo = dayBefore(30);
const weekBeforeThat = dayBefore(37);

/** What a person may look at, and where: every read must stay quick in an account with a long history. */
const pages: readonly (readonly [name: string, path: string])[] = [
  ['credits', '/api/dashboard/credits'],
  ['activity, 30 days', '/api/dashboard/activity'],
  ['activity, 90 days', '/api/dashboard/activity?days=90'],
  ['sent, first page', sent],
  ['sent, middle page', `${sent}?page=${messageCount / pageSize / 2}`],
  ['sent, last page', `${sent}?page=${messageCount / pageSize}`],
  ['sent, of a week', `${sent}?from=${weekBeforeThat}&to=${monthAgo}&page=1000`],
  ['sent, queued', `${sent}?status=queued`],
  ['sent, delivered', `${sent}?status=delivered&page=100`],
  ['sent, failed', `${sent}?status=failed&page=500`],
  ['sent, a number', `${sent}?number=${encodeURIComponent(quietNumber)}`],
  ['sent, a number with 100,000 messages', `${sent}?number=${encodeURIComponent(busyNumber)}`],
  ['sent, part of a number', `${sent}?number=5550123`],
  ['sent, text that is there', `${sent}?text=STOP&page=500`],
  ['sent, text that is nowhere', `${sent}?text=nowhere`],
  ['sent, text and number', `${sent}?text=nowhere&number=${encodeURIComponent(busyNumber)}`],
  ['ledger, first page', ledger],
  ['ledger, middle page', `${ledger}?page=${entryCount / pageSize / 2}`],
  ['ledger, last page', `${ledger}?page=${entryCount / pageSize}`],
  ['ledger, purchases', `${ledger}?kind=purchase&page=10`],
  ['ledger, received messages', `${ledger}?kind=inbound&page=100`],
  ['ledger, messages', `${ledger}?kind=message&page=100`],
];

/** Reads of the dashboard over HTTP, in an account with a long history; and the same pages as OFFSET would read them. */
export function measureDashboard(bench: Bench): Promise<void> {
  return withProduct(bench, { part, accounts: 1 }, async (product) => {
    const cookie = await fillHistory(product.prepared.client);
    const server = await product.startServer();
    const url = serverUrlOf(product.prepared.place);
    for (const [name, path] of pages) await measureRead(bench, name, `${url}${path}`, cookie);
    for (const [name, share] of [
      ['middle', 0.5],
      ['last', 1],
    ] as const) {
      await measureOffset(bench, product, `sent, ${name} page by OFFSET`, 'messages', messageCount * share - pageSize);
      await measureOffset(
        bench,
        product,
        `ledger, ${name} page by OFFSET`,
        'ledger_entries',
        entryCount * share - pageSize,
      );
    }
    await measureExport(bench, { url: `${url}${sent}.csv`, cookie, pid: server.pid });
  });
}

async function measureRead(bench: Bench, name: string, url: string, cookie: string): Promise<void> {
  const read = async () => {
    const answer = await fetch(url, { headers: { cookie }, signal: bench.signal });
    const body = await answer.text();
    if (!answer.ok) throw new Error(`${name} answered ${answer.status}: ${body}`);
  };
  report(bench, name, await timesOf(read, warmUpReads, reads), { below: goalMs });
}

/** In SQL alone, by an index of the product: what a history without numbers would do. */
async function measureOffset(
  bench: Bench,
  { prepared: { client } }: Product,
  name: string,
  table: 'messages' | 'ledger_entries',
  offset: number,
): Promise<void> {
  const text = `SELECT * FROM ${table} WHERE account_id = (SELECT id FROM accounts) ORDER BY number DESC LIMIT $1 OFFSET $2`;
  const count = `SELECT count(*) FROM ${table} WHERE account_id = (SELECT id FROM accounts)`;
  const read = async () => {
    bench.signal.throwIfAborted();
    await client.query(count);
    await client.query(text, [pageSize, offset]);
  };
  report(bench, name, await timesOf(read, 1, offsetReads));
}

async function timesOf(read: () => Promise<void>, warmUp: number, count: number): Promise<number[]> {
  for (let n = 0; n < warmUp; n += 1) await read();
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const startedAtMs = performance.now();
    await read();
    times.push(performance.now() - startedAtMs);
  }
  return times.sort((a, b) => a - b);
}

function report(bench: Bench, name: string, times: readonly number[], goal?: { below: number }): void {
  const quantile = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  const [p50Ms, p99Ms] = [quantile(0.5), quantile(0.99)];
  bench.report.figure({
    part,
    name: `${name}, p95`,
    value: quantile(0.95),
    unit: 'ms',
    p50Ms,
    p99Ms,
    ...(goal && { goal }),
  });
}

/** All messages as one file, to a client that takes it as fast as it comes. */
async function measureExport(
  bench: Bench,
  { url, cookie, pid }: { url: string; cookie: string; pid: number },
): Promise<void> {
  const beforeMb = await residentMb(pid);
  let peakMb = beforeMb;
  let bytes = 0;
  let lines = 0;
  let sampledAtBytes = 0;
  const startedAtMs = performance.now();
  for await (const chunk of await open(bench, url, cookie)) {
    if (!Buffer.isBuffer(chunk)) throw new Error('A response is read as bytes');
    bytes += chunk.length;
    for (const byte of chunk) if (byte === 0x0a) lines += 1;
    if (bytes - sampledAtBytes < sampleEveryBytes) continue;
    sampledAtBytes = bytes;
    peakMb = Math.max(peakMb, await residentMb(pid));
  }
  const seconds = (performance.now() - startedAtMs) / 1_000;
  bench.report.figure({
    part,
    name: 'sent messages as CSV, rows',
    value: (lines - 1) / seconds,
    unit: 'per second',
    note: `${Math.round(bytes / 1_000_000)} MB in ${seconds.toFixed(1)} s`,
  });
  bench.report.figure({
    part,
    name: 'server memory gained by that at most',
    value: peakMb - beforeMb,
    unit: 'MB',
    goal: { below: 100 },
    note: `${Math.round(beforeMb)} MB before`,
  });
  bench.report.check(part, 'the CSV file has a line for its head and for each message', {
    isSo: lines === messageCount + 1,
    seen: `${lines} lines`,
  });
}

async function open(bench: Bench, url: string, cookie: string): Promise<IncomingMessage> {
  const request = get(url, { headers: { cookie }, signal: bench.signal });
  return new Promise((resolve, reject) => {
    request.once('response', resolve).once('error', reject);
  });
}

function dayBefore(count: number): string {
  return new Date(Date.now() - count * 86_400_000).toISOString().slice(0, 10);
}
