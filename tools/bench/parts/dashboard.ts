import type { Client } from 'pg';
import type { Bench } from '../bench.js';
import { insertSession } from '../product/database.js';
import { withProduct } from '../product/product.js';
import { quantile } from '../report.js';
import { residentMb } from '../resources.js';

const messageCount = 1_000_000;
const entryCount = 2_000_000;
/** The number that every tenth message went to. */
const busyNumber = '+12025550000';
/** A number among ten thousand others. */
const quietNumber = '+12025550123';
const days = 90;
const goalMs = 20;
/** Goal for figures that are read from counts. */
const countsGoalMs = 10;
const warmUpReads = 20;
const reads = 200;
const offsetReads = 5;
const pageSize = 10;

const sent = '/api/dashboard/messages/sent';
const ledger = '/api/dashboard/ledger';
const monthAgo = dayBefore(30);
const weekBeforeThat = dayBefore(37);

/** Every read of the dashboard: it must stay fast in an account with a long history. */
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

/** Reads of counts that are kept beside the messages. */
const counts: readonly (readonly [name: string, path: string])[] = [
  ['deliverability, 30 days', '/api/dashboard/deliverability'],
  ['spend, 6 months', '/api/dashboard/spend'],
  ['exposure', '/api/dashboard/exposure'],
  ['deliverability, 90 days', `/api/dashboard/deliverability?from=${dayBefore(89)}`],
];

/**
 * Reads of the dashboard over HTTP in an account with a long history, and the same pages read by
 * OFFSET.
 */
export function measureDashboard(bench: Bench): Promise<void> {
  return withProduct(bench, { accounts: 1 }, async (product) => {
    const { client } = product.prepared;
    for (const statement of history) await client.query(statement);
    const { header: cookie } = await insertSession(client);
    const server = await product.startServer();
    const { url } = product;
    for (const [name, path] of pages) await measureRead(bench, name, `${url}${path}`, cookie, goalMs);
    for (const [name, path] of counts) await measureRead(bench, name, `${url}${path}`, cookie, countsGoalMs);
    for (const [name, share] of Object.entries({ middle: 0.5, last: 1 })) {
      await measureOffset(bench, client, `sent, ${name} page`, 'messages', messageCount * share - pageSize);
      await measureOffset(bench, client, `ledger, ${name} page`, 'ledger_entries', entryCount * share - pageSize);
    }
    await measureExport(bench, `${url}${sent}.csv`, cookie, server.pid);
  });
}

async function measureRead(bench: Bench, name: string, url: string, cookie: string, below: number): Promise<void> {
  const read = async () => {
    const answer = await fetch(url, { headers: { cookie } });
    const body = await answer.text();
    if (!answer.ok) throw new Error(`${name} answered ${answer.status}: ${body}`);
  };
  report(bench, name, await timesOf(read, warmUpReads, reads), { below });
}

/** The same page in SQL by OFFSET, as a history without message numbers would read it. */
async function measureOffset(bench: Bench, client: Client, name: string, table: string, offset: number): Promise<void> {
  const text = `SELECT * FROM ${table} WHERE account_id = (SELECT id FROM accounts) ORDER BY number DESC
    LIMIT $1 OFFSET $2`;
  const count = `SELECT count(*) FROM ${table} WHERE account_id = (SELECT id FROM accounts)`;
  const read = async () => {
    bench.signal.throwIfAborted();
    await client.query(count);
    await client.query(text, [pageSize, offset]);
  };
  report(bench, `${name} by OFFSET`, await timesOf(read, 1, offsetReads));
}

async function timesOf(read: () => Promise<void>, warmUp: number, count: number): Promise<number[]> {
  for (let n = 0; n < warmUp; n += 1) await read();
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const startedAtMs = performance.now();
    await read();
    times.push(performance.now() - startedAtMs);
  }
  return times;
}

function report(bench: Bench, name: string, times: readonly number[], goal?: { below: number }): void {
  const [p50Ms, p99Ms] = [quantile(times, 0.5), quantile(times, 0.99)];
  bench.report.figure(`${name}, p95`, quantile(times, 0.95), 'ms', { p50Ms, p99Ms, goal });
}

/** All messages as one file, to a client without limit. */
async function measureExport(bench: Bench, url: string, cookie: string, pid: number): Promise<void> {
  const beforeMb = await residentMb(pid);
  let peakMb = beforeMb;
  let bytes = 0;
  let lines = 0;
  const startedAtMs = performance.now();
  const { body } = await fetch(url, { headers: { cookie }, signal: bench.signal });
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    for (const byte of chunk) if (byte === 0x0a) lines += 1;
    peakMb = Math.max(peakMb, await residentMb(pid));
  }
  const seconds = (performance.now() - startedAtMs) / 1_000;
  const rate = (lines - 1) / seconds;
  const note = `${Math.round(bytes / 1_000_000)} MB in ${seconds.toFixed(1)} s`;
  bench.report.figure('sent messages as CSV, rows', rate, 'per second', { note });
  const memory = { goal: { below: 100 }, note: `${Math.round(beforeMb)} MB before` };
  bench.report.figure('server memory gained by that at most', peakMb - beforeMb, 'MB', memory);
  const promise = 'the CSV file has a line for its header and for each message';
  bench.report.check(promise, lines === messageCount + 1, `${lines} lines`);
}

function dayBefore(count: number): string {
  return new Date(Date.now() - count * 86_400_000).toISOString().slice(0, 10);
}

const at = (n: string, of: number) => `date_trunc('day', now()) - interval '${days} days' * (1 - ${n} / ${of}.0)`;
const status = `CASE WHEN n > ${messageCount - 50} THEN 'queued' WHEN n % 100 = 1 THEN 'failed'
  WHEN n % 100 = 2 THEN 'undelivered'
  ELSE 'delivered' END`;
/**
 * Every second entry is the charge of a message; of the others some bring credits, and most are
 * spent on received messages.
 */
const kind = `CASE WHEN n % 2 = 0 THEN 'message' WHEN n % 4000 = 1 THEN 'purchase' ELSE 'inbound' END`;

/**
 * Gives the only account a history of messages and ledger entries, straight into the tables and in
 * order.
 */
const history = [
  `SELECT ensure_message_partitions((now() - interval '${days + 31} days')::date, 6)`,
  `INSERT INTO messages (id, account_id, number, kind, recipient, country, sender, body, segments, credits, status,
     error_code, created_at, sent_at, finished_at)
   SELECT
     (substr(uuid_v7_floor(at)::text, 1, 24) || lpad(to_hex(n), 12, '0'))::uuid, account.id, n, 'sms',
     CASE WHEN n % 10 = 0 THEN '${busyNumber}' ELSE '+1202555' || lpad((n::bigint * 7919 % 9999 + 1)::text, 4, '0') END,
     'US', '+15005550006', 'Your parcel ' || n ||
       ' arrives today between 2 and 4 pm. Reply STOP to opt out.', 1, 1, ${status},
     CASE WHEN ${status} IN ('failed', 'undelivered') THEN 'not_delivered' END, at, at, at
   FROM accounts account, generate_series(1, ${messageCount}) n, LATERAL (SELECT ${at('n', messageCount)} AS at) t
   ORDER BY n`,
  `INSERT INTO ledger_entries (account_id, number, amount, balance_after, kind, source_id, created_at)
   SELECT account.id, n + 1, CASE ${kind} WHEN 'purchase' THEN 2500 ELSE -1 END, 1000000000 - n, ${kind},
     CASE ${kind} WHEN 'message' THEN m.id::text ELSE 'bench ' || n END, ${at('n', entryCount)}
   FROM accounts account, generate_series(1, ${entryCount - 1}) n
   LEFT JOIN messages m ON n % 2 = 0 AND m.number = n / 2
   ORDER BY n`,
  // As many rows as three countries, four keys and eight reasons a day make; most messages are in the first.
  `INSERT INTO delivery_days (account_id, day, country, key_id, reason, messages)
   SELECT account_id, day, country, ('00000000-0000-0000-0000-00000000000' || key)::uuid, reason,
     CASE WHEN (country, key, reason) = ('US', 0, '') THEN ended - 10 * (3 * 4 * 9 - 1) ELSE 10 END
   FROM (
     SELECT account_id, (created_at AT TIME ZONE 'America/New_York')::date AS day,
       count(*) FILTER (WHERE status <> 'queued') AS ended
     FROM messages GROUP BY account_id, day
   ) days, unnest(ARRAY['US', 'CA', 'GB']) country, generate_series(0, 3) key,
     unnest(ARRAY['', '30003', '30005', '30006', '30007', '30008', '21610', 'not_delivered', 'daily_limit']) reason`,
  // As many rows as three kinds, three countries and four keys a day make, as a worker counts them.
  `INSERT INTO spend_days (account_id, day, kind, country, key_id, messages, charged, refunded)
   SELECT account_id, day, kind, country, ('00000000-0000-0000-0000-00000000000' || key)::uuid, 10, 12, 1
   FROM (SELECT DISTINCT account_id, day FROM delivery_days) days, unnest(ARRAY['message', 'otp', 'reply']) kind,
     unnest(ARRAY['US', 'CA', 'GB']) country, generate_series(0, 3) key`,
  `INSERT INTO spend_progress (account_id, last) SELECT id, ${entryCount} - 10000 FROM accounts`,
  `UPDATE credit_accounts SET ledger_count = ${entryCount}, sent_count = ${messageCount}`,
  `VACUUM (ANALYZE) messages, delivery_days, spend_days, ledger_entries, credit_accounts, accounts,
     sessions`,
  `CHECKPOINT`,
];
