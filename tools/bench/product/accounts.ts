import { createHmac, randomUUID } from 'node:crypto';
import type { Client } from 'pg';

/** More than any run can spend. */
const creditsEach = 1_000_000_000;
const dailyLimitEach = 2_000_000_000;

/**
 * Makes accounts that may send as much as they like, and answers their API keys. Straight into the tables: the
 * operator's command takes a second for each.
 */
export async function insertAccounts(client: Client, count: number, hashSecret: Buffer): Promise<string[]> {
  const keys = Array.from({ length: count }, () => randomUUID());
  const hashes = keys.map((key) => createHmac('sha256', hashSecret).update(key).digest());
  await client.query(
    `WITH given AS (
       SELECT gen_random_uuid() AS id, hash, n FROM unnest($1::bytea[]) WITH ORDINALITY AS r (hash, n)
     ), account AS (
       INSERT INTO accounts (id, email, sign_in_type, daily_limit)
       SELECT id, 'bench-' || n || '@pennytext.example', 'custom', $2 FROM given
     ), key AS (
       INSERT INTO api_keys (key_hash, account_id, encrypted_key) SELECT hash, id, '\\x00' FROM given
     ), credits AS (
       INSERT INTO credit_accounts (account_id, balance, purchased, used, ledger_count) SELECT id, $3::bigint, $3::bigint, 0, 1 FROM given
     )
     INSERT INTO ledger_entries (account_id, number, amount, balance_after, kind, source_id)
     SELECT id, 1, $3::bigint, $3::bigint, 'signup', id::text FROM given`,
    [hashes, dailyLimitEach, creditsEach],
  );
  return keys;
}
