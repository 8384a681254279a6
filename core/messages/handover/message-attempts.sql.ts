import { carrierNumbers } from '#contract/carrier-codes.js';
import { hedgeSecondsOf } from '../../rules/delivery.js';
import { joinBought } from '../../numbers/numbers.sql.js';
import { insertChecks } from '../store/checks.sql.js';
import { carrierOf } from '../../carriers/carrier-senders.js';

/**
 * A hand-over that may still be delivered: the carrier may have the message and reported no final
 * state.
 */
const isOpen = (attempt: string) =>
  `NOT ${attempt}.current AND ${attempt}.outcome IN ('accepted', 'doubtful') AND ${attempt}.receipt IS NULL`;

/**
 * SQL condition: a receipt, a row with the message's `id`, `carrier` and `carrier_id`, belongs to
 * an attempt other than the current one. A doubtful attempt has no carrier's id until its first
 * receipt.
 */
export const isOfEarlierHandOver = (attempt: string, receipt: string) =>
  `${attempt}.message_id = ${receipt}.id AND ${attempt}.carrier = ${receipt}.carrier AND NOT ${attempt}.current
    AND (
      ${attempt}.carrier_id = ${receipt}.carrier_id
      OR ${attempt}.carrier_id IS NULL AND ${attempt}.outcome = 'doubtful'
    )`;

/**
 * Facts that decide whether a message may be handed to another route, and to which. Parameter:
 * message. `handOvers` counts the hand-overs that have begun.
 */
export const handedOverStatement = {
  name: 'message-handed-over-5',
  text: `
SELECT m.id, m.account_id AS "accountId", m.kind, m.status, m.recipient, m.country, m.sender, m.attempts AS claim,
  ${carrierOf('m')} AS carrier, m.carrier_id AS "carrierId", m.reference, m.segments, m.credits,
  ${hedgeSecondsOf('m')} AS "hedgeSeconds",
  a.ended + CASE m.status WHEN 'queued' THEN 0 ELSE 1 END AS "handOvers",
  coalesce(a.carriers, '{}') AS "takenBy",
  coalesce(a.tried, '{}') AS tried,
  coalesce(a.senders, '{}') AS "triedSenders",
  m.kind = 'otp' AND EXISTS (
    SELECT FROM otp_codes c
    WHERE (c.state = 'used' OR c.step > m.step)
      AND c.id IN (m.id, (SELECT r.code_id FROM otp_resends r WHERE r.message_id = m.id))
  ) AS "isUsed",
  ARRAY(SELECT carrier::integer FROM carrier_pauses WHERE resumed_at IS NULL) AS paused,
  bought.carrier IS NOT NULL AS "isBought",
  EXISTS (SELECT FROM restores r WHERE m.created_at <= r.accepted_until) AS "isRestored"
FROM messages m
${joinBought('m')}
CROSS JOIN LATERAL (
  SELECT count(*) FILTER (WHERE NOT current)::int AS ended,
    array_agg(carrier::integer) FILTER (WHERE NOT current AND outcome <> 'not_taken') AS carriers,
    array_agg(carrier::integer) FILTER (WHERE NOT current) AS tried,
    array_agg(sender) FILTER (WHERE NOT current) AS senders
  FROM message_attempts WHERE message_id = m.id
) a
WHERE m.id = $1`,
} as const;

/**
 * Takes a message from its route and queues it for another route, unless it has moved on since it
 * was read. Parameters: message, number of its last claim, its state then, new sender, new carrier,
 * reason; outcome, carrier's code, receipt and carrier's id of the ending hand-over; null, or the
 * percentage of the account's messages of a day that may have a second hand-over because they are
 * slow: it is rounded up, and beyond it the message is not changed.
 *
 * The new carrier is set at once, so that later reports of the old carrier change nothing here. A
 * queued message has not been handed over: it only changes its sender.
 */
export const rerouteStatement = {
  name: 'message-reroute-2',
  text: `
WITH old AS MATERIALIZED (
  SELECT m.id, m.account_id, m.sender, ${carrierOf('m')} AS carrier, m.carrier_id, m.claimed_at,
    m.status <> 'queued' AS was_handed, m.counted_on
  FROM messages m WHERE m.id = $1 AND m.attempts = $2 AND m.status = $3
  FOR NO KEY UPDATE
),
granted AS (
  UPDATE daily_counts d SET slow_hedges = d.slow_hedges + 1
  FROM old
  WHERE d.account_id = old.account_id AND d.day = old.counted_on AND d.slow_hedges * 100 < d.count * $11::integer
  RETURNING d.account_id
),
leaving AS MATERIALIZED (
  SELECT * FROM old WHERE $11::integer IS NULL OR EXISTS (SELECT FROM granted)
),
known AS MATERIALIZED (
  SELECT max(n) AS last, max(n) FILTER (WHERE current) AS current_n FROM message_attempts WHERE message_id = $1
),
ended AS (
  INSERT INTO message_attempts AS a
    (account_id, message_id, n, current, carrier, sender, reason, handed_at, outcome, carrier_id, carrier_error,
      receipt, receipt_at)
  SELECT account_id, id, coalesce(current_n, 1), false, carrier, sender, 'first', claimed_at, $7::text,
    coalesce(carrier_id, $10::text),
    $8::integer, $9::text, CASE WHEN $9 IS NOT NULL THEN now() END
  FROM leaving, known WHERE was_handed
  ON CONFLICT (message_id, n) DO UPDATE SET current = false, sender = excluded.sender, handed_at = excluded.handed_at,
    outcome = excluded.outcome, carrier_id = excluded.carrier_id, carrier_error = excluded.carrier_error,
    receipt = excluded.receipt, receipt_at = excluded.receipt_at
),
begun AS (
  INSERT INTO message_attempts AS a (account_id, message_id, n, current, carrier, sender, reason)
  SELECT account_id, id,
    CASE WHEN was_handed THEN coalesce(last, 1) + 1 ELSE coalesce(current_n, last + 1, 1) END,
    true, $5::smallint, $4::text, $6::text
  FROM leaving, known
  ON CONFLICT (message_id, n) DO UPDATE SET carrier = excluded.carrier, sender = excluded.sender,
    reason = excluded.reason
),
moved AS (
  UPDATE messages m
  SET status = 'queued', sender = $4, carrier = nullif($5::smallint, ${carrierNumbers.twilio}), carrier_id = NULL,
    claimed_at = NULL
  FROM leaving WHERE m.id = leaving.id
  RETURNING m.id, m.attempts, now() + interval '15 seconds' AS due_at
),
checked AS (${insertChecks('retry', 'moved')})
SELECT id FROM moved`,
} as const;

/**
 * Gives messages whose hand-over fails back to an earlier hand-over that may still be delivered,
 * the latest first: the credits are refunded only when all fail. Parameters are arrays: id, state
 * that the failing update would set, carrier that reports it or null, its code and its id, whether
 * only a waiting message changes. Returns the messages that were given back, with the carrier's id
 * that they had.
 *
 * They become `sending` without a lease: recovery looks up messages without a carrier's id. A
 * queued message was not handed over a second time, so that hand-over is deleted.
 */
export const takeBackStatement = {
  name: 'message-attempts-take-back-1',
  text: `
WITH failing AS MATERIALIZED (
  SELECT m.id, m.claimed_at, m.carrier_id, m.sender, m.status, u.status AS receipt, u.carrier_error,
    u.carrier IS NOT NULL AS is_carriers
  FROM unnest($1::uuid[], $2::text[], $3::smallint[], $4::integer[], $5::text[], $6::boolean[])
    AS u (id, status, carrier, carrier_error, carrier_id, waiting)
  JOIN messages m ON m.id = u.id
  WHERE m.status IN ('queued', 'sending', 'sent') AND (NOT u.waiting OR m.status = 'queued')
    AND (u.carrier IS NULL OR u.carrier = ${carrierOf('m')})
    AND EXISTS (SELECT FROM message_attempts a WHERE a.message_id = m.id AND ${isOpen('a')})
    AND NOT EXISTS (SELECT FROM carrier_matches c WHERE c.carrier_id = u.carrier_id AND c.message_id <> u.id)
  ORDER BY m.id
  FOR NO KEY UPDATE OF m
),
earlier AS MATERIALIZED (
  SELECT DISTINCT ON (a.message_id) a.* FROM message_attempts a JOIN failing ON failing.id = a.message_id
  WHERE ${isOpen('a')}
  ORDER BY a.message_id, a.n DESC
),
forgotten AS (
  DELETE FROM message_attempts a USING failing
  WHERE a.message_id = failing.id AND a.current AND failing.status = 'queued'
),
ended AS (
  UPDATE message_attempts a
  SET current = false, sender = failing.sender, handed_at = failing.claimed_at, carrier_id = failing.carrier_id,
    outcome = CASE failing.status WHEN 'sent' THEN 'accepted' ELSE 'not_taken' END,
    carrier_error = failing.carrier_error,
    receipt = CASE WHEN failing.status = 'sent' AND is_carriers THEN failing.receipt END,
    receipt_at = CASE WHEN failing.status = 'sent' AND is_carriers THEN now() END
  FROM failing WHERE a.message_id = failing.id AND a.current AND failing.status <> 'queued'
),
resumed AS (
  UPDATE message_attempts a
  SET current = true
  FROM earlier WHERE a.message_id = earlier.message_id AND a.n = earlier.n
),
moved AS (
  UPDATE messages m
  SET status = 'sending', attempts = m.attempts + 1, carrier = nullif(earlier.carrier, ${carrierNumbers.twilio}),
    carrier_id = earlier.carrier_id, sender = earlier.sender, claimed_at = earlier.handed_at
  FROM earlier WHERE m.id = earlier.message_id
  RETURNING m.id, earlier.carrier, m.carrier_id, m.attempts, now() AS due_at
),
checked AS (
  INSERT INTO message_checks (kind, due_at, claim, message_ids)
  SELECT 'claimed', date_trunc('second', due_at) + interval '1 second', attempts, array_agg(id ORDER BY id)
  FROM moved GROUP BY 2, 3
)
SELECT id, carrier::integer AS carrier, carrier_id AS "carrierId" FROM moved`,
} as const;

/**
 * Records receipts of earlier hand-overs. Parameters are arrays, with each message once: message,
 * carrier, carrier's id, state, carrier's code. A receipt without a final state, or after one, only
 * adds the carrier's id.
 */
export const attemptReceiptsStatement = {
  name: 'message-attempt-receipts-1',
  text: `
UPDATE message_attempts a
SET carrier_id = u.carrier_id, receipt = coalesce(a.receipt, nullif(u.status, 'sent')),
  receipt_at = CASE WHEN a.receipt IS NULL AND u.status <> 'sent' THEN now() ELSE a.receipt_at END,
  carrier_error = coalesce(a.carrier_error, u.carrier_error)
FROM unnest($1::uuid[], $2::smallint[], $3::text[], $4::text[], $5::integer[])
  AS u (id, carrier, carrier_id, status, carrier_error)
WHERE ${isOfEarlierHandOver('a', 'u')}
  AND NOT EXISTS (SELECT FROM carrier_matches c WHERE c.carrier_id = u.carrier_id AND c.message_id <> u.id)
RETURNING a.message_id AS id, a.n::integer AS n, a.sender,
  (SELECT recipient FROM messages WHERE id = a.message_id) AS recipient`,
} as const;

/**
 * Earlier hand-overs that a carrier has taken without reporting a final state. Parameter: message.
 */
export const openAttemptsStatement = {
  name: 'message-attempts-open-1',
  text: `
SELECT carrier::integer AS carrier, carrier_id AS "carrierId" FROM message_attempts a
WHERE message_id = $1 AND ${isOpen('a')} AND carrier_id IS NOT NULL`,
} as const;

/**
 * Makes an earlier hand-over, which was delivered, the current one. Parameters: message, number of the
 * hand-over. The message is `sending` until the delivery is recorded, in the same transaction.
 */
export const resumeAttemptStatement = {
  name: 'message-attempts-resume-1',
  text: `
WITH old AS MATERIALIZED (
  SELECT id, claimed_at, carrier_id, sender, status FROM messages
  WHERE id = $1 AND status IN ('queued', 'sending', 'sent')
  FOR NO KEY UPDATE
),
forgotten AS (
  DELETE FROM message_attempts a USING old WHERE a.message_id = old.id AND a.current AND old.status = 'queued'
),
ended AS (
  UPDATE message_attempts a
  SET current = false, sender = old.sender, handed_at = old.claimed_at, carrier_id = old.carrier_id,
    outcome = CASE old.status WHEN 'sent' THEN 'accepted' ELSE 'doubtful' END
  FROM old WHERE a.message_id = old.id AND a.current AND old.status <> 'queued'
),
resumed AS (
  UPDATE message_attempts a SET current = true FROM old WHERE a.message_id = old.id AND a.n = $2
  RETURNING a.carrier, a.carrier_id, a.sender, a.handed_at
),
moved AS (
  UPDATE messages m
  SET status = 'sending', attempts = m.attempts + 1, carrier = nullif(resumed.carrier, ${carrierNumbers.twilio}),
    carrier_id = resumed.carrier_id, sender = resumed.sender, claimed_at = resumed.handed_at
  FROM resumed WHERE m.id = $1
  RETURNING m.id
)
SELECT id FROM moved`,
} as const;

/** Earlier hand-overs by message. Parameters: account, messages. */
export const earlierHandOversStatement = {
  name: 'message-attempts-earlier-1',
  text: `
SELECT message_id AS id, count(*)::int AS "handOvers" FROM message_attempts
WHERE account_id = $1 AND message_id = ANY ($2::uuid[]) AND NOT current GROUP BY message_id`,
} as const;

/**
 * A message's hand-overs in order; no rows for a single hand-over. Parameters: account, message.
 */
export const attemptsStatement = {
  text: `
SELECT n::integer AS n, current, carrier::integer AS carrier, sender, reason, handed_at AS "handedAt", outcome, receipt
FROM message_attempts WHERE account_id = $1 AND message_id = $2 ORDER BY n`,
} as const;
