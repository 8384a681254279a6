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

/**
 * SQL: why a row of `named_keys` may not make a call (a `KeyRefusal`); null when there is none, and
 * without a row.
 */
export const keyRefusal = (key: string, { address, scope }: { address: string; scope: string }) => `CASE
    WHEN ${key}.expires_at <= now() THEN 'key_expired'
    WHEN NOT (${address})::inet <<= ANY (${key}.addresses) THEN 'key_address'
    WHEN NOT ${scope} = ANY (${key}.scopes) THEN 'key_scope'
  END`;

/**
 * SQL: joins the named key `nk` of a secret by its hash, which may be a replaced secret that still
 * works.
 */
export const joinNamedKey = (
  hash: string,
) => `LEFT JOIN old_key_secrets os ON os.key_hash = ${hash} AND os.expires_at > now()
  LEFT JOIN named_keys nk ON nk.key_hash = coalesce(os.named_key_hash, ${hash})`;

/** SQL: account and hash of every secret of a named key, replaced ones included. */
export const namedSecrets = `
  SELECT account_id, key_hash FROM named_keys
  UNION ALL
  SELECT nk.account_id, os.key_hash FROM old_key_secrets os JOIN named_keys nk ON nk.key_hash = os.named_key_hash
  WHERE os.expires_at > now()`;

/**
 * SQL: the account of a key by its hash, also of a named key that may not make a call; null when
 * there is none.
 */
export const accountOfKey = (hash: string) => `coalesce(
    (SELECT account_id FROM api_keys WHERE key_hash = ${hash} AND (expires_at IS NULL OR expires_at > now())),
    (SELECT account_id FROM (${namedSecrets}) n WHERE key_hash = ${hash})
  )`;
