import { insertStatusDeliveries } from '../../webhooks/callbacks/callbacks.sql.js';
import { ACCOUNT_KEY } from '../../keys/callers.sql.js';
import { messageDay, newYorkDayOf } from '../store/day-reservations.sql.js';
import { insertChecks } from '../store/checks.sql.js';
import { carrierOf } from '../../carriers/carrier-senders.js';
import { isOfEarlierHandOver } from '../handover/message-attempts.sql.js';
import { reasonCodeSql } from '../../rules/carrier-code.js';

const STATES = `ARRAY['scheduled', 'queued', 'sending', 'sent', 'delivered', 'undelivered', 'failed', 'canceled']`;

/**
 * A state's position in a message's lifecycle; the last four share one position, so none follows
 * another.
 */
const placeOf = (state: string) => `least(array_position(${STATES}, ${state}), 5)`;

/** SQL condition: a row of `delivery_days` belongs to a count `c`. */
const isDayOf = (row: string) =>
  `(${row}.account_id, ${row}.day, ${row}.country, ${row}.key_id, ${row}.reason)
    = (c.account_id, c.day, c.country, c.key, c.why)`;

/**
 * Updates states forward, never back: a message in the given state or a later state does not
 * change. Parameters are arrays: id, state, carrier's id, our code, carrier's code, whether credits
 * are refunded, whether only a message that waits for its claim changes, id of the delivery of its
 * status callback, number of the carrier that reports the state, and its price: a message of
 * another carrier does not change. A message without a claim does: after a restored backup its
 * receipt proves that it was sent. A receipt of an earlier hand-over, even by the same carrier,
 * changes nothing.
 *
 * It also returns messages that a receipt did not change, without an account: the carrier, the
 * carrier's id, and whether the message already had that state or a later state. A repeated receipt
 * then needs no second statement. These values are from the start of the statement, before
 * simultaneous changes.
 *
 * A carrier's id that was matched to another message is not recorded a second time: the message
 * stays unsettled, and recovery looks it up (carrier-matches.ts).
 *
 * It also counts the states of an account's messages by New York day, country, key and reason. A
 * statement cannot return a row's previous values: a row that leaves `sent` is recognized by a
 * `sent_at` of another transaction. All messages are locked before the first count, and counts in
 * one order, so that two batches do not deadlock over them. An existing count is updated, because
 * `ON CONFLICT` writes its lock to the log first; it only serves counts that another batch begins
 * at the same moment.
 *
 * LIMIT and OFFSET make Postgres find each message by its key: with LIMIT it expects few rows. With
 * a plan from a month's first messages, a join reads the whole month for each batch.
 */
export const updateStatusStatement = {
  name: 'status-update-16',
  text: `
WITH incoming AS MATERIALIZED (
  SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::integer[], $6::boolean[], $7::boolean[],
    $8::uuid[], $9::smallint[], $10::bigint[])
    AS u (id, status, carrier_id, error_code, carrier_error, refund, waiting, delivery_id, carrier, cost)
  LIMIT cardinality($1)
),
moved AS (
  UPDATE messages m
  SET status = incoming.status,
    carrier_id = coalesce(m.carrier_id, incoming.carrier_id),
    error_code = incoming.error_code,
    carrier_error = incoming.carrier_error,
    refunded = CASE WHEN incoming.refund THEN m.credits ELSE 0 END,
    sent_at = CASE WHEN incoming.status IN ('failed', 'canceled')
      AND incoming.carrier_id IS NULL THEN m.sent_at ELSE coalesce(m.sent_at, now()) END,
    finished_at = CASE WHEN incoming.status = 'sent' THEN NULL ELSE now() END
  FROM incoming
  WHERE m.id = incoming.id AND ${placeOf('m.status')} < ${placeOf('incoming.status')}
    AND (NOT incoming.waiting OR m.status IN ('scheduled', 'queued'))
    AND (incoming.carrier IS NULL OR incoming.carrier = ${carrierOf('m')})
    AND NOT EXISTS (
      SELECT FROM carrier_matches c WHERE c.carrier_id = incoming.carrier_id AND c.message_id <> incoming.id OFFSET 0
    )
    AND NOT EXISTS (
      SELECT FROM message_attempts a
      WHERE m.carrier_id IS DISTINCT FROM incoming.carrier_id AND ${isOfEarlierHandOver('a', 'incoming')}
    )
  RETURNING m.id, incoming.delivery_id, m.account_id, m.kind, m.created_at, m.status, m.refunded,
    m.recipient, m.sender, m.segments, m.credits, m.reference, m.country, m.key_id,
    m.error_code, ${carrierOf('m')} AS carrier, m.carrier_error, m.sent_at <> now() AS was_sent,
    incoming.cost, CASE WHEN incoming.cost IS NOT NULL THEN ${messageDay('m')} END AS cost_day,
    CASE WHEN m.send_at IS NOT NULL AND m.counted_on IS NULL THEN ${newYorkDayOf('m.send_at')} END AS reserved_on
),
counted AS MATERIALIZED (
  SELECT account_id, ${newYorkDayOf('created_at')} AS day, country, coalesce(key_id, '${ACCOUNT_KEY}') AS key,
    CASE WHEN status IN ('undelivered', 'failed') THEN coalesce(${reasonCodeSql}, 'not_delivered') ELSE '' END AS why,
    count(*) FILTER (WHERE status IN ('delivered', 'undelivered', 'failed')) AS messages,
    count(*) FILTER (WHERE status = 'sent') - count(*) FILTER (WHERE was_sent) AS sent,
    count(*) FILTER (WHERE status = 'failed') AS failed, count(*) FILTER (WHERE status = 'canceled') AS canceled
  FROM moved
  GROUP BY account_id, day, country, key, why
  ORDER BY account_id, day, country, key, why
),
added AS (
  UPDATE delivery_days d
  SET messages = d.messages + c.messages, sent = d.sent + c.sent, failed = d.failed + c.failed,
    canceled = d.canceled + c.canceled
  FROM counted c
  WHERE ${isDayOf('d')}
),
begun AS (
  INSERT INTO delivery_days AS d (account_id, day, country, key_id, reason, messages, sent, failed, canceled)
  SELECT * FROM counted c WHERE NOT EXISTS (SELECT FROM delivery_days e WHERE ${isDayOf('e')})
  ON CONFLICT (account_id, day, country, key_id, reason) DO UPDATE SET messages = d.messages + excluded.messages,
    sent = d.sent + excluded.sent, failed = d.failed + excluded.failed, canceled = d.canceled + excluded.canceled
),
priced AS (
  INSERT INTO message_costs (account_id, message_id, carrier, day, country, cost_microusd)
  SELECT account_id, id, carrier, cost_day, country, cost FROM moved WHERE cost IS NOT NULL ORDER BY account_id, id
  ON CONFLICT DO NOTHING
),
called AS (${insertStatusDeliveries('moved')}),
standing AS (
  SELECT m.id, ${carrierOf('m')} AS carrier, m.carrier_id,
    ${placeOf('m.status')} >= ${placeOf('incoming.status')} AS had_come
  FROM incoming CROSS JOIN LATERAL (SELECT * FROM messages WHERE messages.id = incoming.id OFFSET 0) AS m
  WHERE incoming.carrier IS NOT NULL AND NOT EXISTS (SELECT FROM moved WHERE moved.id = incoming.id)
)
SELECT coalesce(moved.id, standing.id) AS id, account_id AS "accountId", kind, status, refunded, recipient, sender,
  segments, credits, reference, error_code AS "errorCode",
  coalesce(moved.carrier, standing.carrier) AS carrier, standing.carrier_id AS "carrierId",
  standing.had_come AS "hadCome",
  carrier_error AS "carrierError", reserved_on::text AS "reservedOn", called.id AS "callbackId"
FROM moved LEFT JOIN called ON called.id = moved.delivery_id FULL JOIN standing ON standing.id = moved.id
`,
} as const;

/**
 * Returns claimed messages to the queue, unless they have a newer claim. Parameters are arrays: id,
 * number of the claim, milliseconds until the next attempt.
 */
export const releaseStatement = {
  name: 'release-4',
  text: `
WITH released AS (
  UPDATE messages m
  SET status = 'queued'
  FROM unnest($1::uuid[], $2::integer[], $3::integer[]) AS back (id, attempts, delay_ms)
  WHERE m.id = back.id AND m.attempts = back.attempts AND m.status = 'sending'
  RETURNING m.id, m.account_id, m.attempts,
    least(now() + make_interval(secs => back.delay_ms / 1000.0 + 15), m.expires_at) AS due_at
),
checked AS (${insertChecks('retry', 'released')})
SELECT id, account_id AS "accountId" FROM released
`,
} as const;

/** Makes claimed messages due for recovery before their lease ends. Parameters: ids, seconds. */
export const settleSoonStatement = {
  name: 'settle-soon-3',
  text: `
WITH claimed AS (
  SELECT id, attempts, now() + make_interval(secs => $2) AS due_at FROM messages
  WHERE id = ANY($1::uuid[]) AND status = 'sending'
),
checked AS (${insertChecks('settle', 'claimed')})
SELECT id FROM claimed
`,
} as const;
