import { Queue } from 'bullmq';
import { until } from '../../../../tools/testkit/until.js';
import { query } from '../../../../tools/testkit/postgres.js';
import type { Run } from '../run.js';

const queues = ['dispatch', 'webhooks', 'mail', 'credits-added'];
const lookEveryMs = 1_000;

/** Amounts of unfinished work by name; empty when the product is quiescent. */
export type Open = Record<string, number>;

/**
 * Waits until the product is quiescent. Returns how long that took, and what was unfinished at the
 * time limit. Events that the sandbox's Stripe has given up are posted again, because Stripe
 * retries for three days.
 */
export async function reachQuiescence(run: Run, boundMs: number): Promise<{ tookMs: number; open: Open }> {
  const startedAtMs = Date.now();
  let open: Open = {};
  const isQuiescent = async () => {
    await postAgain(run);
    open = await stillOpen(run);
    return Object.keys(open).length === 0;
  };
  try {
    await until('the product is quiescent', isQuiescent, { timeoutMs: boundMs, everyMs: lookEveryMs });
  } catch (error) {
    if (Object.keys(open).length === 0) throw error;
  }
  return { tookMs: Date.now() - startedAtMs, open };
}

async function postAgain({ vendors, tally }: Run): Promise<void> {
  for (const event of await vendors.events()) {
    if (event.state === 'held back' || event.state === 'given up')
      tally.posted('event again', await vendors.resend(event));
  }
}

async function stillOpen({ stage, records }: Run): Promise<Open> {
  const [rows = {}] = await query<Open>(stage.databaseUrl, openStatement, []);
  // Reads whole tables, because Citus joins no lists to distributed tables.
  const known = async (text: string) =>
    new Set((await query<{ id: string }>(stage.databaseUrl, text)).map(({ id }) => id));
  const received = await known('SELECT carrier_id AS id FROM inbound_receipts');
  const paid = await known(`SELECT session_id AS id FROM checkout_sessions WHERE status = 'paid'`);
  const open = {
    ...rows,
    'replies not taken in': records.replies.filter(({ sid }) => !received.has(sid)).length,
    'sessions not credited': records.purchases.filter(({ sessionId }) => !paid.has(sessionId)).length,
    ...(await jobs(stage.redisUrl, stage.queuePrefix)),
  };
  return Object.fromEntries(Object.entries(open).filter(([, count]) => count > 0));
}

async function jobs(url: string, prefix: string): Promise<Open> {
  const open: Open = {};
  for (const name of queues) {
    const queue = new Queue(name, { connection: { url, maxRetriesPerRequest: 1 }, prefix });
    queue.on('error', () => undefined);
    try {
      const counts = await queue.getJobCounts();
      open[`jobs in ${name}`] = Object.values(counts).reduce((sum, count) => sum + count, 0);
    } finally {
      await queue.close();
    }
  }
  return open;
}

const openStatement = `
SELECT
  (SELECT count(*)::int FROM messages WHERE status IN ('scheduled', 'queued')) AS "messages scheduled or queued",
  (SELECT count(*)::int FROM messages WHERE status = 'sending') AS "messages sending",
  (SELECT count(*)::int FROM messages WHERE status = 'sent') AS "messages without a receipt",
  (SELECT count(*)::int FROM webhook_deliveries WHERE finished_at IS NULL) AS "webhooks to deliver",
  (SELECT count(*)::int FROM inbound_messages WHERE status = 'held') AS "replies held",
  (SELECT count(*)::int FROM mails WHERE status IN ('queued', 'sending')) AS "mails to send"`;
