import { createHmac, hkdfSync } from 'node:crypto';
import type { Client } from 'pg';

const rowsAtOnceMax = 10_000;

/** A code that is live, of the account with this key. */
export interface LiveCode {
  readonly apiKey: string;
  readonly otp: string;
  readonly to: string;
}

/** Fills the table with codes of the last day that are used or have expired, spread evenly over all accounts. */
export async function insertRememberedCodes(client: Client, count: number): Promise<void> {
  await client.query(
    `WITH account AS (SELECT id, row_number() OVER () - 1 AS n, count(*) OVER () AS accounts FROM accounts)
     INSERT INTO otp_codes (id, account_id, recipient, code_hash, digits, state, created_at, expires_at, ended_at, forget_at)
     SELECT gen_random_uuid(), account.id, '+1415' || (2000000 + code.n % 100000), sha256(code.n::text::bytea), 6,
       CASE WHEN code.n % 2 = 0 THEN 'used' ELSE 'live' END, past.at - interval '5 minutes', past.at,
       CASE WHEN code.n % 2 = 0 THEN past.at END, past.at + interval '1 day'
     FROM generate_series(1, $1::int) AS code (n)
     JOIN account ON account.n = code.n % account.accounts
     CROSS JOIN LATERAL (SELECT now() - code.n % 86000 * interval '1 second' AS at) past`,
    [count],
  );
  await client.query('VACUUM ANALYZE otp_codes');
}

/** Makes live codes, each account in turn. `hashSecret` is that of the API keys, from which the codes' is derived. */
export async function insertLiveCodes(
  client: Client,
  apiKeys: readonly string[],
  count: number,
  hashSecret: Buffer,
): Promise<LiveCode[]> {
  const secret = Buffer.from(hkdfSync('sha256', hashSecret, '', 'one-time passwords', 32));
  const accounts = await accountsOf(client, apiKeys, hashSecret);
  const rounds = Math.ceil(count / accounts.length);
  const codes = Array.from({ length: rounds }, () => accounts)
    .flat()
    .slice(0, count)
    .map((account, index) => ({
      ...account,
      otp: String(index).padStart(6, '0'),
      to: `+1415${3_000_000 + index}`,
    }));
  for (let start = 0; start < count; start += rowsAtOnceMax) {
    const some = codes.slice(start, start + rowsAtOnceMax);
    await client.query(
      `INSERT INTO otp_codes (id, account_id, recipient, code_hash, digits, expires_at, forget_at)
       SELECT gen_random_uuid(), account_id, recipient, code_hash, 6, now() + interval '10 minutes', now() + interval '1 day'
       FROM unnest($1::uuid[], $2::text[], $3::bytea[]) AS c (account_id, recipient, code_hash)`,
      [
        some.map(({ accountId }) => accountId),
        some.map(({ to }) => to),
        some.map(({ accountId, otp }) => createHmac('sha256', secret).update(`${accountId}:${otp}`).digest()),
      ],
    );
  }
  // The wrong guesses of earlier measurements belong to another window.
  await client.query('DELETE FROM otp_guards');
  return codes.map(({ apiKey, otp, to }) => ({ apiKey, otp, to }));
}

export async function countVerified(client: Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM otp_codes WHERE state = 'used' AND ended_at > created_at AND expires_at > now()`,
  );
  return rows[0]?.count ?? 0;
}

async function accountsOf(client: Client, apiKeys: readonly string[], hashSecret: Buffer) {
  const { rows } = await client.query<{ accountId: string; keyHash: Buffer }>(
    'SELECT account_id AS "accountId", key_hash AS "keyHash" FROM api_keys',
  );
  const byHash = new Map(rows.map(({ accountId, keyHash }) => [keyHash.toString('hex'), accountId]));
  return apiKeys.map((apiKey) => {
    const accountId = byHash.get(createHmac('sha256', hashSecret).update(apiKey).digest('hex'));
    if (accountId === undefined) throw new Error('Every key has its account');
    return { apiKey, accountId };
  });
}
