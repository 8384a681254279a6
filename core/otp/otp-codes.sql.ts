export const PURGED_MAX = 10_000;

/** Parameters: accounts, recipients, seconds of the window, sends in it that are looked at. One row for each pair. */
export const recentSends = `
SELECT ARRAY(
  SELECT floor(extract(epoch FROM now() - c.created_at))::int
  FROM otp_codes c
  WHERE c.account_id = p.account_id AND c.recipient = p.recipient AND c.created_at > now() - make_interval(secs => $3)
  ORDER BY c.created_at DESC
  LIMIT $4
) AS ages
FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS p (account_id, recipient, n)
ORDER BY p.n`;

/** Codes are unique among live ones: what has expired gives its code away. Parameters: accounts, hashes. */
export const endExpired = `
UPDATE otp_codes c SET state = 'over', ended_at = c.expires_at
FROM unnest($1::uuid[], $2::bytea[]) AS v (account_id, code_hash)
WHERE c.account_id = v.account_id AND c.code_hash = v.code_hash AND c.state = 'live' AND c.expires_at <= now()`;

/** What is live already stays as it is. The last parameter: hours that a code is known after its end. */
export const insertCodes = `
INSERT INTO otp_codes (id, account_id, recipient, code_hash, digits, reference, expires_at, forget_at)
SELECT v.id, v.account_id, v.recipient, v.code_hash, v.digits, v.reference, now() + make_interval(mins => v.minutes),
  now() + make_interval(mins => v.minutes, hours => $8)
FROM unnest($1::uuid[], $2::bytea[], $3::uuid[], $4::text[], $5::smallint[], $6::integer[], $7::text[])
  AS v (account_id, code_hash, id, recipient, digits, minutes, reference)
ON CONFLICT (account_id, code_hash) WHERE state = 'live' DO NOTHING
RETURNING id`;

const columns = `
  c.id, c.recipient, c.reference, least(c.expires_at, c.ended_at) AS "endsAt", c.wrong_tries AS "wrongTries",
  CASE WHEN c.state = 'live' AND c.expires_at <= now() THEN 'over' ELSE c.state END AS state`;

/**
 * For each guess the code it hits (of several a live one, else a used one, else the newest) and, when the recipient is given,
 * his live codes. Parameters: accounts, hashes, recipients or null, minutes that a code lives at most.
 */
export const knownCodes = `
SELECT g.n::int, found.*
FROM unnest($1::uuid[], $2::bytea[], $3::text[]) WITH ORDINALITY AS g (account_id, code_hash, recipient, n)
CROSS JOIN LATERAL (
  (
    SELECT ${columns}, true AS "isHit"
    FROM otp_codes c
    WHERE c.account_id = g.account_id AND c.code_hash = g.code_hash
      AND (g.recipient IS NULL OR c.recipient = g.recipient)
    ORDER BY c.state = 'live' AND c.expires_at > now() DESC, c.state = 'used' DESC, c.created_at DESC
    LIMIT 1
  )
  UNION ALL
  (
    SELECT ${columns}, false AS "isHit"
    FROM otp_codes c
    WHERE c.account_id = g.account_id AND c.recipient = g.recipient AND c.state = 'live' AND c.expires_at > now()
      AND c.created_at > now() - make_interval(mins => $4)
  )
) found
ORDER BY g.n`;

/** Parameters: accounts, fewest and most digits, how many of a length are counted. */
export const countLive = `
SELECT a.account_id AS "accountId", d.digits, live.count
FROM unnest($1::uuid[]) AS a (account_id)
CROSS JOIN generate_series($2::int, $3::int) AS d (digits)
CROSS JOIN LATERAL (
  SELECT count(*)::int AS count
  FROM (
    SELECT 1 FROM otp_codes c
    WHERE c.account_id = a.account_id AND c.digits = d.digits AND c.state = 'live' AND c.expires_at > now()
    LIMIT $4
  ) counted
) live
WHERE live.count > 0`;

/** Only what is live changes. Parameters: ids, states, wrong tries. */
export const writeCodes = `
UPDATE otp_codes c
SET state = v.state, wrong_tries = v.wrong_tries, ended_at = CASE WHEN v.state = 'live' THEN NULL ELSE now() END
FROM unnest($1::uuid[], $2::text[], $3::smallint[]) AS v (id, state, wrong_tries)
WHERE c.id = v.id AND c.state = 'live'`;

export const purgeCodes = {
  name: 'otp-purge-1',
  text: `
DELETE FROM otp_codes WHERE id IN (
  SELECT id FROM otp_codes WHERE forget_at <= now() ORDER BY forget_at LIMIT ${PURGED_MAX}
) RETURNING 1`,
};
