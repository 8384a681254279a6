/**
 * SQL about callers of the API, for the statements that check them: here, in acceptance, and in the
 * choice of senders.
 */

/**
 * SQL condition: whether an address (a column or parameter of type text, normalized) is blocked. An
 * index serves it.
 */
export const isBlocked = (address: string) =>
  `EXISTS (SELECT 1 FROM blocked_addresses b WHERE b.address::inet >>= (${address})::inet)`;

/** SQL: joins the secret `s` by its hash, if it works. */
export const joinSecret = (hash: string) =>
  `LEFT JOIN key_secrets s ON s.hash = ${hash} AND (s.expires_at IS NULL OR s.expires_at > now())`;

/** SQL: joins the key `k` of the secret `s`. It may refuse the call: {@link keyRefusal}. */
export const joinKey = 'LEFT JOIN api_keys k ON k.id = s.key_id';

/**
 * SQL: why a row of `api_keys` may not make a call (a `KeyRefusal`); null when there is none, and
 * without a row.
 */
export const keyRefusal = (key: string, { address, scope }: { address: string; scope: string }) => `CASE
    WHEN ${key}.expires_at <= now() THEN 'key_expired'
    WHEN NOT (${address})::inet <<= ANY (${key}.addresses) THEN 'key_address'
    WHEN NOT ${scope} = ANY (${key}.scopes) THEN 'key_scope'
  END`;

/**
 * SQL: the account of a secret that works, by its hash, also of a key that may not make a call;
 * null when there is none.
 */
export const accountOfKey = (hash: string) =>
  `(SELECT account_id FROM key_secrets WHERE hash = ${hash} AND (expires_at IS NULL OR expires_at > now()))`;
