import { createHash, randomBytes } from 'node:crypto';
import type { Client } from 'pg';

/** Inserts a session of the first account and returns its token. */
export async function insertSession(client: Client): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const hash = createHash('sha256').update(token).digest();
  await client.query(
    `INSERT INTO sessions (token_hash, account_id, expires_at)
     SELECT $1, id, now() + interval '1 day' FROM accounts ORDER BY email LIMIT 1`,
    [hash],
  );
  return token;
}

export const SESSION_COOKIE = 'pennytext_session';
