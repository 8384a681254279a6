/**
 * SQL about callers of the API, for the statements that check them: here, in acceptance, and in the
 * choice of senders.
 */

/** Stands for the account's own key where a key's id must not be null. */
export const ACCOUNT_KEY = '00000000-0000-0000-0000-000000000000';

/**
 * SQL condition: whether an address (a column or parameter of type text, normalized) is blocked. An
 * index serves it.
 */
export const isBlocked = (address: string) =>
  `EXISTS (SELECT 1 FROM blocked_addresses b WHERE b.address::inet >>= (${address})::inet)`;

/**
 * SQL: joins the secret `s` by its hash, if it works. OFFSET makes Postgres find each secret by its
 * key: with a plan from when there were few, a join reads all secrets.
 */
export const joinSecret = (hash: string) => `LEFT JOIN LATERAL (
    SELECT * FROM key_secrets WHERE hash = ${hash} AND (expires_at IS NULL OR expires_at > now()) OFFSET 0
  ) s ON true`;

/** SQL: joins the key `k` of the secret `s`. It may refuse the call: {@link keyRefusal}. */
export const joinKey = 'LEFT JOIN LATERAL (SELECT * FROM api_keys WHERE id = s.key_id OFFSET 0) k ON true';

/**
 * SQL: the reason why a row of `api_keys` may not make a call (a `KeyRefusal`); null without a
 * reason, and without a row.
 */
export const keyRefusal = (key: string, { address, scope }: { address: string; scope: string }) => `CASE
    WHEN ${key}.expires_at <= now() THEN 'key_expired'
    WHEN NOT (${address})::inet <<= ANY (${key}.addresses) THEN 'key_address'
    WHEN NOT ${scope} = ANY (${key}.scopes) THEN 'key_scope'
  END`;

/**
 * SQL: the account of a working secret, by its hash, also of a key that may not make a call; null
 * without an account.
 */
export const accountOfKey = (hash: string) =>
  `(SELECT account_id FROM key_secrets WHERE hash = ${hash} AND (expires_at IS NULL OR expires_at > now()))`;
