import type { Client } from 'pg';
import { insertSession, SESSION_COOKIE } from './session.js';

export const messageCount = 1_000_000;
export const entryCount = 2_000_000;
/** The number that every tenth message went to. */
export const busyNumber = '+12025550000';
/** One of ten thousand others. */
export const quietNumber = '+12025550123';
export const days = 90;

/**
 * Gives the only account of this database a history of messages and ledger entries, straight into the tables and in order,
 * and answers the cookie of a session of it.
 */
export async function fillHistory(client: Client): Promise<string> {
  for (const statement of statements) await client.query(statement);
  return `${SESSION_COOKIE}=${await insertSession(client)}`;
}

const at = (n: string, of: number) => `date_trunc('day', now()) - interval '${days} days' * (1 - ${n} / ${of}.0)`;
const status = `CASE WHEN n > ${messageCount - 50} THEN 'queued' WHEN n % 100 = 1 THEN 'failed' WHEN n % 100 = 2 THEN 'undelivered'
  ELSE 'delivered' END`;
/** Every second entry is the charge of a message; of the others some bring credits, and most are spent on received messages. */
const kind = `CASE WHEN n % 2 = 0 THEN 'message' WHEN n % 4000 = 1 THEN 'purchase' ELSE 'inbound' END`;

const statements = [
  `SELECT ensure_message_partitions((now() - interval '${days + 31} days')::date, 6)`,
  `INSERT INTO messages (id, account_id, number, kind, recipient, country, sender, body, segments, credits, status,
     created_at, sent_at, finished_at)
   SELECT
     (substr(uuid_v7_floor(at)::text, 1, 24) || lpad(to_hex(n), 12, '0'))::uuid, account.id, n, 'sms',
     CASE WHEN n % 10 = 0 THEN '${busyNumber}' ELSE '+1202555' || lpad((n::bigint * 7919 % 9999 + 1)::text, 4, '0') END,
     'US', '+15005550006', 'Your parcel ' || n || ' arrives today between 2 and 4 pm. Reply STOP to opt out.', 1, 1, ${status}, at, at, at
   FROM accounts account, generate_series(1, ${messageCount}) n, LATERAL (SELECT ${at('n', messageCount)} AS at) t
   ORDER BY n`,
  `INSERT INTO ledger_entries (account_id, number, amount, balance_after, kind, source_id, created_at)
   SELECT account.id, n + 1, CASE ${kind} WHEN 'purchase' THEN 2500 ELSE -1 END, 1000000000 - n, ${kind},
     CASE ${kind} WHEN 'message' THEN m.id::text ELSE 'bench ' || n END, ${at('n', entryCount)}
   FROM accounts account, generate_series(1, ${entryCount - 1}) n
   LEFT JOIN messages m ON n % 2 = 0 AND m.number = n / 2
   ORDER BY n`,
  `INSERT INTO message_days (account_id, day, sent, delivered, undelivered, failed)
   SELECT account_id, (created_at AT TIME ZONE 'America/New_York')::date AS day, 0, count(*) FILTER (WHERE status = 'delivered'),
     count(*) FILTER (WHERE status = 'undelivered'), count(*) FILTER (WHERE status = 'failed')
   FROM messages GROUP BY account_id, day`,
  `UPDATE credit_accounts SET ledger_count = ${entryCount}, sent_count = ${messageCount}`,
  `VACUUM (ANALYZE) messages, message_days, ledger_entries, credit_accounts, accounts, sessions`,
  `CHECKPOINT`,
];
