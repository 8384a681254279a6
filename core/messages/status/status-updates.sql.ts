const STATES = `ARRAY['queued', 'sending', 'sent', 'delivered', 'undelivered', 'failed']`;

/** A state's place on the way of a message; the three last ones are one place, so none follows another. */
const placeOf = (state: string) => `least(array_position(${STATES}, ${state}), 4)`;

/**
 * Moves messages forward, never back: a row whose state is already as far keeps it. Parameters are arrays: id, state,
 * carrier's id, our code, carrier's code, whether the credits go back, seconds until recovery looks (null for never).
 *
 * In the same breath it counts the states of each account's New York days. A statement cannot return what a row was before: one
 * that leaves `sent` is known by a `sent_at` of another transaction than this. All messages are locked before the first day is,
 * and days in one order, so that two batches cannot deadlock over them.
 */
export const advanceStatement = {
  name: 'advance-3',
  text: `
WITH moved AS (
  UPDATE messages m
  SET status = news.status,
    carrier_id = coalesce(m.carrier_id, news.carrier_id),
    error_code = news.error_code,
    carrier_error = news.carrier_error,
    refunded = CASE WHEN news.refund THEN m.credits ELSE 0 END,
    sent_at = CASE WHEN news.status = 'failed' AND news.carrier_id IS NULL THEN m.sent_at ELSE coalesce(m.sent_at, now()) END,
    finished_at = CASE WHEN news.status = 'sent' THEN NULL ELSE now() END,
    due_at = now() + make_interval(secs => news.due_seconds)
  FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::integer[], $6::boolean[], $7::float8[])
    AS news (id, status, carrier_id, error_code, carrier_error, refund, due_seconds)
  WHERE m.id = news.id AND ${placeOf('m.status')} < ${placeOf('news.status')}
  RETURNING m.id, m.account_id, m.created_at, m.status, m.refunded, m.recipient, m.segments, m.credits, m.reference,
    m.error_code, m.carrier_error, m.sent_at <> now() AS was_sent
),
counted AS (
  INSERT INTO message_days AS d (account_id, day, sent, delivered, undelivered, failed)
  SELECT account_id, (created_at AT TIME ZONE 'America/New_York')::date AS day,
    count(*) FILTER (WHERE status = 'sent') - count(*) FILTER (WHERE was_sent),
    count(*) FILTER (WHERE status = 'delivered'),
    count(*) FILTER (WHERE status = 'undelivered'),
    count(*) FILTER (WHERE status = 'failed')
  FROM moved
  GROUP BY account_id, day
  ORDER BY account_id, day
  ON CONFLICT (account_id, day) DO UPDATE SET sent = d.sent + excluded.sent, delivered = d.delivered + excluded.delivered,
    undelivered = d.undelivered + excluded.undelivered, failed = d.failed + excluded.failed
)
SELECT id, account_id AS "accountId", status, refunded, recipient, segments, credits, reference, error_code AS "errorCode",
  carrier_error AS "carrierError"
FROM moved
`,
} as const;

/**
 * Gives claimed messages back to the queue, unless a newer claim has them. Parameters: ids, the claims' numbers of attempts,
 * milliseconds until each is tried again.
 */
export const releaseStatement = {
  name: 'release-2',
  text: `
UPDATE messages m
SET status = 'queued', due_at = now() + make_interval(secs => back.delay_ms / 1000.0 + 15)
FROM unnest($1::uuid[], $2::integer[], $3::integer[]) AS back (id, attempts, delay_ms)
WHERE m.id = back.id AND m.attempts = back.attempts AND m.status = 'sending'
RETURNING m.id, m.account_id AS "accountId"
`,
} as const;

/** Has recovery look at claimed messages sooner than their lease would. Parameters: ids, seconds. */
export const lookSoonStatement = {
  name: 'look-soon-1',
  text: `
UPDATE messages SET due_at = least(due_at, now() + make_interval(secs => $2))
WHERE id = ANY($1::uuid[]) AND status = 'sending'
RETURNING id
`,
} as const;
