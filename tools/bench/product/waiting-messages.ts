import type { Client } from 'pg';

// A UUIDv7 of now (RFC 9562, 5.7), as the server makes them.
const newId = `(lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint), 12, '0') || '7' || substr(md5(random()::text), 1, 3)
  || '8' || substr(md5(random()::text), 1, 15))::uuid`;

/** What admission writes for accepted messages of one segment to the USA, for one account. */
const admitted = `
WITH made AS MATERIALIZED (
  SELECT n, ${newId} AS id FROM generate_series(1, $2::int) AS n
),
stored AS (
  INSERT INTO messages (id, account_id, number, kind, recipient, country, sender, body, segments, credits, due_at, created_at)
  SELECT id, $1, n, 'sms', '+1202555' || lpad((100 + n % 100)::text, 4, '0'), 'US', '+15005550006',
    'Your parcel 40817 arrives today between 2 and 4 pm. Reply STOP to opt out.', 1, 1, now() + interval '15 seconds', now()
  FROM made
),
entered AS (
  INSERT INTO ledger_entries (account_id, number, amount, balance_after, kind, source_id, created_at)
  SELECT $1, c.ledger_count + n, -1, c.balance - n, 'message', made.id::text, now()
  FROM made, credit_accounts c WHERE c.account_id = $1
)
UPDATE credit_accounts
SET balance = balance - $2, used = used + $2, ledger_count = ledger_count + $2, sent_count = sent_count + $2, updated_at = now()
WHERE account_id = $1`;

/**
 * Writes accepted messages straight into the tables, the same number for each account, as a server needs minutes for a
 * million. None is enqueued: the worker's recovery finds them, as when Redis has lost its data. Returns how many there are.
 */
export async function insertWaitingMessages(client: Client, amount: number): Promise<number> {
  const { rows } = await client.query<{ id: string }>('SELECT id FROM accounts');
  const each = Math.ceil(amount / rows.length);
  for (const { id } of rows) await client.query(admitted, [id, each]);
  await client.query('ANALYZE messages');
  return each * rows.length;
}
