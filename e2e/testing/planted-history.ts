import type { Stack } from './stack.js';

/** Recipient of every hundredth message of a planted history. */
export const rareNumber = '+14155550199';

const statement = `
WITH account AS (
  SELECT c.* FROM credit_accounts c JOIN accounts a ON a.id = c.account_id
    WHERE lower(a.email) = lower($1) FOR UPDATE OF c
),
given AS (
  SELECT
    n,
    (substr(uuid_v7_floor(now())::text, 1, 15) || substr(h, 1, 3) || '-8' || substr(h, 4,
      3) || '-' || substr(h, 7, 12))::uuid AS id,
    now() AS at
  FROM account, generate_series(1, $2::bigint) n, LATERAL (SELECT md5(account_id::text || sent_count + n) AS h) hashed
),
counted AS (
  UPDATE credit_accounts c SET balance = c.balance - $2, used = c.used + $2, ledger_count = c.ledger_count + $2,
    sent_count = c.sent_count + $2, updated_at = now()
  FROM account WHERE c.account_id = account.account_id
),
entered AS (
  INSERT INTO ledger_entries (account_id, number, amount, balance_after, kind, source_id, created_at)
  SELECT account_id, ledger_count + n, -1, balance - n, 'message', id::text, at FROM given, account
),
ended AS (
  INSERT INTO delivery_days AS d (account_id, day, country, key_id, reason, messages)
  SELECT account_id, (now() AT TIME ZONE 'America/New_York')::date, 'US', '00000000-0000-0000-0000-000000000000', '', $2
  FROM account
  ON CONFLICT (account_id, day, country, key_id, reason) DO UPDATE SET messages = d.messages + excluded.messages
)
INSERT INTO messages (id, account_id, number, kind, recipient, country, sender, body, segments, credits,
  status, created_at,
  sent_at, finished_at)
SELECT id, account_id, sent_count + n, 'sms', CASE WHEN n % 100 = 0 THEN '${rareNumber}'
  ELSE '+14155550100' END, 'US', '+15005550006',
  'Planted ' || (sent_count + n), 1, 1, 'delivered', at, at, at
FROM given, account`;

/**
 * Gives an account `count` delivered messages of one credit each, with their books, without events
 * to open pages.
 */
export async function plantHistory(stack: Stack, email: string, count: number): Promise<void> {
  await stack.sql(statement, [email, count]);
}
