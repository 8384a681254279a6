/** A webhook that has failed for so long, and nothing but failed, is turned off. */
const GIVEN_UP_AFTER = '5 days';

/**
 * Writes down what came of attempts. Parameters are arrays: delivery, number of the claim, account, what becomes of the delivery
 * (`delivered`, `waiting`, `failed`), seconds it waits, id of the attempt, its start, duration, status, answer, error.
 *
 * A claim that somebody else has taken over since changes nothing but its own line. A webhook's `failing_since` changes with
 * the first failure and the first success alone: the row is touched no more often than that.
 */
export const outcomeStatement = {
  name: 'webhook-outcome-1',
  text: `
WITH outcome AS MATERIALIZED (
  SELECT * FROM unnest($1::uuid[], $2::integer[], $3::uuid[], $4::text[], $5::float8[], $6::uuid[], $7::timestamptz[],
    $8::integer[], $9::integer[], $10::text[], $11::text[])
    AS o (delivery_id, claim, account_id, verdict, wait_seconds, attempt_id, started_at, duration_ms, status, answer, error)
),
held AS MATERIALIZED (
  SELECT d.id FROM webhook_deliveries d JOIN outcome o ON o.delivery_id = d.id
  WHERE d.attempts = o.claim AND d.status = 'sending'
  ORDER BY d.id
  FOR NO KEY UPDATE OF d
),
moved AS (
  UPDATE webhook_deliveries d
  SET status = o.verdict,
    failures = d.failures + CASE WHEN o.verdict = 'delivered' THEN 0 ELSE 1 END,
    due_at = now() + make_interval(secs => o.wait_seconds),
    finished_at = CASE WHEN o.verdict <> 'waiting' THEN now() END
  FROM outcome o JOIN held ON held.id = o.delivery_id
  WHERE d.id = held.id
),
news AS MATERIALIZED (
  SELECT account_id, bool_or(verdict = 'delivered') AS is_well, min(started_at) AS since FROM outcome GROUP BY account_id
),
changed AS MATERIALIZED (
  SELECT e.account_id, n.is_well, n.since
  FROM webhook_endpoints e JOIN news n ON n.account_id = e.account_id
  WHERE n.is_well = (e.failing_since IS NOT NULL)
  ORDER BY e.account_id
  FOR NO KEY UPDATE OF e
),
marked AS (
  UPDATE webhook_endpoints e SET failing_since = CASE WHEN NOT c.is_well THEN c.since END
  FROM changed c WHERE e.account_id = c.account_id
),
noted AS (
  INSERT INTO webhook_attempts (id, delivery_id, account_id, started_at, duration_ms, status, answer, error)
  SELECT attempt_id, delivery_id, account_id, started_at, duration_ms, status, answer, error FROM outcome
)
SELECT n.account_id AS "accountId"
FROM news n JOIN webhook_endpoints e ON e.account_id = n.account_id
WHERE NOT n.is_well AND e.disabled_at IS NULL AND e.failing_since <= now() - interval '${GIVEN_UP_AFTER}'
`,
} as const;

/**
 * Puts deliveries aside for a while without an attempt, because enough others of the account are under way. Parameters are
 * arrays: delivery, milliseconds.
 */
export const parkStatement = {
  name: 'webhook-park-1',
  text: `
UPDATE webhook_deliveries d SET due_at = now() + make_interval(secs => aside.wait_ms / 1000.0)
FROM unnest($1::uuid[], $2::integer[]) AS aside (id, wait_ms)
WHERE d.id = aside.id AND d.status = 'pending'
`,
} as const;

/** Has recovery look at once at what waits for a receiver that answers again. Parameters: account, how many at most. */
export const unparkStatement = {
  name: 'webhook-unpark-1',
  text: `
UPDATE webhook_deliveries SET due_at = now()
WHERE id IN (
  SELECT id FROM webhook_deliveries
  WHERE account_id = $1 AND status = 'pending' AND due_at > now()
  ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED
)
`,
} as const;
